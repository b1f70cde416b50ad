/** Validates client input with a schema; an error becomes a 400 that names the field. */
import * as z from "zod/mini";
import { en } from "zod/locales";
import { invalidRequest } from "./httpError";

// zod/mini has no messages without a locale.
z.config(en());

export function readWire<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join(".") ?? "";
  if (field === "") throw invalidRequest(`The body is not what it must be: ${issue?.message ?? "not valid"}.`);
  throw invalidRequest(`${field}: ${issue?.message ?? "not valid"}.`, field);
}

/** A field of an object that is null is the same as none. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

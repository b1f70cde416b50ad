/** Declares kinds of faults and the schemas of their values. */
import * as z from "zod/mini";
import type { FaultKind } from "../../src/localGateway/http/requestFaults";

/** A new kind is a line in its table and a `take` where it acts. */
export function kind<T>(name: string, does: string, value: z.ZodMiniType<T>): FaultKind<T> {
  return { name, does, value };
}

/** For faults without a value. */
export const nothing: z.ZodMiniType = z.unknown();

/** One of several variants of a fault; the first is the default. */
export function oneOf<const T extends string>(first: T, ...others: readonly T[]): z.ZodMiniType<T> {
  return z._default(z.enum([first, ...others]), first);
}

/** An integer from 0; the description names its unit. */
export function count(preset: number): z.ZodMiniType<number> {
  return z._default(z.int().check(z.nonnegative()), preset);
}

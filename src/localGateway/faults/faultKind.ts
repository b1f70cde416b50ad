/** What a fault switch is: a name, what it does, and what its value may be. */
import * as z from "zod/mini";

/** One switch. A new one is a line in its table and the place that takes it. */
export interface FaultKind<T> {
  readonly name: string;
  readonly does: string;
  readonly value: z.ZodMiniType<T>;
}

export function kind<T>(name: string, does: string, value: z.ZodMiniType<T>): FaultKind<T> {
  return { name, does, value };
}

/** For switches that are on or off. */
export const nothing: z.ZodMiniType = z.unknown();

/** One of several forms of the same fault; the first when none is named. */
export function oneOf<const T extends string>(first: T, ...others: readonly T[]): z.ZodMiniType<T> {
  return z._default(z.enum([first, ...others]), first);
}

/** A whole number from 0, in what the description says. */
export function count(preset: number): z.ZodMiniType<number> {
  return z._default(z.int().check(z.nonnegative()), preset);
}

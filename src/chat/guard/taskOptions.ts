/** Compares the options of a paid task with those that a person has allowed. */

type Options = Readonly<Record<string, unknown>>;

/**
 * Whether they are the same ones, and none is larger. One that is missing or added could make the task dearer: what a gateway
 * takes in its place is not known.
 */
export function isNoLarger(options: Options, allowed: Options): boolean {
  const names = Object.keys(allowed);
  return (
    names.length === Object.keys(options).length &&
    names.every((name) => Object.hasOwn(options, name) && isWithin(options[name], allowed[name]))
  );
}

function isWithin(value: unknown, allowed: unknown): boolean {
  if (JSON.stringify(value) === JSON.stringify(allowed)) return true;
  const [wanted, most] = [sidesOf(value), sidesOf(allowed)];
  return (
    wanted.length > 0 && wanted.length === most.length && 0 < productOf(wanted) && productOf(wanted) <= productOf(most)
  );
}

/** A number, or the sides of a size such as `1280x720`; empty for anything else. */
function sidesOf(value: unknown): readonly number[] {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return /^\d{1,9}(?:\.\d{1,9})?(?:x\d{1,9})?$/u.test(text) ? text.split("x").map(Number) : [];
}

function productOf(sides: readonly number[]): number {
  return sides.reduce((product, side) => product * side, 1);
}

/** Compares the options of a paid task with those that a person has allowed. */

type Options = Readonly<Record<string, unknown>>;

/**
 * Whether the options have the same names as the allowed ones, and none a larger value. A missing or an added one could make
 * the task dearer: the gateway's default for it is not known.
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

/** Reads unknown JSON without a schema: on the hot path of a stream a schema for each chunk would cost more than its parsing. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asRecord(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}

const nothing: readonly unknown[] = [];

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : nothing;
}

/** Empty counts as absent: servers write `""` for fields without a value (Q-T4, Q-E5). */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A number, or a string that holds one. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A larger number is not believed to be a count of tokens. */
const maxCount = 1e12;

/** A count that a service reports; `undefined` for what can't be one: negative, or beyond any use. Fractions are rounded. */
export function asCount(value: unknown): number | undefined {
  const number = asNumber(value);
  return number === undefined || number < 0 || number > maxCount ? undefined : Math.round(number);
}

/** The parsed value. Text that is not JSON gives `undefined`, which is never a JSON value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Whether a value has more levels of lists and objects than `levels`, or more than `members` members in all of them. For values from outside: a
 * schema adds an issue for each wrong member, and code that recurses into a deep value overflows the stack. Breadth-first, so that this function
 * does not recurse.
 */
export function isLargerThan(value: unknown, bounds: { readonly levels: number; readonly members?: number }): boolean {
  let left = bounds.members ?? Infinity;
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === bounds.levels) return true;
    const next: object[] = [];
    for (const container of level)
      for (const member of membersOf(container)) {
        left -= 1;
        if (left < 0) return true;
        if (isContainer(member)) next.push(member);
      }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Yields the members one by one, because a list of a million values takes several times as long. */
function* membersOf(container: object): Generator {
  if (Array.isArray(container)) yield* container as readonly unknown[];
  else for (const name in container) yield (container as JsonRecord)[name];
}

/** Resolves a reference within a JSON Schema: `#/$defs/x`, or any other pointer into the same document. */
export function findPointed(root: unknown, reference: string): JsonRecord | undefined {
  if (!reference.startsWith("#")) return undefined;
  let place = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const name = decodeStep(step);
    place = Array.isArray(place) ? (place as unknown[])[Number(name)] : asRecord(place)?.[name];
  }
  return asRecord(place);
}

function decodeStep(step: string): string {
  const plain = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

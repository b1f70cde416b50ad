/** Arguments of a call that come value by value under JSON paths (`partialArgs`). */
import { asRecord, asText, type JsonRecord } from "../../http/jsonValue";

export interface ArgumentPieces {
  push(pieces: readonly unknown[]): void;
  /** Arguments that came whole. */
  add(args: JsonRecord): void;
  /** The arguments so far as JSON. */
  text(): string;
}

/** An object without a prototype, for the names come from outside, or a list. */
type Place = object;

/** A path such as `$.list[99999999]` must not make a list of that length. */
const longestList = 10_000;

export function createArgumentPieces(): ArgumentPieces {
  const root = createPlace("");

  const put = (path: string, value: unknown): void => {
    const names = readPath(path);
    const last = names.pop();
    if (last === undefined) return;
    let place: Place = root;
    names.forEach((name, at) => {
      const next = at + 1 < names.length ? names[at + 1] : last;
      const there: unknown = Reflect.get(place, name);
      const inner = isPlace(there) ? there : createPlace(next);
      Reflect.set(place, name, inner);
      place = inner;
    });
    const before: unknown = Reflect.get(place, last);
    // Text goes on whether its last piece announced that or not: nothing is said twice.
    const goesOn = typeof before === "string" && typeof value === "string";
    Reflect.set(place, last, goesOn ? before + value : value);
  };

  return {
    push(pieces) {
      for (const piece of pieces) {
        const record = asRecord(piece);
        const path = asText(record?.["jsonPath"]);
        if (record === undefined || path === undefined) continue;
        put(path, readValue(record));
      }
    },
    add(args) {
      Object.assign(root, args);
    },
    text: () => JSON.stringify(root),
  };
}

function readValue(piece: JsonRecord): unknown {
  if ("stringValue" in piece) return piece["stringValue"];
  if ("numberValue" in piece) return piece["numberValue"];
  if ("boolValue" in piece) return piece["boolValue"];
  return null;
}

/** Names and indices: `$.a.b[0]['c d']`. */
function readPath(path: string): (string | number)[] {
  const names: (string | number)[] = [];
  for (const match of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g)) {
    const [, name, index, single, double] = match;
    if (index !== undefined) names.push(Math.min(Number(index), longestList));
    else names.push(name ?? single ?? double ?? "");
  }
  return names;
}

function isPlace(value: unknown): value is Place {
  return typeof value === "object" && value !== null;
}

/** What an index or a name is put into. */
function createPlace(name: string | number | undefined): Place {
  return typeof name === "number" ? [] : (Object.create(null) as Place);
}

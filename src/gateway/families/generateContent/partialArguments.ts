/** Arguments of a call that are streamed value by value under JSON paths (`partialArgs`). */
import { asRecord, asText, type JsonRecord } from "../../../base/jsonValue";

/** A list, or an object without a prototype, because the service chooses its names. */
type Place = object;

/** A path such as `$.list[99999999]` must not make a list of that length. */
const maxListLength = 10_000;

export class PartialArguments {
  readonly #root = createPlace("");

  push(pieces: readonly unknown[]): void {
    for (const piece of pieces) {
      const record = asRecord(piece);
      const path = asText(record?.["jsonPath"]);
      if (record !== undefined && path !== undefined) this.#put(path, readValue(record));
    }
  }

  /** Adds arguments that came whole. */
  add(args: JsonRecord): void {
    Object.assign(this.#root, args);
  }

  /** The arguments so far as JSON. */
  text(): string {
    return JSON.stringify(this.#root);
  }

  #put(path: string, value: unknown): void {
    const names = readPath(path);
    const last = names.pop();
    if (last === undefined) return;
    let place: Place = this.#root;
    names.forEach((name, at) => {
      const next = at + 1 < names.length ? names[at + 1] : last;
      const known: unknown = Reflect.get(place, name);
      const inner = isPlace(known) ? known : createPlace(next);
      Reflect.set(place, name, inner);
      place = inner;
    });
    const before: unknown = Reflect.get(place, last);
    // A text in several pieces is joined, also where `willContinue` is missing.
    const joins = typeof before === "string" && typeof value === "string";
    Reflect.set(place, last, joins ? before + value : value);
  }
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
    if (index !== undefined) names.push(Math.min(Number(index), maxListLength));
    else names.push(name ?? single ?? double ?? "");
  }
  return names;
}

function isPlace(value: unknown): value is Place {
  return typeof value === "object" && value !== null;
}

/** The container for an index or a name. */
function createPlace(name: string | number | undefined): Place {
  return typeof name === "number" ? [] : (Object.create(null) as Place);
}

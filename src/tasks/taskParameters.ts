/** What a task was asked for beside prompt and model, read from the body that was sent; for the task page and the batch page. */
import * as z from "zod/mini";

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

const object = z.record(z.string(), z.unknown());
const sent = z.looseObject({
  metadata_json: z.optional(z.unknown()),
  input_assets_json: z.optional(z.unknown()),
});

/** Characters of one value: a reference asset may be a picture in itself. */
const longestValue = 300;

/** Of the body of the request: the metadata, then the reference assets, each by its own name. */
export function taskParameters(body: string | undefined): Parameter[] {
  const read = sent.safeParse(parse(body ?? ""));
  if (!read.success) return [];
  return [...fieldsOf(read.data.metadata_json), ...fieldsOf(read.data.input_assets_json)];
}

/** The seed that was asked for. */
export function askedSeed(body: string | undefined): string | undefined {
  return taskParameters(body).find(({ name }) => name === "seed")?.value;
}

function fieldsOf(value: unknown): Parameter[] {
  const read = object.safeParse(typeof value === "string" ? parse(value) : value);
  if (!read.success) return [];
  return Object.entries(read.data).map(([name, field]) => ({ name, value: describeValue(field) }));
}

function describeValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const data = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(text.slice(0, 200));
  // Four characters of base64 are three bytes.
  if (data) return `${data[1] ?? ""}, ${Math.round((text.length * 3) / 4 / 1024)} KB`;
  const characters = Array.from(text.slice(0, longestValue * 2));
  return characters.length > longestValue ? `${characters.slice(0, longestValue).join("")}…` : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

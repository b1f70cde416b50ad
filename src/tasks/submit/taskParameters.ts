/** What a task was asked for beside prompt and model, read from the body that was sent; for the task page and the batch page. */
import { readSentBody } from "./sentBody";

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** Characters of one value: a reference asset may be a picture in itself. */
const maxValueLength = 300;

/** Of the body of the request: the metadata, then the reference assets, each by its own name. */
export function taskParameters(body: string | undefined): Parameter[] {
  const { metadata, inputAssets } = readSentBody(body);
  return [...Object.entries(metadata), ...Object.entries(inputAssets)].map(([name, value]) => ({
    name,
    value: describeValue(value),
  }));
}

function describeValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const data = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(text.slice(0, 200));
  // Four characters of base64 are three bytes.
  if (data) return `${data[1] ?? ""}, ${Math.round((text.length * 3) / 4 / 1024)} KB`;
  const characters = Array.from(text.slice(0, maxValueLength * 2));
  return characters.length > maxValueLength ? `${characters.slice(0, maxValueLength).join("")}…` : text;
}

/**
 * Reads and writes what the stored body of a request holds besides type, model and prompt: `metadata_json`, reference images, parameters; and the
 * request as a curl command.
 */
import { asRecord, parseJson } from "../../base/jsonValue";
import { curl } from "../../domain/words/requestReport";
import type { TaskOption, TaskOptions } from "../../domain/task/commonOptions";
import { isAccepted } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";

type ChangedOptions = { readonly [Name in TaskOption]?: TaskOptions[Name] | undefined };

/** The object that `metadata_json` of a task holds: the fields that task types commonly take, and any others. */
export type MetadataObject = Readonly<Record<string, unknown>>;

/** Sets the options of `change` in the object, and removes one that is `undefined`. Everything else in the object is kept as it is. */
export function withCommon(before: MetadataObject, change: ChangedOptions): MetadataObject {
  const merged: Record<string, unknown> = { ...before, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** Reads the text of an object; empty text is the empty object. `problem`: the parser's message, or the type of JSON that is there instead. */
export function readMetadata(text: string): { readonly object: MetadataObject } | { readonly problem: string } {
  if (text.trim() === "") return { object: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { object: value as MetadataObject };
    return { problem: Array.isArray(value) ? "array" : value === null ? "null" : typeof value };
  } catch (failure) {
    return { problem: failure instanceof Error ? failure.message : String(failure) };
  }
}

export function writeMetadata(object: MetadataObject): string | undefined {
  return Object.keys(object).length === 0 ? undefined : JSON.stringify(object);
}

/** Writes the metadata in one line and in full: `size 1280x720 · seed 7`. Only the type and size of a data URL are written, at any depth. */
export function describeMetadata(object: MetadataObject): string {
  const shown = (value: unknown): unknown => (typeof value === "string" ? (describeData(value) ?? value) : value);
  return Object.entries(object)
    .map(([key, value]) => {
      const text = shown(value);
      return `${key} ${typeof text === "string" ? text : JSON.stringify(text, (_name, inner) => shown(inner))}`;
    })
    .join(" · ");
}

// Reads the stored body, which this program or another one has sent.

export interface SentBody {
  readonly metadata: MetadataObject;
  readonly inputAssets: MetadataObject;
}

/**
 * Reads metadata and assets; a body that can't be read has neither. Both may be objects or JSON texts, because another program may have sent text.
 */
export function readSentBody(body: string | undefined): SentBody {
  const request = objectOf(body);
  return { metadata: objectOf(request["metadata_json"]), inputAssets: objectOf(request["input_assets_json"]) };
}

function objectOf(value: unknown): MetadataObject {
  return asRecord(typeof value === "string" ? parseJson(value) : value) ?? {};
}

// Lists the parameters that were sent in addition to prompt and model, for the task page and the batch page.

interface Parameter {
  readonly name: string;
  readonly value: string;
}

/** The maximum length of one value as it is shown, in characters. A reference asset may hold a whole picture. */
const maxValueLength = 300;

/** The parameters in the body of the request: the metadata, then the reference assets, each by its own name. */
export function taskParameters(body: string | undefined): Parameter[] {
  const { metadata, inputAssets } = readSentBody(body);
  return [...Object.entries(metadata), ...Object.entries(inputAssets)].map(([name, value]) => ({
    name,
    value: describeValue(value),
  }));
}

function describeValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const data = describeData(text);
  if (data !== undefined) return data;
  const characters = Array.from(text.slice(0, maxValueLength * 2));
  return characters.length > maxValueLength ? `${characters.slice(0, maxValueLength).join("")}…` : text;
}

/** Type and size of a data URL; `undefined` for any other text. */
function describeData(text: string): string | undefined {
  const data = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(text.slice(0, 200));
  // Four characters of base64 are three bytes.
  return data === null ? undefined : `${data[1] ?? ""}, ${Math.round((text.length * 3) / 4 / 1024)} KB`;
}

// Writes a task's request as a command for a POSIX shell, without the key (T7).

const json = { "Content-Type": "application/json" };

/**
 * Writes the request that creates the task. Its body has the idempotency key, so a gateway that gets it again answers with the same task. A task that
 * was not submitted here has no body: for it this writes the request that reads the task. `undefined` where neither can be written.
 */
export function taskCurl(task: Task, body: string | undefined): string | undefined {
  const { baseUrl } = task.intent.home;
  if (task.intent.isWatched !== true)
    return body === undefined ? undefined : curl({ url: `${baseUrl}/tasks`, headers: json, body });
  if (!isAccepted(task)) return undefined;
  return curl({ url: `${baseUrl}/tasks/${encodeURIComponent(task.submission.taskId)}` });
}

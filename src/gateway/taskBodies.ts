/** Writes requests and reads responses of the task interface as JSON. */
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import { AppFailure } from "../domain/errors/appError";
import type { ListedEvent } from "../domain/ports";
import { mediaOf } from "../domain/task/taskTypes";
import type { CreatedTask, RemoteTask, TaskOrder } from "../domain/task/task";
import { asNumber, asRecord, asText, isRecord, type JsonRecord, parseJson } from "../base/jsonValue";
import { readTypeName, writeTaskType, readAssets, readState, wireText, wireTime } from "./taskWireValues";

/** Characters of an unknown type. */
const maxTypeNameLength = 100;

/** The body of `POST /v1/tasks`. */
export function writeTask(order: TaskOrder, idempotencyKey: string, stylizedImageWord: string): string {
  const { type, model, prompt, inputAssets, metadata, isRehearsal } = order;
  return JSON.stringify({
    task_type: writeTaskType(type, stylizedImageWord),
    public_model: model,
    prompt,
    idempotency_key: idempotencyKey,
    ...(inputAssets === undefined ? {} : { input_assets_json: readObject(inputAssets) }),
    ...(metadata === undefined ? {} : { metadata_json: readObject(metadata) }),
    // Only the local gateway knows this field, and rehearsals are sent to no other one.
    ...(isRehearsal === true ? { rehearsal: true } : {}),
  });
}

/** Throws an `AppFailure` for text that is no JSON object, because the service accepts nothing else. */
function readObject(text: string): JsonRecord {
  const object = asRecord(parseJson(text));
  if (object !== undefined) return object;
  throw new AppFailure({ kind: "rejected", message: "Assets and metadata must be JSON objects.", notSent: true });
}

const task = z.object({
  status: z.optional(z.unknown()),
  task_type: z.optional(z.unknown()),
  public_model: wireText,
  result_assets_json: z.optional(z.unknown()),
  created_at: wireTime,
  completed_at: wireTime,
  error_code: wireText,
  error_message: wireText,
});

/** The id must be usable in a path: with a blank id, `..` or half of a surrogate pair, an accepted task could never be read. */
const taskId = z.string().check(
  z.regex(/\S/),
  z.regex(/^(?!\.{1,2}$)/),
  z.refine((id) => id.isWellFormed()),
);

/** Some gateways number their tasks. `z.int` refuses a number that JavaScript rounds, which would be the id of another task. */
const createdId = z.pipe(
  z.pipe(
    z.union([z.string(), z.int()]),
    z.transform((id) => String(id)),
  ),
  taskId,
);

const created = z.object({
  task_id: createdId,
  hold_id: wireText,
  request_id: wireText,
});

const event = z.object({
  task_event_id: wireText,
  event_type: wireText,
  status: z.optional(z.unknown()),
  message: wireText,
  created_at: wireTime,
});

/** The task in the response to a read or a cancel; `undefined` when there is none. */
export function readTask(value: unknown): RemoteTask | undefined {
  const object = unwrap(value, "status");
  const read = task.safeParse(object);
  if (!read.success || object?.["status"] === undefined) return undefined;
  const { status, public_model: model, created_at: createdAt, completed_at: completedAt } = read.data;
  const { error_code: errorCode, error_message: errorMessage } = read.data;
  const type = readTypeName(read.data.task_type)?.slice(0, maxTypeNameLength);
  const made = type === undefined ? undefined : mediaOf(type);
  const { assets, more } = readAssets(resultIn(read.data.result_assets_json, object), made);
  return {
    ...readState(status),
    ...definedFields({ type, model, assets, more, createdAt, completedAt, errorCode, errorMessage }),
  };
}

/** The result under its documented name, else under another name that gateways use. */
function resultIn(own: unknown, object: JsonRecord | undefined): unknown {
  if (own !== undefined && own !== null) return own;
  return otherResultNames.map((name) => object?.[name]).find((value) => value !== undefined && value !== null);
}

const otherResultNames = ["result_assets", "result_json", "results", "result", "outputs", "output", "images", "videos"];

/**
 * Whether a response that should be about a task is about another one: it or one of its events has another `task_id`. Case is ignored, because a
 * person may paste an id in capitals.
 */
export function isOfOtherTask(value: unknown, taskId: string): boolean {
  const task = unwrap(value, "status")?.["task_id"] ?? asRecord(value)?.["task_id"];
  const ids = [task, ...(eventsIn(value) ?? []).map((one) => asRecord(one)?.["task_id"])];
  return ids.some((id) => {
    const named = asText(id) ?? asNumber(id)?.toString();
    return named !== undefined && named.toLowerCase() !== taskId.toLowerCase();
  });
}

/** The headers of a response to a create request that are read. */
type CreatedFacts = Pick<CreatedTask, "replayed" | "requestId">;

/** The response to a create request; `undefined` without an id, so that the outcome is unknown. */
export function readCreatedTask(value: unknown, facts: CreatedFacts): CreatedTask | undefined {
  const object = unwrap(value, "task_id");
  const read = created.safeParse(object);
  if (!read.success) return undefined;
  const { task_id: taskId, hold_id: holdId, request_id } = read.data;
  const requestId = request_id ?? facts.requestId;
  return {
    taskId,
    ...definedFields({ holdId, requestId }),
    remote: readTask(object) ?? { state: "unknown", rawStatus: "" },
    replayed: facts.replayed,
  };
}

/** The created task from the header `Location` (`…/tasks/<id>`), for a response whose body names no task. */
export function readCreatedLocation(location: string | undefined, facts: CreatedFacts): CreatedTask | undefined {
  const base = "https://gateway.invalid";
  if (location === undefined || !URL.canParse(location, base)) return undefined;
  const [place, id] = new URL(location, base).pathname.replace(/\/$/, "").split("/").slice(-2);
  return place === "tasks" ? readCreatedTask({ task_id: decodeSegment(id ?? "") }, facts) : undefined;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The most events that are read: ten pages, because some gateways return everything at once. */
const maxEvents = 500;

/** The events in the order of the list; `undefined` when the response has no list. */
export function readTaskEvents(value: unknown): readonly ListedEvent[] | undefined {
  return eventsIn(value)?.flatMap((item): ListedEvent[] => {
    const read = event.safeParse(item);
    if (!read.success) return [];
    const { task_event_id: id, event_type: type = "", status, message = "", created_at: createdAt } = read.data;
    return [{ type, ...readState(status), message, ...definedFields({ id, createdAt }) }];
  });
}

function eventsIn(value: unknown): readonly unknown[] | undefined {
  const list: unknown = Array.isArray(value) ? value : unwrap(value, "task_events")?.["task_events"];
  return Array.isArray(list) ? (list as readonly unknown[]).slice(0, maxEvents) : undefined;
}

/** Some gateways wrap the response: `{"data": {…}}`, `{"task": {…}}`. */
function unwrap(value: unknown, field: string): JsonRecord | undefined {
  const object = asRecord(value);
  if (object === undefined || object[field] !== undefined) return object;
  const inner = [object["data"], object["task"]].find((part) => isRecord(part) && part[field] !== undefined);
  return asRecord(inner) ?? object;
}

/** The JSON of the task interface and the model list: what is sent, and what comes back, read once at this edge (service-spec 2, 4). */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import type { Family } from "../../domain/chat";
import type { Model, TaskRequest } from "../../domain/ports";
import { type CreatedTask, type RemoteTask, type TaskEvent, type TaskType, taskTypes } from "../../domain/task";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord } from "../http/jsonValue";
import { readAssets, readState, wireText, wireTime } from "./wireValues";

export const defaultStylizedImageWord = "stylized_image";

/** The body of `POST /v1/tasks` (service-spec 4.1). A model left empty is left out: the service may choose. */
export function writeTask(request: TaskRequest, stylizedImageWord: string): string {
  const { type, model, prompt, idempotencyKey } = request;
  return JSON.stringify({
    task_type: writeTaskType(type, stylizedImageWord),
    ...(model === "" ? {} : { public_model: model }),
    prompt,
    idempotency_key: idempotencyKey,
  });
}

function writeTaskType(type: TaskType, stylizedImageWord: string): string {
  switch (type) {
    case "video":
      return "video";
    case "async-image":
      return "async_image";
    case "stylized-image":
      return stylizedImageWord;
  }
}

const task = z.object({
  status: z.optional(z.unknown()),
  public_model: wireText,
  result_assets_json: z.optional(z.unknown()),
  created_at: wireTime,
  completed_at: wireTime,
  error_code: wireText,
  error_message: wireText,
});

/** What can be asked for later: a blank or a step of a path would be an accepted task that no read ever finds. */
const taskId = z.string().check(z.regex(/\S/), z.regex(/^(?!\.{1,2}$)/));

const created = z.object({
  task_id: taskId,
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

/** The task of a get or cancel answer; `undefined` when the answer tells of none. */
export function readTask(value: unknown): RemoteTask | undefined {
  const object = unwrap(value, "status");
  const read = task.safeParse(object);
  if (!read.success || object?.["status"] === undefined) return undefined;
  const {
    status,
    public_model: model,
    result_assets_json,
    created_at: createdAt,
    completed_at: completedAt,
  } = read.data;
  const { error_code: errorCode, error_message: errorMessage } = read.data;
  const assets = readAssets(result_assets_json);
  return {
    ...readState(status),
    ...definedFields({ model, assets, createdAt, completedAt, errorCode, errorMessage }),
  };
}

/** The create answer (service-spec 2.1); `undefined` without an id: then nobody knows whether there is a task. */
export function readCreatedTask(
  value: unknown,
  facts: { replayed: boolean; requestId?: string },
): CreatedTask | undefined {
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

/** Ten times as many as are asked for: some gateways know no pages. */
const mostEvents = 500;
const mostModels = 5000;

/** Oldest first, each once (K13); `undefined` when the answer holds no list. */
export function readTaskEvents(value: unknown): readonly TaskEvent[] | undefined {
  const object = unwrap(value, "task_events");
  const list = Array.isArray(value) ? (value as unknown[]) : object?.["task_events"];
  if (!Array.isArray(list)) return undefined;
  const events = new Map<string, TaskEvent>();
  for (const [index, item] of (list as unknown[]).slice(0, mostEvents).entries()) {
    const read = event.safeParse(item);
    if (!read.success) continue;
    const { task_event_id, event_type: type = "", status, message = "", created_at: createdAt } = read.data;
    const id = task_event_id ?? `${index}:${type}:${createdAt ?? ""}`;
    if (events.has(id)) continue;
    events.set(id, { id, type, ...readState(status), message, ...definedFields({ createdAt }) });
  }
  return [...events.values()].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
}

/** `GET /v1/models` in any of the three families' shapes. */
export function readModels(value: unknown, stylizedImageWord: string): readonly Model[] {
  const object = asRecord(value);
  const list = Array.isArray(value) ? (value as unknown[]) : (object?.["data"] ?? object?.["models"]);
  return asArray(list)
    .slice(0, mostModels)
    .flatMap((item) => {
      const record = asRecord(item);
      const id = asText(item) ?? asText(record?.["id"]) ?? asText(record?.["name"])?.replace(/^models\//, "");
      return id === undefined ? [] : [readModel(id, record ?? {}, stylizedImageWord)];
    });
}

function readModel(id: string, record: Readonly<Record<string, unknown>>, stylizedImageWord: string): Model {
  const capabilities = record["capabilities"];
  const object = asRecord(capabilities) ?? {};
  const words = asArray(capabilities).filter((word) => typeof word === "string");
  const tools = readCapability(object, words, "tools");
  const types = [...asArray(object["task_types"]), ...words].flatMap((word) => readTaskType(word, stylizedImageWord));
  const thinking = readCapability(object, words, "thinking");
  const outputSize = readOutputSize(object, record);
  const note = asText(object["note"]) ?? asText(record["note"]);
  return {
    id,
    family: readFamily(object["family"] ?? asArray(object["families"])[0]),
    ...definedFields({ note, tools, thinking, outputSize }),
    ...(types.length === 0 ? {} : { taskTypes: types }),
  };
}

function readCapability(object: JsonRecord, words: readonly unknown[], name: string): boolean | undefined {
  const said = object[name];
  return typeof said === "boolean" ? said : words.includes(name) ? true : undefined;
}

/** Tokens. What elsewhere is called `max_tokens` may be the size of the context; in a list of the messages family it is not. */
function readOutputSize(object: JsonRecord, record: JsonRecord): number | undefined {
  const most = record["type"] === "model" ? record["max_tokens"] : undefined;
  const size = asNumber(
    object["max_output_tokens"] ?? record["max_output_tokens"] ?? record["outputTokenLimit"] ?? most,
  );
  return size !== undefined && Number.isSafeInteger(size) && size > 0 ? size : undefined;
}

function readFamily(value: unknown): Family {
  const name = asText(value)?.toLowerCase().replaceAll(/[_\s]/g, "-");
  return name === "messages" || name === "generate-content" ? name : "chat-completions";
}

/** As the request writes it, or as the answer does: 1, 2, 3 (service-spec 2.3). */
function readTaskType(value: unknown, stylizedImageWord: string): readonly TaskType[] {
  const number = asNumber(value);
  if (number !== undefined) {
    const type = ([undefined, "stylized-image", "video", "async-image"] as const)[number];
    return type === undefined ? [] : [type];
  }
  return taskTypes.filter((type) => writeTaskType(type, stylizedImageWord) === value);
}

/** Some gateways wrap what they answer: `{"data": {…}}`, `{"task": {…}}`. */
function unwrap(value: unknown, field: string): Readonly<Record<string, unknown>> | undefined {
  const object = asRecord(value);
  if (object === undefined || object[field] !== undefined) return object;
  const inner = [object["data"], object["task"]].find((part) => isRecord(part) && part[field] !== undefined);
  return asRecord(inner) ?? object;
}

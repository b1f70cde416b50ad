/** The faults of the task endpoints, where they act. */
import type { TaskFaults, EventPage, Fields, TaskServices } from "../../src/localGateway/tasks/taskServices";
import { faultKinds } from "./faultTable";
import { HttpError } from "../../src/localGateway/http/httpError";
import { cutConnection, type RequestContext, sendJson } from "../../src/localGateway/http/requestContext";
import { hang } from "./httpFaults";
import type { RequestFaults } from "../../src/localGateway/http/requestFaults";
import type { GatewayTask, TaskAccount } from "../../src/localGateway/tasks/gatewayTask";
import {
  notEnabled,
  type TaskCreation,
  type TaskEngine,
  type GatewayTaskOrder,
} from "../../src/localGateway/tasks/taskEngine";

// The faults that change the fields of a task, its events and its times in a response.

const hour = 3_600_000;

/** Applies the faults of the request to the fields of a task. */
function applyBodyFaults({ faults }: RequestContext, body: Fields): Fields {
  const steps = [changeStatus, changeAssets, changeError, changeCompletedAt, addUnknownFields];
  return steps.reduce((fields, step) => step(faults, fields), body);
}

type Faults = RequestContext["faults"];

function changeStatus(faults: Faults, fields: Fields): Fields {
  let status = Number(fields["status"]);
  const order = faults.take(faultKinds.taskStatusOrder)?.value;
  if (order === "backwards" && status === 3) status = 2;
  if (order === "skip" && (status === 2 || status === 3)) status = 1;
  const form = faults.take(faultKinds.taskStatusForm)?.value;
  return { ...fields, status: form === undefined ? status : statusForms[form](status) };
}

function changeAssets(faults: Faults, fields: Fields): Fields {
  const assets = fields["result_assets_json"];
  const form = typeof assets === "string" ? faults.take(faultKinds.taskAssetsForm)?.value : undefined;
  if (form === undefined) return fields;
  if (form === "missing") return omit(fields, "result_assets_json");
  return { ...fields, result_assets_json: assetForms[form](String(assets)) };
}

function changeError(faults: Faults, fields: Fields): Fields {
  switch ("error_code" in fields ? faults.take(faultKinds.taskErrorForm)?.value : undefined) {
    case undefined:
      return fields;
    case "missing":
      return omit(fields, "error_code", "error_message");
    case "number":
      return { ...fields, error_code: 5001 };
    case "null":
      return { ...fields, error_code: null, error_message: null };
    case "object":
      return { ...fields, error_code: { code: fields["error_code"], retryable: false } };
  }
}

function changeCompletedAt(faults: Faults, fields: Fields): Fields {
  const form = faults.take(faultKinds.taskCompletedAt)?.value;
  if (form === "null") return { ...fields, completed_at: null };
  if (form === undefined || !("completed_at" in fields)) return fields;
  return { ...fields, completed_at: new Date(Date.parse(String(fields["created_at"])) - hour).toISOString() };
}

function addUnknownFields(faults: Faults, fields: Fields): Fields {
  if (faults.take(faultKinds.taskExtraFields) === undefined) return fields;
  return { ...fields, progress: "30%", upstream: { provider: "local", attempts: [] }, prompt: null };
}

const statusNames = [
  "",
  "CREATED",
  "SUBMITTED",
  "PROCESSING",
  "SUCCEEDED",
  "FAILED",
  "CANCELLED",
  "EXPIRED",
  "REFUNDED",
];

const statusForms = {
  string: (status: number): unknown => String(status),
  name: (status: number): unknown => statusNames[status],
  zero: (): unknown => 0,
  nine: (): unknown => 9,
} as const;

/** One grey pixel. */
const dataUrl =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";

const assetForms = {
  empty: () => "{}",
  malformed: (text: string) => text.slice(0, -8),
  object: (text: string): unknown => JSON.parse(text),
  extra: (text: string) => withAssets(text, (assets) => ({ ...assets, mask_url: null, "x-cost": { cents: 3 } })),
  list: (text: string) =>
    withAssets(text, (assets) =>
      Object.fromEntries(Object.entries(assets).map(([name, value]) => [name, name === "seed" ? value : [value]])),
    ),
  "seed-text": (text: string) => withAssets(text, (assets) => ({ ...assets, seed: String(assets["seed"]) })),
  "data-url": (text: string) => withAssets(text, (assets) => ({ ...assets, image_url: dataUrl })),
} as const;

function withAssets(text: string, change: (assets: Fields) => Fields): string {
  const parsed: unknown = JSON.parse(text);
  return JSON.stringify(change(typeof parsed === "object" && parsed !== null ? { ...parsed } : {}));
}

function omit(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** `events`: all of the task, oldest first. */
function pageOfEvents(
  { faults }: RequestContext,
  events: readonly Fields[],
  { limit, offset }: EventPage,
): readonly Fields[] {
  const form = faults.take(faultKinds.taskEventsForm)?.value;
  const changed = form === undefined ? events : eventForms[form](events);
  const size = form === "small-page" ? Math.min(limit, 2) : limit;
  return changed.slice(offset, offset + size);
}

const later = (event: Fields): Fields => ({
  ...event,
  created_at: new Date(Date.parse(String(event["created_at"])) + 24 * hour).toISOString(),
});

const eventForms = {
  unordered: (events: readonly Fields[]) => events.toReversed(),
  duplicated: (events: readonly Fields[]) => events.flatMap((event) => [event, event]),
  gap: (events: readonly Fields[]) => events.filter((_, index) => index !== 1),
  "small-page": (events: readonly Fields[]) => events,
  future: (events: readonly Fields[]) => events.map(later),
  "unknown-type": (events: readonly Fields[]) => events.map((event) => ({ ...event, event_type: "throttled" })),
  empty: () => [],
} as const;

/** ISO 8601 UTC with milliseconds. */
function writeTime({ faults }: RequestContext, at: number): string {
  const form = faults.take(faultKinds.taskTimeForm)?.value;
  const iso = (ms: number): string => new Date(ms).toISOString();
  switch (form) {
    case undefined:
      return iso(at);
    case "no-ms":
      return iso(at).replace(/\.\d{3}/, "");
    case "no-zone":
      return iso(at).replace("Z", "");
    case "offset":
      return iso(at + 8 * hour).replace("Z", "+08:00");
    case "ahead":
      return iso(at + hour);
    case "behind":
      return iso(at - hour);
  }
}

/** Creates, reads and cancels tasks with the faults of the request applied; without a fault they call the task engine only. */
async function createTaskWithFaults(
  order: GatewayTaskOrder,
  { faults }: RequestContext,
  { tasks, typeNames }: TaskServices,
): Promise<TaskCreation> {
  const { idempotencyKey, ...keyless } = order;
  const refusal = faults.take(faultKinds.taskNotEnabled)?.value;
  if (refusal !== undefined) throw notEnabled(typeNames.nameOf(order.type), refusal);
  const noFunds = faults.take(faultKinds.taskNoFunds)?.value;
  if (noFunds !== undefined) {
    throw new HttpError(noFunds, "insufficient_user_quota", "The balance is too low for the hold.");
  }
  const known = idempotencyKey === undefined ? undefined : await tasks.findByKey(order.account, idempotencyKey);
  const other = known && (await otherTask(known, faults, tasks));
  if (other !== undefined) return { task: other.task, replayed: true };
  const sameKey = known !== undefined ? faults.take(faultKinds.taskSameKey)?.value : undefined;
  if (sameKey === "new-task") return tasks.create(keyless);
  if (sameKey === "in-flight") {
    throw new HttpError(409, "idempotency_in_progress", "A request with this key is being worked on.");
  }
  if (sameKey === "error") throw new HttpError(500, "duplicate_key", "duplicate key value violates a constraint");
  const made = await tasks.create(order).catch((error: unknown) => {
    const isConflict = error instanceof HttpError && error.code === "idempotency_key_conflict";
    const form = isConflict && known !== undefined ? faults.take(faultKinds.taskKeyReused)?.value : undefined;
    if (form === "unprocessable")
      throw new HttpError(422, "idempotency_key_reused", "This key belongs to another body.");
    if (form === "first-task" && known !== undefined) return { task: known, replayed: true };
    throw error;
  });
  if (sameKey === "conflict") {
    const message = `This key has made the task ${made.task.taskId} already.`;
    throw new HttpError(409, "idempotency_key_conflict", message, { more: { task_id: made.task.taskId } });
  }
  return made;
}

/** Of the same account; `undefined` without the fault, or where there is one task only. */
async function otherTask(
  { account, taskId }: GatewayTask,
  faults: RequestFaults,
  tasks: TaskEngine,
): Promise<TaskAccount | undefined> {
  return faults.take(faultKinds.taskOtherTask) === undefined ? undefined : tasks.findOther(account, taskId);
}

/** 404 when there is none. */
async function readAccount(context: RequestContext, { tasks, clock }: TaskServices): Promise<TaskAccount> {
  const { faults, params, signal } = context;
  const id = params["task_id"] ?? "";
  const slow = faults.take(faultKinds.taskSlowRead)?.value;
  if (slow !== undefined) await clock.delay(slow, signal);
  const account = await tasks.get(id, context.account);
  if (faults.take(faultKinds.taskNotExist) !== undefined) {
    throw new HttpError(400, "task_not_exist", "task_not_exist");
  }
  const other = await otherTask(account.task, faults, tasks);
  if (other !== undefined) return other;
  const late = faults.take(faultKinds.taskReadLate)?.value ?? 0;
  if (clock.now() < account.task.createdAt + late) {
    throw new HttpError(404, "task_not_found", `There is no task ${id}.`);
  }
  return account;
}

type CancelForm = "empty" | "no-content" | "accepted" | "conflict" | "bad-request" | "error" | "hang";

async function cancelWithFault(
  form: CancelForm,
  context: RequestContext,
  cancel: (taskId: string) => Promise<TaskAccount>,
): Promise<void> {
  const { response, params } = context;
  const taskId = params["task_id"] ?? "";
  switch (form) {
    case "accepted":
      sendJson(context, 202, { message: "The cancellation was requested." });
      return;
    case "conflict":
      throw new HttpError(409, "task_not_cancellable", "The task can't be cancelled now.");
    case "error":
      throw new HttpError(500, "internal_error", "The gateway failed.");
    case "bad-request":
      await cancel(taskId).catch((error: unknown) => {
        if (!(error instanceof HttpError) || error.status !== 409) throw error;
        throw new HttpError(400, "invalid_request", error.message);
      });
      break;
    case "empty":
    case "no-content":
    case "hang":
      await cancel(taskId);
  }
  if (form === "hang") await hang(context);
  else
    response.writeHead(form === "no-content" ? 204 : 200, form === "no-content" ? {} : { "content-length": 0 }).end();
}

export const taskEffects: TaskFaults = {
  create: createTaskWithFaults,
  isAnswerLost: ({ faults }) => faults.take(faultKinds.taskLost202) !== undefined,
  read: readAccount,
  isRefundedLater: ({ faults }) => faults.take(faultKinds.taskRefundedLater) !== undefined,
  async cancel(context, cancel) {
    const form = context.faults.take(faultKinds.taskCancelForm)?.value;
    if (form !== undefined) await cancelWithFault(form, context, cancel);
    return form !== undefined;
  },
  isResultLost: ({ faults }) => faults.take(faultKinds.taskAssetLost) !== undefined,
  linkLife: ({ faults }) => faults.take(faultKinds.taskLinkLife)?.value,
  changeBody: applyBodyFaults,
  pageOfEvents,
  writeTime,
  sendAsset(context, file) {
    const form = context.faults.take(faultKinds.taskAssetForm)?.value;
    return form !== undefined && sendAssetFault(form, context, file);
  },
};

// Quirk Q-K18: result files that are refused, incomplete or of another type.

type AssetForm =
  "forbidden" | "gone" | "wrong-type" | "html" | "truncated" | "no-range" | "other-part" | "other-half" | "redirect";

interface SentAsset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Milliseconds: a client has read by then what came before the cut, which takes along what it has not read. */
const readTime = 30;

/** False when the ordinary response is to be sent. */
function sendAssetFault(form: AssetForm, context: RequestContext, { type, bytes, etag }: SentAsset): boolean {
  const { response, request } = context;
  const send = (contentType: string, body: Buffer): boolean => {
    response.writeHead(200, { "content-type": contentType, "content-length": body.length });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
  switch (form) {
    case "forbidden":
      throw new HttpError(403, "asset_forbidden", "This result is not for you.");
    case "gone":
      throw new HttpError(410, "asset_gone", "This result was deleted.");
    case "wrong-type":
      return send("application/octet-stream", bytes);
    case "html":
      return send("text/html; charset=utf-8", Buffer.from("<!doctype html><h1>Not here</h1>\n"));
    case "no-range":
      return send(type, bytes);
    case "truncated":
      sendHalf(context, { type, bytes, etag });
      return true;
    case "other-part": {
      const other = otherFile(bytes);
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? NaN);
      // Whoever asks for no part gets the right file.
      if (!(from < other.length)) return false;
      const range = `bytes ${from}-${other.length - 1}/${other.length}`;
      response.writeHead(206, { "content-type": type, "content-range": range, "content-length": other.length - from });
      response.end(other.subarray(from));
      return true;
    }
    case "other-half":
      sendHalf(context, { type, bytes: otherFile(bytes), etag: '"other"' });
      return true;
    case "redirect": {
      // The same server under the host name `localhost` is another origin.
      const { port } = new URL(`http://${request.headers.host ?? ""}`);
      const query = context.url.search;
      const location = `http://localhost:${port}${context.url.pathname}${query}`;
      if (request.headers.host?.startsWith("localhost") === true) return send(type, bytes);
      response.writeHead(302, { location, "content-length": 0 }).end();
      return true;
    }
  }
}

/** Of the same type by its first bytes, with another content and length. */
function otherFile(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, 64), bytes.subarray(64).map((byte) => byte ^ 0xff), Buffer.alloc(7)]);
}

function sendHalf(context: RequestContext, { type, bytes, etag }: SentAsset): void {
  const { response } = context;
  response.writeHead(200, { "content-type": type, "content-length": bytes.length, etag });
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
    setTimeout(() => cutConnection(context), readTime);
  });
}

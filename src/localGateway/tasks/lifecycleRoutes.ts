/** Handlers of the task endpoints: create, get, list events, cancel. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { invalidRequest, modelNotFound } from "../http/httpError";
import { cutConnection, type RequestContext, readJson, sendJson, readWire, withoutNulls } from "../http/requestContext";
import { fingerprint } from "../http/fingerprint";
import { findModel, localModels } from "../demo/models";
import { readResultOptions, readSeed } from "../demo/resultOptions";
import { hashText } from "../demo/seededRandom";
import { eventsUntil, statusNumbers, type TaskAccount, statusAt, type GatewayTaskEvent } from "./gatewayTask";
import { seedLimit, type GatewayTaskOrder } from "./taskEngine";
import { type TaskTypeWord, taskKinds } from "../demo/taskKinds";
import { taskFaultsOf, type TaskServices, type EventPage, type Fields } from "./taskServices";
import { resultNamesOf } from "./resultFiles";

const maxBodySize = 1_000_000;
/** Bytes. The request contains reference images: the limit fits three of the largest that Sluice sends, in Base64. */
const maxOrderSize = 100_000_000;

const object = z.record(z.string(), z.unknown());
const createSchema = z.object({
  task_type: z.string(),
  public_model: z.optional(z.string()),
  prompt: z.optional(z.string()),
  idempotency_key: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  input_assets_json: z.optional(object),
  metadata_json: z.optional(object),
  /** A field that only Sluice sends: it asks for a placeholder, with any model. */
  rehearsal: z.optional(z.literal(true)),
});
const cancelSchema = z.object({ reason: z.optional(z.string().check(z.maxLength(2_000))) });
const pageSchema = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
});

export async function createTask(context: RequestContext, services: TaskServices): Promise<void> {
  const faults = taskFaultsOf(services);
  const body = await readJson(context, maxOrderSize);
  const request = readWire(createSchema, withoutNulls(body));
  const type = services.typeNames.typeOf(request.task_type, "task_type");
  const { idempotency_key: idempotencyKey, prompt = "", input_assets_json: inputs, rehearsal: isRehearsal } = request;
  if (idempotencyKey !== undefined) services.log.note(context.requestId, { idempotencyKey });
  const requestedSeed = readSeed(request.metadata_json);
  const order: GatewayTaskOrder = {
    account: context.account,
    type,
    model:
      isRehearsal === true && request.public_model !== undefined && request.public_model !== ""
        ? request.public_model
        : chooseModel(request.public_model ?? "", type, services.typeNames.nameOf(type)),
    prompt,
    seed: requestedSeed ?? hashText("task", prompt, services.seed) % seedLimit,
    isSeedRequested: requestedSeed !== undefined,
    requestId: context.requestId,
    fingerprint: fingerprint(body),
    options: readResultOptions(type, request.metadata_json),
    ...definedFields({
      idempotencyKey,
      isRehearsal,
      inputs: inputs === undefined ? undefined : hashText("inputs", fingerprint(inputs)),
    }),
  };
  const { task, replayed } = await faults.create(order, context, services);
  if (faults.isAnswerLost(context)) {
    cutConnection(context);
    return;
  }
  const created = {
    task_id: task.taskId,
    status: statusNumbers.created,
    request_id: task.requestId,
    hold_id: task.holdId,
  };
  sendJson(context, 202, created, replayed ? { "idempotent-replayed": "true" } : {});
}

export async function getTask(context: RequestContext, services: TaskServices): Promise<void> {
  const account = await taskFaultsOf(services).read(context, services);
  const body = taskBody(account, context, services);
  context.watch.onStatusSent(body["status"]);
  const cost = costOf(account, services);
  sendJson(context, 200, body, cost === undefined ? {} : services.dialect.costHeaders?.(cost));
  const failed = account.end?.state === "failed" && account.refund === undefined;
  if (failed && taskFaultsOf(services).isRefundedLater(context)) {
    await services.tasks.refund(account.task.taskId, "");
  }
}

export async function listTaskEvents(context: RequestContext, services: TaskServices): Promise<void> {
  const page = readWire(pageSchema, Object.fromEntries(context.url.searchParams));
  const account = await taskFaultsOf(services).read(context, services);
  sendJson(context, 200, eventsBody(eventsUntil(account, services.clock.now()), page, context, services));
}

export async function cancelTask(context: RequestContext, services: TaskServices): Promise<void> {
  const { reason = "" } = readWire(cancelSchema, withoutNulls(await readJson(context, maxBodySize)));
  await services.tasks.get(taskId(context), context.account);
  const cancel = (id: string): Promise<TaskAccount> => services.tasks.cancel(id, reason);
  if (await taskFaultsOf(services).cancel(context, cancel)) return;
  const body = taskBody(await cancel(taskId(context)), context, services);
  context.watch.onStatusSent(body["status"]);
  sendJson(context, 200, body);
}

/** An endpoint of this gateway only, because the service has none that leads to the status *refunded*. */
export async function refundTask(context: RequestContext, services: TaskServices): Promise<void> {
  const { reason = "" } = readWire(cancelSchema, withoutNulls(await readJson(context, maxBodySize)));
  const account = await services.tasks.refund(taskId(context), reason);
  sendJson(context, 200, taskBody(account, context, services));
}

function taskId({ params }: RequestContext): string {
  return params["task_id"] ?? "";
}

/** Chooses a model for an empty id, because the document only recommends the field. */
function chooseModel(model: string, type: TaskTypeWord, typeName: string): string {
  const makes = (id: string): boolean => findModel(id)?.capabilities.task_types?.includes(type) ?? false;
  if (model === "") return localModels.find(({ id }) => makes(id))?.id ?? "demo-image";
  if (findModel(model) === undefined) throw modelNotFound(model, "public_model");
  if (!makes(model)) throw invalidRequest(`The model '${model}' does not make ${typeName} tasks.`, "public_model");
  return model;
}

/** The body of `GET /v1/tasks/{task_id}`; fields without a value are omitted. */
export function taskBody(account: TaskAccount, context: RequestContext, services: TaskServices): Fields {
  const { task, end, refund } = account;
  const faults = taskFaultsOf(services);
  const status = statusAt(account, services.clock.now());
  const lost = status === "succeeded" && faults.isResultLost(context);
  const cost = costOf(account, services);
  const hasResult = end?.state === "succeeded" && refund === undefined && !lost;
  const failed: Fields = lost
    ? { error_code: "asset_lost", error_message: "The result could not be kept." }
    : end?.state === "failed"
      ? { error_code: end.errorCode, error_message: end.errorMessage }
      : {};
  return faults.changeBody(context, {
    task_id: task.taskId,
    task_type: taskKinds[task.type].number,
    status: statusNumbers[lost ? "failed" : status],
    public_model: task.model,
    created_at: faults.writeTime(context, task.createdAt),
    ...definedFields({
      completed_at: end === undefined ? undefined : faults.writeTime(context, end.at),
      result_assets_json: hasResult ? resultAssets(account, context, services) : undefined,
    }),
    ...failed,
    ...(cost === undefined || lost ? {} : services.dialect.task?.(cost)),
  });
}

/** Minor units; `undefined` if nothing was charged. */
function costOf(account: TaskAccount, { clock }: TaskServices): number | undefined {
  const { task, refund } = account;
  const { outcome } = task.plan;
  const isPaid = statusAt(account, clock.now()) === "succeeded" && refund === undefined;
  return isPaid && outcome.state === "succeeded" ? outcome.usage : undefined;
}

/** A JSON object as a string, which is how the service defines `result_assets_json`. */
function resultAssets({ task }: TaskAccount, context: RequestContext, services: TaskServices): string {
  const life = taskFaultsOf(services).linkLife(context);
  const { result, thumbnail } = resultNamesOf(task);
  const link = (file: string): string => services.assets.link(task.taskId, file, life);
  return JSON.stringify({
    [taskKinds[task.type].result.field]: link(result),
    thumbnail_url: link(thumbnail),
    seed: task.seed,
  });
}

/** `events`: all events, oldest first. */
function eventsBody(
  events: readonly GatewayTaskEvent[],
  page: EventPage,
  context: RequestContext,
  services: TaskServices,
): Fields {
  const faults = taskFaultsOf(services);
  const wire = events.map((event) => eventBody(event, faults.writeTime(context, event.at)));
  return { task_events: faults.pageOfEvents(context, wire, page) };
}

function eventBody({ id, status, type, message }: GatewayTaskEvent, createdAt: string): Fields {
  return {
    task_event_id: id,
    event_type: type ?? status,
    status: statusNumbers[status],
    message,
    created_at: createdAt,
  };
}

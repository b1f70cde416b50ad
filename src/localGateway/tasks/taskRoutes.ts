/** The task endpoints as they look on the wire (service-spec 4.1 to 4.4). */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { invalidRequest, modelNotFound } from "../http/errors";
import { cutLine, type Exchange, readJson, sendJson } from "../http/exchange";
import { fingerprint, inOrder } from "../http/fingerprint";
import { faultKinds } from "../faults/faultTable";
import { findModel, localModels } from "../chat/models";
import { readWire } from "../http/reading";
import type { Services } from "../services";
import { hashText } from "../demo/seeded";
import { eventsUntil, statusNumbers } from "./storedTask";
import type { TaskOrder } from "./taskEngine";
import { cancelOddly, makeTask, readAccount } from "../faults/taskFaultRoutes";
import { taskTypeWords, type TaskTypeWord } from "./taskPlan";
import { eventPage, taskBody } from "./taskWire";

const largestBody = 1_000_000;

const object = z.record(z.string(), z.unknown());
const createSchema = z.object({
  task_type: z.enum(taskTypeWords),
  public_model: z.optional(z.string()),
  prompt: z.optional(z.string()),
  idempotency_key: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  input_assets_json: z.optional(object),
  metadata_json: z.optional(object),
});
const cancelSchema = z.object({ reason: z.optional(z.string().check(z.maxLength(2_000))) });
const pageSchema = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
});

export async function createTask(exchange: Exchange, services: Services): Promise<void> {
  const body = await readJson(exchange, largestBody);
  const request = readWire(createSchema, body);
  const { idempotency_key: idempotencyKey, prompt = "", input_assets_json: inputs } = request;
  if (idempotencyKey !== undefined) services.log.note(exchange.requestId, { idempotencyKey });
  const order: TaskOrder = {
    type: request.task_type,
    model: chooseModel(request.public_model, request.task_type),
    prompt,
    seed: chooseSeed(request.metadata_json, prompt, services.seed),
    requestId: exchange.requestId,
    fingerprint: fingerprint(body),
    ...definedFields({
      idempotencyKey,
      inputs: inputs === undefined ? undefined : hashText("inputs", JSON.stringify(inOrder(inputs))),
    }),
  };
  const { task, replayed } = await makeTask(order, exchange, services);
  if (exchange.faults.take(faultKinds.taskLost202) !== undefined) {
    cutLine(exchange);
    return;
  }
  const created = {
    task_id: task.taskId,
    status: statusNumbers.created,
    request_id: task.requestId,
    hold_id: task.holdId,
  };
  sendJson(exchange, 202, created, replayed ? { "idempotent-replayed": "true" } : {});
}

export async function getTask(exchange: Exchange, services: Services): Promise<void> {
  const account = await readAccount(exchange, services);
  const body = taskBody(account, exchange, services);
  exchange.watch.told(body["status"]);
  sendJson(exchange, 200, body);
  const failed = account.end?.state === "failed" && account.refund === undefined;
  if (failed && exchange.faults.take(faultKinds.taskRefundedLater) !== undefined) {
    await services.tasks.refund(account.task.taskId, "");
  }
}

export async function listTaskEvents(exchange: Exchange, services: Services): Promise<void> {
  const page = readWire(pageSchema, Object.fromEntries(exchange.url.searchParams));
  const account = await readAccount(exchange, services);
  sendJson(exchange, 200, eventPage(eventsUntil(account, services.clock.now()), page, exchange));
}

export async function cancelTask(exchange: Exchange, services: Services): Promise<void> {
  const { reason = "" } = readWire(cancelSchema, await readJson(exchange, largestBody));
  await services.tasks.get(taskId(exchange));
  const form = exchange.faults.take(faultKinds.taskCancelForm)?.value;
  if (form === undefined) {
    const account = await services.tasks.cancel(taskId(exchange), reason);
    const body = taskBody(account, exchange, services);
    exchange.watch.told(body["status"]);
    sendJson(exchange, 200, body);
    return;
  }
  await cancelOddly(form, exchange, (id) => services.tasks.cancel(id, reason));
}

/** For the operator only: no endpoint of the service leads to state 8. */
export async function refundTask(exchange: Exchange, services: Services): Promise<void> {
  const { reason = "" } = readWire(cancelSchema, await readJson(exchange, largestBody));
  const account = await services.tasks.refund(taskId(exchange), reason);
  sendJson(exchange, 200, taskBody(account, exchange, services));
}

function taskId({ params }: Exchange): string {
  return params["task_id"] ?? "";
}

function chooseModel(asked: string | undefined, type: TaskTypeWord): string {
  const makes = (id: string): boolean => findModel(id)?.capabilities.task_types?.includes(type) ?? false;
  if (asked === undefined) return localModels.find(({ id }) => makes(id))?.id ?? "demo-image";
  if (findModel(asked) === undefined) throw modelNotFound(asked);
  if (!makes(asked)) throw invalidRequest(`The model '${asked}' does not make ${type} tasks.`, "public_model");
  return asked;
}

/** `metadata_json.seed` when it is a whole number, else one that follows from the prompt and the gateway's own seed. */
function chooseSeed(metadata: Record<string, unknown> | undefined, prompt: string, seed: number): number {
  const asked = metadata?.["seed"];
  return Number.isSafeInteger(asked) && typeof asked === "number" ? asked : hashText("task", prompt, seed) % 1_000_000;
}

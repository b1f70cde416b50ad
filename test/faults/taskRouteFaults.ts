/** Creates, reads and cancels tasks with the faults of the request applied; without a fault they call the task engine only. */
import { HttpError } from "../../src/localGateway/http/httpError";
import { type RequestContext, sendJson } from "../../src/localGateway/http/requestContext";
import { faultKinds } from "./faultTable";
import { hang } from "./httpFaults";
import type { RequestFaults } from "../../src/localGateway/http/requestFaults";
import type { GatewayTask, TaskAccount } from "../../src/localGateway/tasks/gatewayTask";
import {
  notEnabled,
  type TaskCreation,
  type TaskEngine,
  type TaskOrder,
} from "../../src/localGateway/tasks/taskEngine";
import type { TaskServices } from "../../src/localGateway/tasks/taskServices";

export async function createTaskWithFaults(
  order: TaskOrder,
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
export async function readAccount(context: RequestContext, { tasks, clock }: TaskServices): Promise<TaskAccount> {
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

export async function cancelWithFault(
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

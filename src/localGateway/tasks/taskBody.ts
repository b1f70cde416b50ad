/** Tasks and events as response bodies. */
import { definedFields } from "../../base/definedFields";
import type { RequestContext } from "../http/requestContext";
import { statusAt, statusNumbers, type GatewayTaskEvent, type TaskAccount } from "./gatewayTask";
import { resultNamesOf } from "./resultFiles";
import { taskKinds } from "../demo/taskKinds";
import { type EventPage, type Fields, taskLabOf, type TaskServices } from "./taskServices";

/** The fields of `GET /v1/tasks/{task_id}`; those without a value are omitted. */
export function taskBody(account: TaskAccount, context: RequestContext, services: TaskServices): Fields {
  const { task, end, refund } = account;
  const lab = taskLabOf(services);
  const status = statusAt(account, services.clock.now());
  const lost = status === "succeeded" && lab.isResultLost(context);
  const hasResult = end?.state === "succeeded" && refund === undefined && !lost;
  const failed: Fields = lost
    ? { error_code: "asset_lost", error_message: "The result could not be kept." }
    : end?.state === "failed"
      ? { error_code: end.errorCode, error_message: end.errorMessage }
      : {};
  return lab.changeBody(context, {
    task_id: task.taskId,
    task_type: taskKinds[task.type].number,
    status: statusNumbers[lost ? "failed" : status],
    public_model: task.model,
    created_at: lab.writeTime(context, task.createdAt),
    ...definedFields({
      completed_at: end === undefined ? undefined : lab.writeTime(context, end.at),
      result_assets_json: hasResult ? resultAssets(account, context, services) : undefined,
    }),
    ...failed,
  });
}

/** A JSON object as a string: the service defines `result_assets_json` this way. */
function resultAssets({ task }: TaskAccount, context: RequestContext, services: TaskServices): string {
  const life = taskLabOf(services).linkLife(context);
  const { result, thumbnail } = resultNamesOf(task);
  const link = (file: string): string => services.assets.link(task.taskId, file, life);
  return JSON.stringify({
    [taskKinds[task.type].result.field]: link(result),
    thumbnail_url: link(thumbnail),
    seed: task.seed,
  });
}

/** `events`: all of them, oldest first. */
export function eventsBody(
  events: readonly GatewayTaskEvent[],
  page: EventPage,
  context: RequestContext,
  services: TaskServices,
): Fields {
  const lab = taskLabOf(services);
  const wire = events.map((event) => eventBody(event, lab.writeTime(context, event.at)));
  return { task_events: lab.pageOfEvents(context, wire, page) };
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

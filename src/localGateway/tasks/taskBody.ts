/** Tasks and events as response bodies, with the faults of the request applied. */
import { definedFields } from "../../base/definedFields";
import type { RequestContext } from "../http/requestContext";
import { faultKinds } from "../faults/faultTable";
import { applyBodyFaults, type EventPage, type Fields, pageOfEvents, writeTime } from "../faults/tasks/taskBodyFaults";
import type { Services } from "../services";
import { statusAt, statusNumbers, type GatewayTaskEvent, type TaskAccount } from "./gatewayTask";
import { taskKinds } from "./taskPlan";

/** The fields of `GET /v1/tasks/{task_id}`; those without a value are omitted. */
export function taskBody(account: TaskAccount, context: RequestContext, services: Services): Fields {
  const { task, end, refund } = account;
  const { faults } = context;
  const status = statusAt(account, services.clock.now());
  const lost = status === "succeeded" && faults.take(faultKinds.taskAssetLost) !== undefined;
  const hasResult = end?.state === "succeeded" && refund === undefined && !lost;
  const failed: Fields = lost
    ? { error_code: "asset_lost", error_message: "The result could not be kept." }
    : end?.state === "failed"
      ? { error_code: end.errorCode, error_message: end.errorMessage }
      : {};
  return applyBodyFaults(context, {
    task_id: task.taskId,
    task_type: taskKinds[task.type].number,
    status: statusNumbers[lost ? "failed" : status],
    public_model: task.model,
    created_at: writeTime(context, task.createdAt),
    ...definedFields({
      completed_at: end === undefined ? undefined : writeTime(context, end.at),
      result_assets_json: hasResult ? resultAssets(account, context, services) : undefined,
    }),
    ...failed,
  });
}

/** A JSON object as a string: the service defines `result_assets_json` this way. */
function resultAssets({ task }: TaskAccount, { faults }: RequestContext, { assets }: Services): string {
  const life = faults.take(faultKinds.taskLinkLife)?.value;
  const link = (file: string): string => assets.link(task.taskId, file, life);
  return JSON.stringify({
    ...(task.type === "video" ? { video_url: link("video.mp4") } : { image_url: link("image.png") }),
    thumbnail_url: link("thumbnail.png"),
    seed: task.seed,
  });
}

/** `events`: all of them, oldest first. */
export function eventsBody(events: readonly GatewayTaskEvent[], page: EventPage, context: RequestContext): Fields {
  const wire = events.map((event) => eventBody(event, context));
  return { task_events: pageOfEvents(context, wire, page) };
}

function eventBody({ id, status, message, at }: GatewayTaskEvent, context: RequestContext): Fields {
  return {
    task_event_id: id,
    event_type: status,
    status: statusNumbers[status],
    message,
    created_at: writeTime(context, at),
  };
}

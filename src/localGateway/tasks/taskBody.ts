/** Tasks and events as they are written on the wire (service-spec 2.1, 2.2), and what a fault makes of them. */
import { definedFields } from "../../base/definedFields";
import type { RequestContext } from "../http/requestContext";
import { faultKinds } from "../faults/faultTable";
import type { Services } from "../services";
import { statusAt, statusNumbers, type StoredTaskEvent, type TaskAccount } from "./storedTask";
import { taskKinds } from "./taskPlan";

type Fields = Readonly<Record<string, unknown>>;

const hour = 3_600_000;

/** The get-call fields of service-spec 2.1; what is absent is left out. */
export function taskBody(account: TaskAccount, context: RequestContext, services: Services): Fields {
  const { task, end, refund } = account;
  const { faults } = context;
  const status = statusAt(account, services.clock.now());
  const lost = status === "succeeded" && faults.take(faultKinds.taskAssetLost) !== undefined;
  const failed: Fields = lost
    ? { error_code: "asset_lost", error_message: "The result could not be kept." }
    : end?.state === "failed"
      ? { error_code: end.errorCode, error_message: end.errorMessage }
      : {};
  return distorted(context, {
    task_id: task.taskId,
    task_type: taskKinds[task.type].number,
    status: statusNumbers[lost ? "failed" : status],
    public_model: task.model,
    created_at: writeTime(context, task.createdAt),
    ...definedFields({ completed_at: end === undefined ? undefined : writeTime(context, end.at) }),
    ...(end?.state === "succeeded" && refund === undefined && !lost
      ? { result_assets_json: resultAssets(account, context, services) }
      : {}),
    ...failed,
  });
}

/** A JSON object written as a string, as the service has it (service-spec 2.1). */
function resultAssets({ task }: TaskAccount, { faults }: RequestContext, { assets }: Services): string {
  const life = faults.take(faultKinds.taskLinkLife)?.value;
  const link = (file: string): string => assets.link(task.taskId, file, life);
  return JSON.stringify({
    ...(task.type === "video" ? { video_url: link("video.mp4") } : { image_url: link("image.png") }),
    thumbnail_url: link("thumbnail.png"),
    seed: task.seed,
  });
}

function distorted(context: RequestContext, body: Fields): Fields {
  const { faults } = context;
  let fields = body;
  const change = (more: Fields): void => {
    fields = { ...fields, ...more };
  };
  const order = faults.take(faultKinds.taskStatusOrder)?.value;
  if (order === "backwards" && fields["status"] === 3) change({ status: 2 });
  if (order === "skip" && (fields["status"] === 2 || fields["status"] === 3)) change({ status: 1 });
  const form = faults.take(faultKinds.taskStatusForm)?.value;
  if (form !== undefined) change({ status: statusForms[form](Number(fields["status"])) });
  const assets = fields["result_assets_json"];
  const assetsForm = typeof assets === "string" ? faults.take(faultKinds.taskAssetsForm)?.value : undefined;
  if (assetsForm === "missing") fields = omit(fields, "result_assets_json");
  else if (assetsForm !== undefined) change({ result_assets_json: assetForms[assetsForm](String(assets)) });
  const errorForm = "error_code" in fields ? faults.take(faultKinds.taskErrorForm)?.value : undefined;
  if (errorForm === "missing") fields = omit(fields, "error_code", "error_message");
  if (errorForm === "number") change({ error_code: 5001 });
  if (errorForm === "null") change({ error_code: null, error_message: null });
  if (errorForm === "object") change({ error_code: { code: fields["error_code"], retryable: false } });
  const completed = faults.take(faultKinds.taskCompletedAt)?.value;
  if (completed === "null") change({ completed_at: null });
  if (completed === "before" && "completed_at" in fields) {
    change({ completed_at: new Date(Date.parse(String(fields["created_at"])) - hour).toISOString() });
  }
  if (faults.take(faultKinds.taskExtraFields) !== undefined) {
    change({ progress: "30%", upstream: { provider: "local", attempts: [] }, prompt: null });
  }
  return fields;
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

export interface EventPage {
  readonly limit: number;
  readonly offset: number;
}

/** `events`: all of them, oldest first. */
export function eventPage(
  events: readonly StoredTaskEvent[],
  { limit, offset }: EventPage,
  context: RequestContext,
): unknown {
  const form = context.faults.take(faultKinds.taskEventsForm)?.value;
  const wire = events.map((event) => eventBody(event, context));
  const changed = form === undefined ? wire : eventForms[form](wire);
  const size = form === "small-page" ? Math.min(limit, 2) : limit;
  return { task_events: changed.slice(offset, offset + size) };
}

function eventBody({ id, status, message, at }: StoredTaskEvent, context: RequestContext): Fields {
  return {
    task_event_id: id,
    event_type: status,
    status: statusNumbers[status],
    message,
    created_at: writeTime(context, at),
  };
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

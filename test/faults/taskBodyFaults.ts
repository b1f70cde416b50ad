/** The faults that change the fields of a task, its events and its times in a response. */
import type { RequestContext } from "../../src/localGateway/http/requestContext";
import type { EventPage, Fields } from "../../src/localGateway/tasks/taskServices";
import { faultKinds } from "./faultTable";

const hour = 3_600_000;

/** Applies the faults of the request to the fields of a task. */
export function applyBodyFaults({ faults }: RequestContext, body: Fields): Fields {
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
export function pageOfEvents(
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
export function writeTime({ faults }: RequestContext, at: number): string {
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

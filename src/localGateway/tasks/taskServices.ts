/** The services of the task endpoints, and the faults that act on them. */
import type { Clock } from "../../base/clock";
import type { RequestContext } from "../http/requestContext";
import type { RequestLog } from "../http/requestLog";
import type { AssetLinks, ResultFile } from "./resultFiles";
import type { SpokenDialect } from "../demo/spokenDialects";
import type { TaskAccount } from "./gatewayTask";
import type { TaskCreation, TaskEngine, GatewayTaskOrder } from "./taskEngine";
import type { TaskTypeNames } from "./taskTypeNames";

export interface TaskServices {
  /** The form in which the cost of a task is stated; an empty dialect states none. */
  readonly dialect: SpokenDialect;
  readonly clock: Clock;
  readonly seed: number;
  readonly log: RequestLog;
  readonly tasks: TaskEngine;
  readonly typeNames: TaskTypeNames;
  readonly assets: AssetLinks;
  /** The faults; missing when the gateway was started without them. */
  readonly injectedFaults?: { readonly tasks: TaskFaults };
}

export type Fields = Readonly<Record<string, unknown>>;

export interface EventPage {
  readonly limit: number;
  readonly offset: number;
}

/** Each method applies the faults of the request; without a fault it does the same as `withoutFaults`. */
export interface TaskFaults {
  create(order: GatewayTaskOrder, context: RequestContext, services: TaskServices): Promise<TaskCreation>;
  /** Whether the task is created but its response is lost. */
  isAnswerLost(context: RequestContext): boolean;
  /** 404 when there is none. */
  read(context: RequestContext, services: TaskServices): Promise<TaskAccount>;
  isRefundedLater(context: RequestContext): boolean;
  /** False when the ordinary response is to be sent. */
  cancel(context: RequestContext, cancel: (taskId: string) => Promise<TaskAccount>): Promise<boolean>;
  isResultLost(context: RequestContext): boolean;
  /** Milliseconds; `undefined` for the usual life. */
  linkLife(context: RequestContext): number | undefined;
  changeBody(context: RequestContext, body: Fields): Fields;
  /** `events`: all events of the task, oldest first. */
  pageOfEvents(context: RequestContext, events: readonly Fields[], page: EventPage): readonly Fields[];
  writeTime(context: RequestContext, at: number): string;
  /** False when the ordinary response is to be sent. */
  sendAsset(context: RequestContext, file: ResultFile & { readonly etag: string }): boolean;
}

const withoutFaults: TaskFaults = {
  create: (order, _context, { tasks }) => tasks.create(order),
  isAnswerLost: () => false,
  read: ({ params, account }, { tasks }) => tasks.get(params["task_id"] ?? "", account),
  isRefundedLater: () => false,
  cancel: () => Promise.resolve(false),
  isResultLost: () => false,
  linkLife: () => undefined,
  changeBody: (_context, body) => body,
  pageOfEvents: (_context, events, { limit, offset }) => events.slice(offset, offset + limit),
  // ISO 8601 UTC with milliseconds.
  writeTime: (_context, at) => new Date(at).toISOString(),
  sendAsset: () => false,
};

export function taskFaultsOf({ injectedFaults }: Pick<TaskServices, "injectedFaults">): TaskFaults {
  return injectedFaults?.tasks ?? withoutFaults;
}

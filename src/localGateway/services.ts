/** The services for the handlers of requests. Each folder declares the services that its own handlers need. */
import type { ChatServices } from "./chat/chatServices";
import type { HttpFaults } from "./http/httpServices";
import type { Route } from "./http/routeTable";
import type { TaskFaults, TaskServices } from "./tasks/taskServices";
import type { ClientReportServices } from "./clientReport";
import type { Secrets } from "./state/identity";
import type { SpokenDialect } from "./demo/spokenDialects";
import type { TaskEngine } from "./tasks/taskEngine";
import type { TaskTypeNames } from "./tasks/taskTypeNames";

/** Faults for testing a client. The shipped program has none; tests pass them in. */
export interface GatewayFaults extends HttpFaults {
  readonly tasks: TaskFaults;
  readonly routes: readonly Route<unknown>[];
}

export interface Services extends LocalServices, TaskServices, ChatServices {
  readonly injectedFaults?: GatewayFaults;
}

// The services that the gateway's own endpoints need.

export interface LocalServices extends ClientReportServices {
  readonly dialect: SpokenDialect;
  readonly secrets: Secrets;
  readonly tasks: TaskEngine;
  readonly typeNames: TaskTypeNames;
}

/** What the gateway's own endpoints need. */
import type { ConductServices } from "./conduct/conductServices";
import type { Secrets } from "./state/identity";
import type { TaskEngine } from "./tasks/taskEngine";
import type { TaskTypeNames } from "./tasks/taskTypeNames";

export interface LocalServices extends ConductServices {
  readonly secrets: Secrets;
  readonly tasks: TaskEngine;
  readonly typeNames: TaskTypeNames;
}

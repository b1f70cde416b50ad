/** What the handlers of requests work with. */
import type { Clock } from "../base/clock";
import type { AssetLinks } from "./assets/assetLinks";
import type { FaultSwitches } from "./faults";
import type { Journal } from "./journal";
import type { RequestLog } from "./requestLog";
import type { TaskEngine } from "./tasks/taskEngine";

export interface Services {
  readonly key: string;
  /** Signs links and proofs; never leaves the gateway. */
  readonly secret: string;
  readonly clock: Clock;
  readonly seed: number;
  readonly pace: ChatPace;
  readonly tasks: TaskEngine;
  readonly journal: Journal;
  readonly faults: FaultSwitches;
  readonly assets: AssetLinks;
  readonly log: RequestLog;
}

/** How fast the built-in model speaks. */
export interface ChatPace {
  readonly tokensPerSecond: number;
  readonly firstTokenMs: number;
}

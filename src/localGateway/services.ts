/** What the handlers of requests work with. */
import type { Clock } from "../base/clock";
import type { PromptCache } from "./chat/promptCache";
import type { Relay } from "./chat/relay/relay";
import type { Conduct } from "./conduct/conduct";
import type { OneTimeLinks } from "./conduct/oneTimeLinks";
import type { FaultSwitches } from "./faults/faultSwitches";
import type { BodyTurns } from "./http/bodyTurns";
import type { KeyRing } from "./http/keyRing";
import type { PortListener } from "./http/portListener";
import type { RequestLog } from "./http/requestLog";
import type { Charges } from "./money/charges";
import type { Secrets } from "./state/identity";
import type { StateDatabase } from "./state/stateDatabase";
import type { AssetLinks } from "./tasks/assetLinks";
import type { TaskEngine } from "./tasks/taskEngine";
import type { TaskTypeNames } from "./tasks/taskTypeNames";

export interface Services {
  readonly keys: KeyRing;
  /** Never leave the gateway. */
  readonly secrets: Secrets;
  /** Aborts when the gateway closes. */
  readonly closing: AbortSignal;
  readonly clock: Clock;
  readonly seed: number;
  readonly pace: ChatPace;
  readonly state: StateDatabase;
  readonly tasks: TaskEngine;
  readonly typeNames: TaskTypeNames;
  readonly bodyTurns: BodyTurns;
  /** Pays for chat answers. */
  readonly charges: Charges;
  readonly prompts: PromptCache;
  /** Missing when the gateway was started without it. */
  readonly relay?: Relay;
  readonly faults: FaultSwitches;
  readonly assets: AssetLinks;
  readonly log: RequestLog;
  readonly listener: PortListener;
  readonly conduct: Conduct;
  readonly pageLinks: OneTimeLinks;
}

/** How fast the built-in model writes. */
export interface ChatPace {
  readonly tokensPerSecond: number;
  readonly firstTokenMs: number;
}

/** What the handlers of requests work with. */
import type { Clock } from "../base/clock";
import type { AssetLinks } from "./tasks/assetLinks";
import type { Book } from "./money/book";
import type { Charges } from "./money/charges";
import type { PromptCache } from "./chat/promptCache";
import type { Relay } from "./chat/relay/relay";
import type { Conduct } from "./conduct/conduct";
import type { OneTimeLinks } from "./conduct/onceLinks";
import type { RequestHead } from "./http/familyOf";
import type { FaultSwitches } from "./faults/faultSwitches";
import type { Secrets } from "./state/identity";
import type { RequestLog } from "./http/requestLog";
import type { TaskEngine } from "./tasks/taskEngine";

export interface Services {
  readonly key: string;
  /** Whether the request has a key that was right until it was replaced. */
  isFormerKey(asked: RequestHead): boolean;
  /** Never leave the gateway. */
  readonly secrets: Secrets;
  /** Aborts when the gateway ends. */
  readonly closing: AbortSignal;
  readonly clock: Clock;
  readonly seed: number;
  readonly pace: ChatPace;
  readonly tasks: TaskEngine;
  readonly book: Book;
  /** Pays for what is not a task. */
  readonly charges: Charges;
  readonly prompts: PromptCache;
  /** Missing: nobody asked for it. */
  readonly relay?: Relay;
  readonly faults: FaultSwitches;
  readonly assets: AssetLinks;
  readonly log: RequestLog;
  readonly control: GatewayControl;
  readonly conduct: Conduct;
  readonly pageLinks: OneTimeLinks;
  /** Its address, without a slash at the end. */
  readonly origin: () => string;
}

/** The gateway as one thing, for the faults that strike it. */
export interface GatewayControl {
  /** Cuts all lines, listens to nobody for so many ms of its clock, and comes back on the same port with what is on disk. */
  suspend(ms: number): void;
  /** Another key until the gateway ends; what is on disk keeps the old one. */
  rotateKey(key: string): void;
}

/** How fast the built-in model speaks. */
export interface ChatPace {
  readonly tokensPerSecond: number;
  readonly firstTokenMs: number;
}

/** What the chat endpoints need. */
import type { Clock } from "../../base/clock";
import type { Charges } from "../money/charges";
import type { Secrets } from "../state/identity";
import type { TaskTypeNames } from "../tasks/taskTypeNames";
import type { PromptCache } from "./promptCache";
import type { Relay } from "./relay/relay";
import type { StoredResponses } from "./storedResponses";
import type { ChatPace } from "./streamAnswer";

export interface ChatServices {
  /** Never leave the gateway. */
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly seed: number;
  readonly pace: ChatPace;
  /** Pays for chat answers. */
  readonly charges: Charges;
  readonly prompts: PromptCache;
  readonly responses: StoredResponses;
  readonly typeNames: TaskTypeNames;
  /** Missing when the gateway was started without it. */
  readonly relay?: Relay;
}

/** The options with which a prompt that a person wrote is sent. */
import type { ChatMode } from "./chatMode";
import type { StartedPrompt } from "./attachmentSchema";

export interface PromptSending {
  /** The source of the foreign text that the prompt quotes. */
  readonly untrusted?: string;
  /** The prompt file or skill whose name the prompt begins with. */
  readonly started?: StartedPrompt;
  /** The mode of the chat from this prompt on. */
  readonly mode?: ChatMode;
  /** Whether it is sent in the turn that runs. */
  readonly isNow?: boolean;
}

/** The options with which an edited prompt is sent again. */
export interface PromptResending extends Pick<PromptSending, "started" | "untrusted"> {
  /** The attachments of the former prompt that are left out, counted from 0. */
  readonly without?: readonly number[];
}

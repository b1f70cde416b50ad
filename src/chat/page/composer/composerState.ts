/** What the page gives the composer: the chat, and what is shown of the host's status. */
import { type Chat, emptyChat } from "../../../domain/chat/chat";
import type { ChatPageStatus } from "../../contract/chatPageContract";
import type { ShownGateway } from "./gatewayChip";

type ShownStatus = Pick<
  ChatPageStatus,
  | "model"
  | "modelFacts"
  | "effort"
  | "toolsRefused"
  | "imagesRefused"
  | "context"
  | "demonstrator"
  | "trusted"
  | keyof ShownGateway
>;

export interface ComposerState {
  /** The one that is shown; a prompt is sent to it and to no other. */
  readonly chat: Chat;
  readonly status: ShownStatus;
  /** False until the host's first snapshot. */
  readonly ready: boolean;
}

const noStatus: ShownStatus = { connection: "starting", gateway: "", model: "", demonstrator: false, trusted: true };

/** Before the host's first snapshot. */
export const notReady: ComposerState = { chat: emptyChat(""), status: noStatus, ready: false };

/** What the intents about the mode of a chat do. */
import type { ShownChat } from "../../storage/shownChat";
import { findPlanDocument } from "../../../domain/chat/planOfChat";
import type { PersonAnswer } from "../../../domain/tools/tool";
import type { ChatPageIntent, ChatPageMessage } from "../../contract/chatPageContract";
import type { Handlers } from "../../../base/contract/pageContract";
import { whyNotChosen, whyNotHere } from "../../../domain/words/modeWords";
import type { PlanDocuments } from "../modes/planDocuments";
import type { PlanAddress } from "../modes/planFiles";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { type commands, internalCommands } from "../../../vscode/ids";

/** Opens a list in the window. */
export type PickCommand =
  | typeof internalCommands.chooseMode
  | typeof commands.chooseModel
  | typeof commands.chooseGateway
  | typeof commands.showApprovals;

type ModeIntent = Extract<ChatPageIntent, { readonly type: `mode-${string}` | "question-answer" | `plan-${string}` }>;

export interface ModePorts {
  readonly chat: ShownChat;
  readonly plans: PlanDocuments;
  readonly dialogs: Dialogs;
  readonly post: (message: ChatPageMessage) => void;
  /** Runs a command that opens a list; the cursor is in the composer again afterwards. */
  readonly pick: (command: PickCommand) => void;
}

export function createModeHandlers({ chat, plans, dialogs, post, pick }: ModePorts): Handlers<ModeIntent> {
  const refuse = (text: string): void => post({ type: "change-refused", text });
  const withPlan = (
    answer: string,
    call: string,
    work: (address: PlanAddress, title: string) => Promise<void>,
  ): void => {
    const session = chat.session.current;
    const found = findPlanDocument(session.chat, { answer, call });
    if (found === undefined) return;
    work({ chat: session.chat.id, answer, call }, found.title).catch((error: unknown) =>
      dialogs.showFailure(error, "chat"),
    );
  };
  return {
    "mode-set": ({ chat: meant, mode }) => {
      // Of a chat that is shown no more: its mode is not that of this one.
      if (meant !== chat.stored.id) return;
      void chat.session.current.setMode(mode).then((isSet) => {
        if (!isSet) refuse(whyNotChosen());
      });
    },
    "question-answer": ({ question, choice: at, text }) => {
      const answer: PersonAnswer =
        text !== undefined
          ? { type: "text", text }
          : at !== undefined
            ? { type: "choice", at }
            : { type: "left-to-model" };
      const isTaken = chat.session.current.questions.answer(question, answer);
      // One that was answered or stopped meanwhile goes from the page with its event.
      if (!isTaken && !chat.stored.isWritable) refuse(whyNotHere());
    },
    "plan-edit": ({ chat: meant, edit }) => {
      if (meant !== chat.stored.id) return;
      void chat.session.current.editPlan(edit).then((isEdited) => {
        if (!isEdited) refuse(whyNotHere());
      });
    },
    "plan-open": ({ answer, call }) => withPlan(answer, call, (address, title) => plans.open(address, title)),
    "plan-start": ({ answer, call }) => withPlan(answer, call, (address, title) => plans.start(address, title)),
    "mode-choose": () => pick(internalCommands.chooseMode),
  };
}

/** Submitting the composer's text as a task, which becomes part of the chat. */
import { t } from "@vscode/l10n";
import type { ChatSessions } from "../../storage/chatSessions";
import type { ShownChat } from "../../storage/shownChat";
import type { TaskIntent } from "../../../domain/task/task";
import { notifyInformation } from "../../../vscode/interface/show";
import { emptyDraft, type TaskDraft } from "../../../tasks/host/submit/taskDraft";

export interface ChatSubmitPorts {
  readonly chats: Pick<ChatSessions, "use">;
  /** What the page shows, on which it is submitted. */
  readonly chat: Pick<ShownChat, "sourceOf" | "stored">;
  readonly submit: (draft: TaskDraft) => Promise<void>;
  /** Clears the draft of the chat, unless its text is another one by now. */
  readonly clear: (chat: string, text: string) => void;
  /** Puts the cursor back into the composer: VS Code gives the focus to the editor when a pick is closed. */
  readonly focus: () => void;
}

/** The composer keeps its text until the intent is on disk. */
export async function submitFromChat(ports: ChatSubmitPorts, text: string): Promise<void> {
  const { chats, chat, submit, clear, focus } = ports;
  const prompt = text.trim();
  const { id } = chat.stored;
  const onWritten = (intents: readonly TaskIntent[]): void => {
    clear(id, text);
    const ids = intents.map((intent) => intent.id);
    const written = intents[0]?.prompt ?? prompt;
    void chats
      .use(id, (stored) => stored.session.addTasks(written, ids, chat.sourceOf(written) ?? chat.sourceOf(prompt)))
      .catch(() => false)
      .then((isAdded) => {
        if (!isAdded)
          void notifyInformation(
            t("The task is in the Tasks view only: this window can't write the chat it began in."),
          );
      });
  };
  await submit({ ...emptyDraft, prompts: prompt === "" ? [] : [prompt], onWritten, onAsked: focus });
}

/** The commands of the Chat view. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../base/clock";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { ReadonlyStore } from "../base/store";
import { isChatModel, type ModelCatalog } from "../models/modelCatalog";
import type { ChatIndex } from "../chat/index/chatIndex";
import type { ChatSession } from "../chat/session";
import type { ChatSessions } from "../chat/sessions/chatSessions";
import { families, type Family } from "../domain/family";
import type { Model } from "../domain/ports";
import type { ChatFileActions } from "./chatFileActions";
import { showHistory } from "./chatHistory";
import type { ChatPanel } from "./chatPanel";
import type { Dialogs } from "./dialogs";
import { commands, focusChat } from "./ids";
import { type PickChoice, StepPicker, typedId } from "./pickSteps";
import type { ReportDocuments } from "./reportDocuments";
import { runCommand } from "./runCommand";
import { notifyInformation } from "./show";
import { showRequest } from "./showRequest";
import { shownLine } from "./shownText";

export interface ChatCommandPorts {
  readonly session: ReadonlyStore<ChatSession>;
  readonly models: ModelCatalog;
  readonly panel: ChatPanel;
  readonly dialogs: Dialogs;
  readonly reports: ReportDocuments;
  readonly chats: ChatSessions;
  readonly actions: ChatFileActions;
  readonly index: ChatIndex;
  readonly clock: Clock;
}

export function registerChatCommands(ports: ChatCommandPorts): Disposable {
  const { session, models, panel, dialogs, reports, chats, actions } = ports;
  const store = new DisposableStore();
  store.add(dialogs.register(commands.newChat, () => chats.create()));
  store.add(dialogs.register(commands.chatHistory, () => showHistory(ports)));
  store.add(dialogs.register(commands.renameChat, () => withStored(chats, (id) => actions.rename(id))));
  store.add(
    dialogs.register(commands.deleteChat, () => withStored(chats, async (id) => (await actions.remove(id))?.())),
  );
  store.add(dialogs.register(commands.exportChat, () => withStored(chats, (id) => actions.exportChat(id))));
  store.add(dialogs.register(commands.importChat, () => actions.importChats()));
  store.add(dialogs.register(commands.stopAnswer, () => session.current.stop()));
  store.add(dialogs.register(commands.showRequest, () => showRequest(session.current, reports)));
  store.add(dialogs.register(commands.chooseModel, () => chooseModel(models)));
  store.add(
    dialogs.register(commands.addSelection, async () => {
      const text = quoteSelection();
      if (text === undefined) return;
      await runCommand(focusChat);
      panel.insert(text);
    }),
  );
  return store;
}

/** Does something with the shown chat; one without a prompt is not stored. */
async function withStored({ current }: ChatSessions, work: (id: string) => Promise<unknown>): Promise<void> {
  if (current.session.chat.entries.length > 0) await work(current.id);
  else void notifyInformation(t("This chat is empty."));
}

async function chooseModel(models: ModelCatalog): Promise<void> {
  const { list, chat } = models.models.current;
  const choices = list.filter(isChatModel).map((model): PickChoice<string> => {
    const description = describeModel(model);
    return { label: model.id, value: model.id, ...(description === "" ? {} : { description }) };
  });
  const picker = new StepPicker(t("Choose Model"));
  try {
    let id = chat?.id ?? "";
    let isNew = false;
    for (;;) {
      if (!isNew) {
        const answer = await picker.ask({
          placeholder: choices.length > 0 ? t("Model, or type another id") : t("Type the id of a model"),
          choices,
          preselected: choices.find(({ value }) => value === id),
          typed: typedId,
          ...(choices.length > 0 ? {} : { empty: t("The gateway lists no models now. Check Connection shows why.") }),
        });
        if (typeof answer === "string") return;
        id = answer.value;
        if (list.some((model) => model.id === id)) {
          models.choose(id);
          return;
        }
        isNew = true;
      } else {
        const answer = await picker.ask({
          // Only an id that is not listed needs this step.
          position: { step: 2, totalSteps: 2 },
          placeholder: t("Which API does {0} use?", id),
          choices: familyChoices(),
        });
        if (answer === "cancelled") return;
        if (answer === "back") isNew = false;
        else {
          models.choose(id, answer.value);
          return;
        }
      }
    }
  } finally {
    picker.dispose();
  }
}

function familyChoices(): readonly PickChoice<Family>[] {
  const choices: Readonly<Record<Family, Pick<PickChoice<Family>, "label" | "description">>> = {
    "chat-completions": { label: t("Chat completions"), description: "/v1/chat/completions" },
    messages: { label: t("Messages"), description: "/v1/messages" },
    "generate-content": { label: t("Generate content"), description: "/v1/models/…:generateContent" },
  };
  return families.map((value) => ({ ...choices[value], value }));
}

function describeModel({ note, tools, images, contextSize }: Model): string {
  const facts = [
    note ?? "",
    tools === false ? t("takes no tools") : "",
    images === true ? t("images") : "",
    contextSize === undefined ? "" : t("{0} tokens", contextSize.toLocaleString(vscode.env.language)),
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}

/** Length of a path in a prompt, in characters. */
const longestPath = 1000;

/** The selected text as a fenced block under its path and lines. */
function quoteSelection(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  const text = document.getText(selection);
  // A line break in a file name would begin a line of its own in the prompt.
  const path = shownLine(vscode.workspace.asRelativePath(document.uri, false), longestPath);
  const place = `${path}:${selection.start.line + 1}-${selection.end.line + 1}`;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${place}\n${fence}${document.languageId}\n${text}\n${fence}\n`;
}

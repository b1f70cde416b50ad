/** The commands of the Chat view. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Clock } from "../base/clock";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { ReadonlyStore } from "../base/store";
import type { ModelCatalog } from "../models/modelCatalog";
import type { ChatIndex } from "../chat/index/chatIndex";
import type { ChatSession } from "../chat/session";
import type { ChatSessions } from "../chat/sessions/chatSessions";
import { addUris, type AttachmentPorts } from "./attachmentHandlers";
import type { ChatFileActions } from "./chatFileActions";
import { showHistory } from "./chatHistory";
import type { ChatPanel } from "./chatPanel";
import type { Dialogs } from "./dialogs";
import { referenceToSelection } from "./fileReferences";
import { commands, focusChat } from "./ids";
import { chooseModel } from "./modelPick";
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
  readonly attachments: AttachmentPorts;
}

export function registerChatCommands(ports: ChatCommandPorts): Disposable {
  const { session, models, panel, dialogs, reports, chats, actions } = ports;
  const store = new DisposableStore();
  store.add(dialogs.register(commands.newChat, () => chats.create()));
  store.add(dialogs.register(commands.chatHistory, () => showHistory(ports)));
  store.add(
    dialogs.register(commands.findInChat, async () => {
      await runCommand(focusChat);
      panel.find();
    }),
  );
  store.add(dialogs.register(commands.renameChat, () => withStored(chats, (id) => actions.rename(id))));
  store.add(
    dialogs.register(commands.deleteChat, () => withStored(chats, async (id) => (await actions.remove(id))?.())),
  );
  store.add(dialogs.register(commands.exportChat, () => withStored(chats, (id) => actions.exportChat(id))));
  store.add(dialogs.register(commands.importChat, () => actions.importChats()));
  store.add(dialogs.register(commands.stopAnswer, () => session.current.stop()));
  store.add(
    dialogs.register(commands.submitTask, async () => {
      await runCommand(focusChat);
      panel.submitTask();
    }),
  );
  store.add(dialogs.register(commands.showRequest, () => showRequest(session.current, reports)));
  store.add(dialogs.register(commands.chooseModel, () => chooseModel(models)));
  store.add(
    dialogs.register(commands.addSelection, async () => {
      const editor = vscode.window.activeTextEditor;
      const reference = editor && referenceToSelection(editor);
      const text = reference === undefined ? quoteSelection() : undefined;
      if (reference === undefined && text === undefined) return;
      await runCommand(focusChat);
      if (reference) panel.tell({ type: "reference-add", reference });
      else if (text !== undefined) panel.insert(text);
    }),
  );
  store.add(
    dialogs.register(commands.addFile, async (...args) => {
      const uris = chosenFiles(args);
      if (uris.length === 0) return;
      await runCommand(focusChat);
      await addUris(ports.attachments, uris);
    }),
  );
  return store;
}

/** Does something with the shown chat; one without a prompt is not stored. */
async function withStored({ current }: ChatSessions, work: (id: string) => Promise<unknown>): Promise<void> {
  if (current.session.chat.entries.length > 0) await work(current.id);
  else void notifyInformation(t("This chat is empty."));
}

/** A menu passes the file that was clicked and all that are selected; the palette passes none. */
function chosenFiles([clicked, selected]: readonly unknown[]): readonly vscode.Uri[] {
  if (Array.isArray(selected)) return (selected as unknown[]).filter((uri) => uri instanceof vscode.Uri);
  if (clicked instanceof vscode.Uri) return [clicked];
  const active = vscode.window.activeTextEditor?.document.uri;
  return active === undefined ? [] : [active];
}

/** Length of a path in a prompt, in characters. */
const longestPath = 1000;

/** The selected text as a fenced block under its path and lines: of a document that no tool could read again. */
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

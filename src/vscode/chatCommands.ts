/** The commands of the Chat view. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { ReadonlyStore } from "../base/store";
import type { ModelCatalog } from "../models/modelCatalog";
import type { ChatSession } from "../chat/session";
import type { ChatPanel } from "./chatPanel";
import type { Dialogs } from "./dialogs";
import { referenceTo, referenceToSelection } from "./fileReferences";
import { commands, focusChat } from "./ids";
import { chooseModel } from "./modelPick";
import { runCommand } from "./runCommand";
import { notifyWarning } from "./show";
import { shownLine } from "./shownText";

export interface ChatCommandPorts {
  readonly session: ReadonlyStore<ChatSession>;
  readonly models: ModelCatalog;
  readonly panel: ChatPanel;
  readonly dialogs: Dialogs;
  readonly startChat: () => void;
}

export function registerChatCommands({ session, models, panel, dialogs, startChat }: ChatCommandPorts): Disposable {
  const store = new DisposableStore();
  store.add(dialogs.register(commands.newChat, startChat));
  store.add(dialogs.register(commands.stopAnswer, () => session.current.stop()));
  store.add(dialogs.register(commands.chooseModel, () => chooseModel(models)));
  store.add(
    dialogs.register(commands.addSelection, async () => {
      const editor = vscode.window.activeTextEditor;
      const reference = editor && referenceToSelection(editor);
      const text = reference === undefined ? quoteSelection() : undefined;
      if (reference === undefined && text === undefined) return;
      await runCommand(focusChat);
      if (reference) panel.attach(reference);
      else if (text !== undefined) panel.insert(text);
    }),
  );
  store.add(
    dialogs.register(commands.addFile, async (...args) => {
      const references = chosenFiles(args).flatMap((uri) => referenceTo(uri) ?? []);
      if (references.length === 0) {
        void notifyWarning(t("Only files in a folder of a trusted workspace can be attached."));
        return;
      }
      await runCommand(focusChat);
      for (const reference of references) panel.attach(reference);
    }),
  );
  return store;
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

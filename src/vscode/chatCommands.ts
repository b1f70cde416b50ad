/** The commands of the Chat view. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { ReadonlyStore } from "../base/store";
import { isChatModel, type ModelCatalog } from "../chat/modelCatalog";
import type { ChatSession } from "../chat/session";
import type { ChatPanel } from "./chatPanel";
import type { Dialogs } from "./dialogs";
import { commands, focusChat } from "./ids";
import { askChoice, type Choice, typedId } from "./pickSteps";

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
      const text = quoteSelection();
      if (text === undefined) return;
      await vscode.commands.executeCommand(focusChat);
      panel.insert(text);
    }),
  );
  return store;
}

async function chooseModel(models: ModelCatalog): Promise<void> {
  const { list, chat } = models.models.current;
  const choices = list.filter(isChatModel).map(({ id, note }): Choice<string> => {
    return { label: id, value: id, ...(note === undefined ? {} : { description: note }) };
  });
  const chosen = await askChoice(t("Choose Model"), {
    placeholder: choices.length > 0 ? t("Model, or type another id") : t("Type the id of a model"),
    choices,
    preselected: choices.find(({ value }) => value === chat?.id),
    typed: typedId,
  });
  if (chosen !== undefined) models.choose(chosen);
}

/** The selected text as a fenced block that says where it is from. */
function quoteSelection(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  const text = document.getText(selection);
  const place = `${vscode.workspace.asRelativePath(document.uri, false)}:${selection.start.line + 1}-${selection.end.line + 1}`;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${place}\n${fence}${document.languageId}\n${text}\n${fence}\n`;
}

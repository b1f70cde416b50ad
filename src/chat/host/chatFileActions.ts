/** The actions of a person on stored chats: rename, pin, delete with undo, export and import. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { JsonBoundsFailure } from "../../base/text/jsonParts";
import type { ChatSessions } from "../storage/chatSessions";
import type { SessionFolder } from "../storage/sessionFolder";
import { maxTitleLength, titleOf, type MetaRecord, type SessionState } from "../storage/records";
import { whyNotHere } from "../../domain/words/modeWords";
import { openFile } from "../../vscode/interface/runCommand";
import { askForFiles, askWhereToExport } from "../../vscode/interface/fileDialogs";
import { views } from "../../vscode/ids";
import { askText, notifyInformation, notifyWarning, showBusy } from "../../vscode/interface/show";
import { requestReport } from "../../domain/words/requestReport";
import type { ChatSession } from "../session/session";
import type { ReportDocuments } from "../../vscode/interface/reportDocuments";

export interface ChatFileActions {
  /** Asks for a name. An empty name makes the first prompt the title again. */
  rename(id: string): Promise<void>;
  pin(id: string, pinned: boolean): Promise<void>;
  /**
   * Resolves when the chat is deleted, or with `undefined` when nothing was deleted. The returned function offers *Undo* and resolves with whether it
   * was pressed.
   */
  remove(id: string): Promise<(() => Promise<boolean>) | undefined>;
  exportChat(id: string): Promise<void>;
  importChats(): Promise<void>;
}

/** `onChange` is called when a chat was renamed, pinned, deleted or restored. */
export function createChatFileActions(
  chats: ChatSessions,
  folder: SessionFolder,
  onChange: () => void,
): ChatFileActions {
  const change = async (id: string, record: MetaRecord): Promise<void> => {
    if (!(await chats.use(id, (stored) => stored.change(record)))) tellForeign();
    onChange();
  };
  const stateOf = (id: string): Promise<SessionState> => chats.use(id, (stored) => Promise.resolve(stored.state));
  return {
    async rename(id) {
      const state = await stateOf(id);
      const title = await askText({
        title: t("Rename Chat"),
        prompt: t("Empty: the first line of its first prompt"),
        value: titleOf(state),
        longest: maxTitleLength,
      });
      if (title !== undefined) await change(id, { type: "title-set", title: title.trim() });
    },
    pin: (id, pinned) => change(id, { type: "pin-set", pinned }),
    async remove(id) {
      const askUndo = await removeChat(chats, folder, id, await stateOf(id));
      onChange();
      return askUndo && ((): Promise<boolean> => askUndo().finally(onChange));
    },
    exportChat: async (id) => exportChat(chats, folder, id),
    importChats: async () => importChats(chats, folder),
  };
}

async function removeChat(
  chats: ChatSessions,
  folder: SessionFolder,
  id: string,
  state: SessionState,
): Promise<(() => Promise<boolean>) | undefined> {
  const pages = chats.pagesOf(id);
  if (!(await chats.release(id))) {
    tellForeign();
    return undefined;
  }
  await folder.discard(id);
  return async () => {
    const undo = t("Undo");
    const title = titleOf(state);
    if ((await notifyInformation(t("The chat “{0}” was deleted.", title), undo)) !== undo) {
      await folder.remove(id);
      return false;
    }
    await folder.restore(id);
    for (const page of pages) if (page.isEmpty) await page.show(id);
    return true;
  };
}

async function exportChat(chats: ChatSessions, folder: SessionFolder, id: string): Promise<void> {
  const state = await chats.use(id, async (stored) => {
    await stored.flush(new AbortController().signal);
    return stored.state;
  });
  const name = titleOf(state)
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  const filters = { Markdown: ["md"], JSON: ["json"] };
  const file = await askWhereToExport(t("Export Chat"), `${name.slice(0, 60) || "chat"}.md`, filters);
  if (!file) return;
  const { chatToMarkdown, exportJson } = await import("../storage/exportChat");
  const words = { you: t("You"), task: (prompt: string) => t("Task: {0}", prompt) };
  const write = async (): Promise<void> => {
    const text = file.path.endsWith(".json") ? await exportJson(folder, state) : chatToMarkdown(state, words);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  };
  await showBusy(views.chat, write());
  const open = t("Open File");
  if ((await notifyInformation(t("The chat was exported."), open)) === open) await openFile(file);
}

async function importChats(chats: ChatSessions, folder: SessionFolder): Promise<void> {
  const { importJson, maxImportLength } = await import("../storage/exportChat");
  for (const file of await askForFiles(t("Import Chat"), "JSON", ["json"])) {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > maxImportLength) {
      void notifyWarning(t("{0} is larger than 200 MB and was not imported.", file.path));
      continue;
    }
    const read = async (): Promise<{ readonly id: string | undefined } | undefined> =>
      importJson(folder, await vscode.workspace.fs.readFile(file)).then(
        (id) => ({ id }),
        (error: unknown) => {
          if (error instanceof JsonBoundsFailure) return undefined;
          throw error;
        },
      );
    const imported = await showBusy(views.chat, read());
    if (imported === undefined)
      void notifyWarning(
        t("{0} has more messages, longer ones or deeper lists than a chat can have, and was not imported.", file.path),
      );
    else if (imported.id === undefined) void notifyWarning(t("{0} is no chat that Sluice has exported.", file.path));
    else await chats.show(imported.id);
  }
}

function tellForeign(): void {
  void notifyWarning(whyNotHere());
}

/** `answer` is an id; without it the last answer is used. A message is shown while there is no answer. */
export async function showRequest(
  { chat, requests }: Pick<ChatSession, "chat" | "requests">,
  reports: ReportDocuments,
  answer?: string,
): Promise<void> {
  const answers = chat.entries.filter((entry) => entry.type === "answer");
  const entry = answers.findLast(({ id }) => answer === undefined || id === answer);
  if (!entry) {
    void notifyInformation(t("This chat has no answer yet, so there is no request to show."));
    return;
  }
  const locale = vscode.env.language;
  const traces = requests.of(entry.id).map(({ trace }) => trace);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "medium" }).format(entry.startedAt);
  await reports.show(t("Request {0}", time), requestReport(entry, traces, locale));
}

/** Shows a question about a task in VS Code: as a notification, lines in a dialog, or Markdown in its chat. Foreign text is literal in all. */
import * as vscode from "vscode";
import type { TaskQuestion } from "../../tasks/view/taskQuestion";
import type { CommandId } from "../../vscode/ids";
import { askInDetail } from "../../vscode/interface/show";
import { shownLine, shownParagraphs } from "../../vscode/interface/shownText";
import { literalMarkdown, questionLines, questionMarkdown } from "./questionText";

/** The most characters of a dialog. `AgentTasks` refuses a question that would have more, with the marks of its lines, so nothing is cut. */
const maxDialogLength = 16_000;
const maxMessageLength = 400;

/** Asks in a dialog. `asked`: the question in one sentence. Resolves with the question's action or one of `others`; `undefined` for *Cancel*. */
export function askInDialog(asked: string, question: TaskQuestion, ...others: string[]): Promise<string | undefined> {
  const detail = shownParagraphs(questionLines(question), maxDialogLength);
  return askInDetail(asked, detail, question.action, ...others);
}

/** The texts of the question that VS Code itself asks. */
export function confirmationOf(question: TaskQuestion): vscode.LanguageModelToolConfirmationMessages {
  return { title: shownLine(question.title), message: new vscode.MarkdownString(questionMarkdown(question)) };
}

export function invocationMessage(title: string): vscode.MarkdownString {
  return new vscode.MarkdownString(literalMarkdown(title));
}

/**
 * Shows a notification that stays until the signal aborts, with a link that runs a command and *Cancel*. Resolves when it is gone; true after
 * *Cancel*.
 */
export async function notifyUntil(
  ended: AbortSignal,
  message: string,
  link: { readonly label: string; readonly command: CommandId },
): Promise<boolean> {
  // `shownLine` breaks every link in the message, so the link after it is the only one.
  const title = `${shownLine(message, maxMessageLength)} [${shownLine(link.label)}](command:${link.command})`;
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_progress, token) => {
    await new Promise<void>((resolve) => {
      token.onCancellationRequested(() => resolve());
      ended.addEventListener("abort", () => resolve(), { once: true });
      if (ended.aborted) resolve();
    });
    return token.isCancellationRequested && !ended.aborted;
  });
}

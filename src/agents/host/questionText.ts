/** Writes a question about a task as lines of a dialog and as Markdown. Foreign text is literal in both. */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import type { TaskQuestion } from "../../tasks/view/taskQuestion";
import { shownParagraphs } from "../../vscode/interface/shownText";

/** More than `AgentTasks` lets through, so nothing is cut. */
const maxTextLength = 8000;

/** Adds a note on how many other waiting questions ask the same, because a yes to each of them is another paid task. */
export function amongOthers(question: TaskQuestion, others: readonly TaskQuestion[]): TaskQuestion {
  const facts = JSON.stringify(question.facts);
  const same = others.filter((other) => other.title === question.title && JSON.stringify(other.facts) === facts).length;
  if (same === 0) return question;
  const note = plural(same, {
    one: "The same is asked once more, and waits for its own answer. If you allow both, it is done twice.",
    other: "The same is asked {0} times more. Each waits for its own answer, and each that you allow is done.",
  });
  return { ...question, notes: [note, ...question.notes] };
}

/**
 * Asks, and asks again if the question has changed by the time of a yes. The question names equal tasks, and another one may be submitted while the
 * dialog is open, whose text VS Code can't update. `isAwaited`: whether the answer still counts.
 */
export async function askAsItIs(
  question: () => TaskQuestion,
  ask: (shown: TaskQuestion) => Promise<string | undefined>,
  isAwaited: () => boolean,
): Promise<{ readonly pressed: string | undefined; readonly isYes: boolean }> {
  for (;;) {
    const shown = question();
    const pressed = await ask(shown);
    const isYes = pressed === shown.action;
    if (!isYes || !isAwaited() || JSON.stringify(question()) === JSON.stringify(shown)) return { pressed, isYes };
  }
}

export function questionLines({ facts, notes }: TaskQuestion): string {
  return [...facts.map(({ name, text }) => t("{0}: {1}", name, marked(text))), "", ...notes].join("\n");
}

export function questionMarkdown({ facts, notes }: TaskQuestion): string {
  const rows = facts.map(({ name, text }) => `**${literalMarkdown(name)}:** ${literalMarkdown(marked(text))}`);
  return [rows.join("  \n"), ...notes.map(literalMarkdown)].join("\n\n");
}

/** Further lines of a text are marked, so that none of them looks like the next fact. */
function marked(text: string): string {
  return shownParagraphs(text, maxTextLength).replaceAll("\n", "\n│ ");
}

/** Every sign that Markdown could read is escaped, also those of addresses, which would become links. */
export function literalMarkdown(text: string): string {
  return shownParagraphs(text, maxTextLength)
    .replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
    .replaceAll("\n", "  \n");
}

/** The words for the options of tasks: in the form, in the quick pick, in prompt files and in the lens above a prompt. */
import { t } from "@vscode/l10n";
import { isWholeNumber, type TaskOption } from "../task/commonOptions";

interface TaskOptionWords {
  /** The name of its field. */
  readonly label: () => string;
  /** What its key in a prompt file sets. */
  readonly about: () => string;
  /** What is asked for in the quick pick. */
  readonly question: () => string;
  /** A value in the lens, among other settings. */
  readonly value: (value: string | number) => string;
  /** The message below the form's field when its value can't be parsed. */
  readonly problem: () => string;
  /** The message in the quick pick when what was typed can't be parsed. */
  readonly typedProblem: (typed: string) => string;
  /** The message on a line of a prompt file whose value can't be parsed. `quoted`: the value as the person sees it. */
  readonly writtenProblem: (quoted: string, value: string) => string;
}

export const taskOptionWords: Readonly<Record<TaskOption, TaskOptionWords>> = {
  size: {
    label: () => t("Size"),
    about: () => t("Width and height in pixels, as in 1280x720; a list makes a task for each"),
    question: () => t("Width x height in pixels, or type another size"),
    value: String,
    problem: () => t("Type width and height, as in 1280x720."),
    typedProblem: (typed) => t("{0} is no size: type width and height, as in 1280x720.", typed),
    writtenProblem: (quoted) => t("{0} is no size: write width and height, as in 1280x720.", quoted),
  },
  duration: {
    label: () => t("Duration"),
    about: () => t("Seconds; a list makes a task for each"),
    question: () => t("Seconds, or type another duration"),
    value: (value) => t("{0} s", value),
    problem: () => t("Type seconds, as in 6."),
    typedProblem: (typed) => t("{0} is no duration: type seconds, as in 6.", typed),
    writtenProblem: (quoted) => t("{0} is no duration: write seconds, as in 6 or 6s.", quoted),
  },
  seed: {
    label: () => t("Seed"),
    about: () => t("A whole number. The same number gives the same result; a list makes a task for each"),
    question: () => t("Type a whole number; the same seed makes a similar result"),
    value: (value) => t("seed {0}", value),
    problem: () => t("Type a whole number, or nothing."),
    typedProblem: (typed) =>
      isWholeNumber(typed.trim())
        ? t("{0} is larger than a seed can be: type a whole number of at most {1}.", typed, Number.MAX_SAFE_INTEGER)
        : t("{0} is no seed: type a whole number.", typed),
    writtenProblem: (quoted, value) =>
      isWholeNumber(value)
        ? t("{0} is larger than a seed can be: write a whole number of at most {1}.", quoted, Number.MAX_SAFE_INTEGER)
        : t("{0} is no seed: write a whole number.", quoted),
  },
};

interface ChoiceWords {
  readonly value: (value: string | number) => string;
  /** Any other value is typed. */
  readonly another: () => string;
}

/** The words of the options that are a list in the form; the seed is a line of text. */
export const optionChoiceWords: Readonly<Record<Exclude<TaskOption, "seed">, ChoiceWords>> = {
  size: { value: (value) => String(value).replace(/x/i, " × "), another: () => t("Another size…") },
  duration: { value: taskOptionWords.duration.value, another: () => t("Another duration…") },
};

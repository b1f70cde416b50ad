/** What is wrong with a directive of a prompt file, in words. */
import { t } from "@vscode/l10n";
import { taskTypes } from "../../../domain/task/taskTypes";
import { isWholeNumber } from "../../../domain/task/commonOptions";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { maxPromptFile, maxPromptProblems, type PromptProblem, promptKeys } from "../../prompts/directives";
import { maxVariants, maxVariantText } from "../../prompts/variants";

export function describeProblem({ reason, name, nearest }: Pick<PromptProblem, "reason" | "name" | "nearest">): string {
  const quoted = quoteForeign(name, 40);
  switch (reason) {
    case "unknown-key":
      return t("Sluice does not use {0}. It knows {1}.", quoted, promptKeys.join(", "));
    case "unused-variable":
      return t(
        "No prompt names {0} as a variable, and Sluice does not use it. It knows {1}.",
        quoted,
        promptKeys.join(", "),
      );
    case "unknown-variable":
      if (nearest !== undefined)
        return t(
          "The variable {0} has no value. The nearest name is {1}; for one of its own, write {2} between two lines of --- at the top of the file.",
          quoted,
          quoteForeign(nearest, 40),
          `${name}: …`,
        );
      return t(
        "The variable {0} has no value: write {1} between two lines of --- at the top of the file.",
        quoted,
        `${name}: …`,
      );
    case "unread-braces":
    case "bad-yaml":
    case "bad-form":
    case "duplicate-key":
    case "front-matter-too-long":
      return describeForm(reason, quoted);
    case "variants-too-long":
      return t(
        "With these values the prompts of this file have more than {0} million characters: shorten the values, or name them less often.",
        maxVariantText / 1e6,
      );
    case "too-many-variants":
      return t("These values make {0} variants of the prompt: {1} at most are submitted at once.", name, maxVariants);
    case "no-value":
      return t("{0} has no value: write {0}=….", name);
    case "too-many-values":
      return t("{0} has more than {1} values.", name, maxVariants);
    case "no-heading":
      return t(
        "No prompt is found here: each one is a paragraph or list item under a heading. Write a line such as {0} above it.",
        `# ${t("Pictures")}`,
      );
    case "bad-type":
      return t("{0} is no task type. The types are: {1}.", quoted, taskTypes.join(", "));
    case "bad-size":
      return t("{0} is no size: write width and height, as in 1280x720.", quoted);
    case "bad-duration":
      return t("{0} is no duration: write seconds, as in 6 or 6s.", quoted);
    case "bad-seed":
      return isWholeNumber(name)
        ? t("{0} is larger than a seed can be: write a whole number of at most {1}.", quoted, Number.MAX_SAFE_INTEGER)
        : t("{0} is no seed: write a whole number.", quoted);
    case "file-too-long":
      return t(
        "Nothing from here on is read: of a prompt file only the first {0} KB are, up to a heading. Put the rest into another file.",
        maxPromptFile / 1024,
      );
    case "more-problems":
      return t("There are more problems from here on. Only the first {0} are listed.", maxPromptProblems);
    case "bad-destination":
      return t("{0} is no path inside of the workspace: write one that begins in the folder of this file.", quoted);
    case "bad-model":
    case "bad-references":
      return t("{0} can't be used here.", quoted);
  }
}

/** What is written in another form than it is read in. */
function describeForm(
  reason: "unread-braces" | "bad-yaml" | "bad-form" | "duplicate-key" | "front-matter-too-long",
  quoted: string,
): string {
  switch (reason) {
    case "unread-braces":
      return t(
        "These braces would be sent as they are: {0}. A variable is written as {1}; for braces as text write {2}.",
        quoted,
        "{{name}}",
        "\\{{",
      );
    case "bad-yaml":
      return t(
        "This can't be read as YAML, so no prompt of the file is submitted. Write {0}, and put a value with special characters into quotes.",
        "key: value",
      );
    case "bad-form":
      return t(
        "The value of {0} has a form that can't be used: write a text, or a list of texts where several are taken.",
        quoted,
      );
    case "duplicate-key":
      return t("{0} is set twice. Write it once, with a list for several values.", quoted);
    case "front-matter-too-long":
      return t("These lines at the top of the file are too many to be read, so no prompt of it is submitted.");
  }
}

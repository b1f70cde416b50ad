/** The words for a tool call: what it does, why it asks, how far it is. Chosen when it is shown; the transcript stores facts. */
import { t } from "@vscode/l10n";
import { type FileReference, labelForModel } from "./attachmentSchema";
import { joinWords } from "./joinWords";
import type { AskReason, ToolAction, ToolActivity } from "./transcript";

/** *Read src/app.ts, lines 1 to 80*. Names in it are as they came: whoever shows it makes hidden characters visible. */
export function describeAction(action: ToolAction): string {
  switch (action.type) {
    case "call":
      return action.name;
    case "list-files":
      return action.folder === undefined ? t("List files") : t("List files in {0}", action.folder);
    case "read-file":
      return action.lines === undefined
        ? t("Read {0}", action.path)
        : t("Read {0}, lines {1} to {2}", action.path, action.lines.first, action.lines.last);
    case "find-text":
      return describeFindText(action);
    case "find-files":
      return action.folder === undefined
        ? t("Find files “{0}”", action.name)
        : t("Find files “{0}” in {1}", action.name, action.folder);
    case "list-symbols":
    case "find-symbols":
    case "find-definition":
    case "find-references":
    case "list-problems":
    case "list-editors":
    case "list-changes":
      return describeCodeAction(action);
    case "read-for-edit":
      return t("Read {0} to prepare an edit", action.path);
    case "edit-file":
      return action.changedLines === 1
        ? t("Edit {0}: 1 line changed", action.path)
        : t("Edit {0}: {1} lines changed", action.path, action.changedLines);
  }
}

type CodeAction = Extract<
  ToolAction,
  { type: `${string}-${"symbols" | "definition" | "references" | "problems" | "editors" | "changes"}` }
>;

function describeCodeAction(action: CodeAction): string {
  switch (action.type) {
    case "list-symbols":
      return t("List the symbols of {0}", action.path);
    case "find-symbols":
      return t("Find the symbol “{0}”", action.name);
    case "find-definition":
      return t("Find the definition of “{0}” from {1}", action.symbol, action.path);
    case "find-references":
      return t("Find references to “{0}” from {1}", action.symbol, action.path);
    case "list-problems":
      return action.path === undefined ? t("List problems") : t("List problems in {0}", action.path);
    case "list-editors":
      return t("List open editors");
    case "list-changes":
      return action.path === undefined ? t("List changes") : t("Show the changes of {0}", action.path);
  }
}

function describeFindText({ text, isPattern, folder }: Extract<ToolAction, { type: "find-text" }>): string {
  if (isPattern === true) {
    return folder === undefined ? t("Find the pattern “{0}”", text) : t("Find the pattern “{0}” in {1}", text, folder);
  }
  return folder === undefined ? t("Find “{0}”", text) : t("Find “{0}” in {1}", text, folder);
}

/** *src/app.ts:3-9*, *Problems in src/app.ts*. The path is as it came, as in `describeAction`. */
export function describeReference(reference: FileReference): string {
  const { kind, path } = reference;
  if (kind !== "problems") return labelForModel(reference);
  return path === "" ? t("Problems") : t("Problems in {0}", path);
}

/** *writes a file, git ignores it*. */
export function describeReasons(reasons: readonly AskReason[]): string {
  return joinWords(reasons.map(describeReason));
}

function describeReason(reason: AskReason): string {
  switch (reason) {
    case "writes-file":
      return t("writes a file");
    case "secret":
      return t("may hold a secret");
    case "ignored":
      return t("git ignores it");
    case "ignore-rules-unreadable":
      return t("the rules of what git ignores can't be read there");
    case "unlisted":
      return t("lies in a folder of packages or of version control");
    case "hard-link":
      return t("has another name on this disk (hard link)");
    case "executed":
      return t("changes a file that an editor, a shell, git, CI or an agent would run");
  }
}

export function describeActivity(activity: ToolActivity, locale: string): string {
  const count = new Intl.NumberFormat(locale).format(activity.files);
  return activity.files === 1 ? t("1 file searched") : t("{0} files searched", count);
}

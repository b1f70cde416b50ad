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
      return action.folder === undefined
        ? t("Find “{0}”", action.text)
        : t("Find “{0}” in {1}", action.text, action.folder);
    case "read-for-edit":
      return t("Read {0} to prepare an edit", action.path);
    case "edit-file":
      return action.changedLines === 1
        ? t("Edit {0}: 1 line changed", action.path)
        : t("Edit {0}: {1} lines changed", action.path, action.changedLines);
  }
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
    case "remote-reference":
      return t("adds an address that is loaded without a click, or a script that a package manager runs");
  }
}

export function describeActivity(activity: ToolActivity, locale: string): string {
  const count = new Intl.NumberFormat(locale).format(activity.files);
  return activity.files === 1 ? t("1 file searched") : t("{0} files searched", count);
}

/** The words for rules: what one would allow, and by which one a call was allowed. */
import { t } from "@vscode/l10n";
import { plural } from "./plural";
import type { RuleScope, RuleSubject } from "../tools/grant";
import type { Allowed } from "../chat/chat";

/** *Run “npm test …” in src*. Names in it are as they came: whoever shows it makes hidden characters visible. */
export function describeRule(subject: RuleSubject): string {
  switch (subject.type) {
    case "command":
      return describeCommand(quoteArguments(subject.argv), subject.folder, subject.open === true);
    case "plain-files":
      return t("Edit and create source files and documents, except those that a program runs or that may hold secrets");
    case "submit-task":
      return plural(
        subject.left,
        {
          one: "Submit {0} more task of the type {1}; it is paid",
          other: "Submit up to {0} more tasks of the type {1}; each is paid",
        },
        subject.left,
        subject.taskType,
      );
    case "foreign-tool":
      return t("Call the tool {0} with any arguments", subject.name);
  }
}

function describeCommand(command: string, folder: string, isOpen: boolean): string {
  if (folder === "" || folder === ".") {
    return isOpen
      ? t("Run “{0} …” in the workspace folder: names and paths of the workspace may follow", command)
      : t("Run exactly “{0}” in the workspace folder", command);
  }
  if (isOpen) return t("Run “{0} …” in {1}: names and paths of the workspace may follow", command, folder);
  return t("Run exactly “{0}” in {1}", command, folder);
}

export function describeScope(scope: RuleScope): string {
  return scope === "session" ? t("In this session") : t("In this workspace");
}

/** `undefined` for a call that a person was asked about. */
export function describeAllowed(allowed: Allowed | undefined): string | undefined {
  if (allowed === "session") return t("allowed in this session");
  return allowed === "workspace" ? t("allowed in this workspace") : undefined;
}

/** A command's words as one line for a person: words that are not plain are quoted, so that their bounds can be seen. */

function quoteArguments(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word))).join(" ");
}

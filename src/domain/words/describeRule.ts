/** The words for rules: what one would allow, and by which one a call was allowed. */
import { t } from "@vscode/l10n";
import { joinWords } from "./joinWords";
import { plural } from "./plural";
import type { RuleScope, RuleSubject } from "../tools/grant";
import type { Allowed } from "../chat/chat";
import type { SandboxLack, SandboxState } from "../tools/sandbox";

/** *Run exactly “npm test” in src*. Names in it are as they came: whoever shows it makes hidden characters visible. */
export function describeRule(subject: RuleSubject): string {
  switch (subject.type) {
    case "command":
      return describeCommand(quoteArguments(subject.argv), subject);
    case "workspace-commands":
      return subject.edited === true
        ? t(
            "Run commands in this workspace, also after files were changed by a rule. Code that the model has just written runs too, and no question lists the files",
          )
        : t(
            "Run commands that build, test, check or run files of this workspace. A command still asks if it contains code, installs, publishes, pushes, deletes, or names a secret or a path outside. It asks again after files were changed by a rule, and ends once the model reads text that others may have written",
          );
    case "plain-files":
      return subject.knowing === undefined
        ? t(
            "Edit and create source files and documents. Files that a program runs or that may hold secrets still ask. The next command outside of the sandbox asks too, and lists the changed files",
          )
        : t(
            "Edit and create source files and documents, also after reading {0}. Files that a program runs or that may hold secrets still ask",
            joinWords(subject.knowing),
          );
    case "reviewed-edits":
      return t(
        "Edit source files and documents that git tracks, for you to keep or undo. Files that a program runs or that may hold secrets still ask, and so does each edit while the model is given text that others may have written. The next command outside of the sandbox asks too, and lists the changed files",
      );
    case "submit-task":
      return describeTasks(subject);
    case "fetch":
      return t(
        "Fetch or look at pages of {0}, until the model reads a secret or text that others may have written",
        subject.origin,
      );
    case "foreign-tool":
      return t("Call the tool {0} with any arguments", subject.name);
  }
}

function describeTasks({ left, taskType, model, options }: Extract<RuleSubject, { type: "submit-task" }>): string {
  if (Object.keys(options).length === 0) {
    return plural(
      left,
      {
        one: "Submit {0} more task of the type {1} by {2}, without options; it is paid",
        other: "Submit up to {0} more tasks of the type {1} by {2}, without options; each is paid",
      },
      left,
      taskType,
      model,
    );
  }
  return plural(
    left,
    {
      one: "Submit {0} more task of the type {1} by {2}, with options no larger than {3}; it is paid",
      other: "Submit up to {0} more tasks of the type {1} by {2}, with options no larger than {3}; each is paid",
    },
    left,
    taskType,
    model,
    JSON.stringify(options),
  );
}

function describeCommand(command: string, { argv, folder, places }: Extract<RuleSubject, { type: "command" }>): string {
  const isRoot = folder === "" || folder === ".";
  if (places === undefined) {
    return isRoot
      ? t("Run exactly “{0}” in the workspace folder. It asks again after files were changed by a rule", command)
      : t("Run exactly “{0}” in {1}. It asks again after files were changed by a rule", command, folder);
  }
  const names = joinWords(places.map((at) => quoteArguments(argv.slice(at, at + 1))));
  return isRoot
    ? t(
        "Run “{0}” in the workspace folder, also with other source files and documents that git tracks in place of {1}. It asks again after files were changed by a rule",
        command,
        names,
      )
    : t(
        "Run “{0}” in {1}, also with other source files and documents that git tracks in place of {2}. It asks again after files were changed by a rule",
        command,
        folder,
        names,
      );
}

export function describeScope(scope: RuleScope): string {
  if (scope === "profile") return t("Commands in this chat, until this window closes");
  if (scope === "review") return t("Allow Edits, I Review Them After");
  if (scope === "full-profile") return t("Commands in this chat, also after edits, until this window closes");
  return scope === "session" ? t("In this chat, until this window closes") : t("In this workspace");
}

/** `undefined` for a call that a person was asked about. */
export function describeAllowed(allowed: Allowed | undefined): string | undefined {
  if (allowed === "profile" || allowed === "full-profile") return t("allowed: commands in this chat");
  if (allowed === "session") return t("allowed in this chat");
  if (allowed === "sandbox") return t("in a sandbox, on a copy of this workspace, without network");
  return allowed === "workspace" ? t("allowed in this workspace") : undefined;
}

/** A command's words as one line for a person: words that are not plain are quoted, so that their bounds can be seen. */
function quoteArguments(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word))).join(" ");
}

/** The words for the sandbox of commands: what it holds, and how to get one. */
export function sandboxTitle(sandbox: SandboxState): string {
  if (sandbox.state !== "ready") return t("No sandbox: commands ask");
  return sandbox.copies
    ? t("Sandbox with a copy: commands run without a question")
    : t("Sandbox without a copy: commands ask, and are confined");
}

export function describeSandbox(sandbox: SandboxState): string {
  switch (sandbox.state) {
    case "ready":
      return sandbox.copies
        ? t(
            "They work on a copy of this workspace, without network, home folder, secrets or other programs. Plain changes are applied and can be undone. What something runs or obeys asks first. Commands in the background and outside of the sandbox ask",
          )
        : t(
            "The system can't copy these folders. Commands can write in this workspace only, and nothing that git, editors, builds or agents obey. They have no network and see no home folder, secrets or other programs. Commands outside of the sandbox ask",
          );
    case "off":
      return t("The setting sluice.sandbox is off");
    case "missing":
      return describeLack(sandbox.why);
  }
}

function describeLack(why: SandboxLack): string {
  switch (why) {
    case "not-installed":
      return t("Install bubblewrap (package “bubblewrap” of your distribution) and reload the window");
    case "refused":
      return t("The system does not let it work: user namespaces are switched off for it");
    case "no-such":
      return t("This system has none that Sluice can use");
    case "too-wide":
      return t("A folder of this workspace holds your home folder or a part of the system");
  }
}

/** The words for a tool call: what it does, why it asks, how far it is. Chosen when it is shown; the transcript stores facts. */
import { t } from "@vscode/l10n";
import type { Price } from "../prices/priceList";
import { describePrices } from "./describePrice";
import { plural, textLanguage } from "./plural";
import { type FileReference, labelForModel, withLines } from "../chat/attachmentSchema";
import { joinWords } from "./joinWords";
import { describeSubmission } from "./taskTypeWords";
import type { AskReason, Repair, ToolAction, ToolActivity, ToolProgress } from "../chat/chat";
import { planProgress, type PlanStep } from "../chat/plan";
import type { ChangedLines } from "../chat/changedLines";

/** *Read src/app.ts, lines 1 to 80*. Names in it are as they came: whoever shows it makes hidden characters visible. */
export function describeAction(action: ToolAction): string {
  switch (action.type) {
    case "call":
      return action.name;
    case "list-files":
      return action.folder === undefined ? t("List files") : t("List files in {0}", action.folder);
    case "read-file":
      return describeReadFile(action);
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
      return describeEdit(action);
    case "change-files":
      return describeChanges(action.parts);
    case "more-files":
      return plural(
        action.count,
        { one: "1 more change: its name only", other: "{0} more changes: their names only, in a list" },
        action.count,
      );
    case "submit-task":
      return describePriced(describeSubmission(action.taskType, action.model, action.count), action.price);
    case "get-task":
    case "cancel-task":
    case "list-tasks":
    case "list-task-models":
    case "compare-results":
    case "save-result":
      return describeTaskAction(action);
    case "create-file":
      return withUnshown(t("Create {0}", action.path), action.unshown);
    case "rename-file":
      return t("Rename {0} to {1}", action.path, action.to);
    case "delete-file":
      if (action.isFinal === true) return t("Delete {0}, which can't be undone", action.path);
      return action.trash
        ? t("Move {0} to the trash", action.path)
        : t("Delete {0}: no trash here, but Undo brings it back", action.path);
    case "run-command":
      return describeCommand(action);
    case "read-process":
      return t("Look at `{0}` in the background", shortCommand(action.command));
    case "write-process":
      return t("Write “{0}” to `{1}` in the background", action.text, shortCommand(action.command));
    case "end-process":
      return t("End `{0}` in the background", shortCommand(action.command));
    case "fetch-url":
      return action.proxy === undefined
        ? t("Fetch {0}", action.url)
        : t("Fetch {0} through the proxy {1}, which looks up where the name leads", action.url, action.proxy);
    case "view-page":
      return t("Look at {0}", action.url);
    case "foreign-tool":
      return t("Call the tool {0}", action.name);
    case "update-plan":
      return action.leftDocument === true
        ? t("{0}. These are new steps: the document of the earlier plan stays as it is.", describePlan(action.steps))
        : describePlan(action.steps);
    case "present-plan":
      return t("Plan: {0}", action.title);
    case "explore":
      return t("Explore: {0}", action.question);
    case "ask-person":
      return action.answer === undefined
        ? t("Question: {0}", action.question)
        : t("Question: {0} You: {1}", action.question, action.answer);
    case "read-result":
      return t("Read more of what {0} returned", action.name);
  }
}

/** *3 of 5 · Mend the parser*. */
function describePlan(steps: readonly Omit<PlanStep, "id">[]): string {
  const { done, count, current } = planProgress(steps);
  return current === undefined
    ? t("Plan: {0} of {1} done", done, count)
    : t("Plan: {0} of {1} · {2}", done, count, current);
}

type FileAction = Extract<ToolAction, { type: `${"read" | "edit" | "create" | "rename" | "delete"}-file` }>;

/** The words for a call on one file, with its name: while it is to be done, once it is done, and where the person did not allow it. */
const fileWords: {
  readonly [T in FileAction["type"]]: {
    readonly plan: (name: string, action: Extract<FileAction, { type: T }>) => string;
    readonly done: (name: string, action: Extract<FileAction, { type: T }>) => string;
    readonly denied: (name: string) => string;
  };
} = {
  "read-file": {
    plan: (name) => t("Read {0}", name),
    done: (name) => t("Read {0}", name),
    denied: (name) => t("Not read: {0}", name),
  },
  "edit-file": {
    plan: (name) => t("Edit {0}", name),
    done: (name) => t("Edited {0}", name),
    denied: (name) => t("Not edited: {0}", name),
  },
  "create-file": {
    plan: (name) => t("Create {0}", name),
    done: (name) => t("Created {0}", name),
    denied: (name) => t("Not created: {0}", name),
  },
  "rename-file": {
    plan: (name, { path }) => t("Rename {0} to {1}", baseName(path), name),
    done: (name, { path }) => t("Renamed {0} to {1}", baseName(path), name),
    denied: (name) => t("Not renamed: {0}", name),
  },
  "delete-file": {
    plan: (_name, action) => describeAction(action),
    done: (name, { trash }) => (trash ? t("Moved {0} to the trash", name) : t("Deleted {0}", name)),
    denied: (name) => t("Not deleted: {0}", name),
  },
};

/**
 * What a call on a file does or has done, with `name` in the place of the file: *Edited greeting.ts*, *Not edited: greeting.ts*.
 * `undefined` where `describeAction` has the words.
 */
export function describeFileCall(action: ToolAction, state: ToolProgress["state"], name: string): string | undefined {
  const isDenied = state === "denied";
  if (action.type === "run-command") return isDenied ? t("Not run: `{0}`", shortCommand(action.command)) : undefined;
  if (action.type === "read-for-edit") return isDenied ? fileWords["read-file"].denied(name) : undefined;
  return action.type in fileWords ? wordsOf(action as FileAction, state, name) : undefined;
}

function wordsOf<T extends FileAction["type"]>(
  action: Extract<FileAction, { type: T }>,
  state: ToolProgress["state"],
  name: string,
): string {
  const words = fileWords[action.type];
  if (state === "denied") return words.denied(name);
  return state === "done" ? words.done(name, action) : words.plan(name, action);
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** *+3 −1*; `undefined` where no line is added or removed. */
export function lineCounts({ added, removed }: Pick<ChangedLines, "added" | "removed">): string | undefined {
  return added + removed === 0 ? undefined : `+${added} −${removed}`;
}

/** How an edit was adapted from what the model wrote; `undefined` where it was not. */
export function describeRepairs(action: ToolAction): string | undefined {
  if (action.type !== "edit-file" || action.repairs === undefined || action.repairs.length === 0) return undefined;
  return t("adapted to the file: {0}", joinWords(action.repairs.map(describeRepair)));
}

function describeReadFile({ path, lines }: Extract<ToolAction, { type: "read-file" }>): string {
  if (lines === undefined) return t("Read {0}", path);
  return lines.last === undefined
    ? t("Read {0} from line {1}", path, lines.first)
    : t("Read {0}, lines {1} to {2}", path, lines.first, lines.last);
}

function describePriced(what: string, price: readonly Price[] | undefined): string {
  return price === undefined ? what : `${what} · ${describePrices(price, textLanguage())}`;
}

/** The number of names in a title. */
const titleNames = 8;

function describeChanges(parts: Extract<ToolAction, { type: "change-files" }>["parts"]): string {
  const shown = parts.filter((part) => part.type !== "more-files");
  const listed = parts.reduce((sum, part) => sum + (part.type === "more-files" ? part.count : 0), 0);
  const count = shown.length + listed;
  const paths = [...new Set(shown.map(({ path }) => path))];
  const named = joinWords(paths.slice(0, titleNames));
  const more = Math.max(0, paths.length - titleNames) + listed;
  const names = more === 0 ? named : t("{0} and {1} more", named, more);
  return plural(count, { one: "{0} change: {1}", other: "{0} changes: {1}" }, count, names);
}

function withUnshown(words: string, unshown: "binary" | "long" | undefined): string {
  if (unshown === undefined) return words;
  return unshown === "binary" ? t("{0} (no text)", words) : t("{0} (too long to be shown)", words);
}

/** *Edit src/app.ts: 3 lines changed (as the file has it: indentation)*. */
function describeEdit({
  path,
  changedLines,
  repairs = [],
  unshown,
}: Extract<ToolAction, { type: "edit-file" }>): string {
  if (unshown !== undefined) return withUnshown(t("Edit {0}", path), unshown);
  const edit = plural(
    changedLines,
    { one: "Edit {0}: 1 line changed", other: "Edit {0}: {1} lines changed" },
    path,
    changedLines,
  );
  if (repairs.length === 0) return edit;
  return t("{0} (adapted to the file: {1})", edit, joinWords(repairs.map(describeRepair)));
}

function describeRepair(repair: Repair): string {
  switch (repair) {
    case "trailing-blanks":
      return t("blanks at the end of lines");
    case "indentation":
      return t("indentation");
    case "inner-blanks":
      return t("blanks within lines");
    case "blank-lines":
      return t("blank lines");
    case "quotes":
      return t("quotes and dashes");
    case "entities":
      return t("HTML entities");
    case "escapes":
      return t("escaped line breaks");
  }
}

type CodeAction = Extract<
  ToolAction,
  { type: `${string}-${"symbols" | "definition" | "references" | "problems" | "editors" | "changes"}` }
>;

type TaskToolAction = Extract<
  ToolAction,
  { readonly type: `${"get" | "cancel" | "list"}-task${"" | "s" | "-models"}` | "compare-results" | "save-result" }
>;

function describeTaskAction(action: TaskToolAction): string {
  switch (action.type) {
    case "get-task":
      return t("Look at the task “{0}”", action.prompt);
    case "cancel-task":
      return t("Cancel the task “{0}”", action.prompt);
    case "list-tasks":
      return t("List tasks");
    case "list-task-models":
      return t("List models for tasks");
    case "compare-results":
      return plural(action.count, { other: "Compare {0} results" }, action.count);
    case "save-result":
      return t("Save the result “{0}” as {1}", action.prompt, action.path);
  }
}

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

type CommandAction = Extract<ToolAction, { type: "run-command" }>;

function describeCommand({ command, folder, outside, isBackground }: CommandAction): string {
  const line = shortCommand(command);
  if (isBackground === true)
    return outside === undefined
      ? t("Start `{0}` in the background", line)
      : t("Start `{0}` in the background, outside of the sandbox", line);
  if (outside === undefined) return folder === undefined ? t("Run `{0}`", line) : t("Run `{0}` in {1}", line, folder);
  return folder === undefined
    ? t("Run `{0}` outside of the sandbox", line)
    : t("Run `{0}` in {1}, outside of the sandbox", line, folder);
}

/** The person who approves a command is shown all of it elsewhere. */
const maxCommandLength = 100;

function shortCommand(command: string): string {
  const [first = "", ...rest] = command.trim().split("\n");
  const isShort = first.length <= maxCommandLength && rest.length === 0;
  return isShort ? first : `${first.slice(0, maxCommandLength).toWellFormed()} …`;
}

function describeFindText({ text, isPattern, folder }: Extract<ToolAction, { type: "find-text" }>): string {
  if (isPattern === true) {
    return folder === undefined ? t("Find the pattern “{0}”", text) : t("Find the pattern “{0}” in {1}", text, folder);
  }
  return folder === undefined ? t("Find “{0}”", text) : t("Find “{0}” in {1}", text, folder);
}

/** *src/app.ts:3-9*, *Problems in src/app.ts*. The path is as it came, as in `describeAction`. */
export function describeFileReference(reference: FileReference): string {
  const { kind, path } = reference;
  if (kind !== "problems") return labelForModel(reference);
  return path === "" ? t("Problems") : t("Problems in {0}", withLines(path, reference.lines));
}

/** *changes a file, git ignores it*. */
export function describeReasons(reasons: readonly AskReason[]): string {
  return joinWords(reasons.map(describeReason));
}

function describeReason(reason: AskReason): string {
  switch (reason) {
    case "writes-file":
      return t("changes a file");
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
    case "nested-repository":
      return t("lies in a repository of its own");
    case "executed":
      return t("changes a file that an editor, a shell, git, CI or an agent would run");
    case "submits-task":
      return t("the gateway charges for it");
    case "submits-free-task":
      return t("starts a task; the local gateway makes it free of charge");
    case "cancels-task":
      return t("ends a task that is paid for when it succeeds");
    case "runs-command":
      return t("runs a program on this computer");
    case "runs-confined":
      return t("runs a program in the sandbox: it writes this workspace only, and has no network");
    case "runs-in-place":
      return t(
        "runs your project's code as your terminal would, but confined to this workspace. It also runs what it or later edits write",
      );
    case "outside-sandbox":
      return t("outside of the sandbox: it can reach the network, your files and other programs");
    case "uses-network":
      return t(
        "runs a program in the sandbox, but with the network of this computer: it can reach the internet and local services, and others may reach its ports",
      );
    case "stays-running":
      return t("goes on until you end it, the window is closed, or an hour passes without output");
    case "stages-foreign":
      return t("adds files to git that others may have written: they count as yours from then on");
    case "shell":
      return t("runs in a shell: more than plain words");
    case "remote-reference":
      return t("adds an address, which may be loaded without a click");
    case "foreign-tool":
      return t("another extension or an MCP server does it, by its own rules");
    case "fetches-url":
      return t("sends this address to its server, and reads what that answers");
    case "not-encrypted":
      return t("not encrypted");
    case "unusual-port":
      return t("a port that is unusual for the web");
    case "after-secret":
      return t("this chat holds a file that may hold a secret, and an address could send it out");
    case "taken-back":
      return t("you have taken this edit back before");
    case "views-page":
      return t("opens a page of this machine in a browser");
    case "from-copy":
      return t("a command made this on a copy: nothing of it is in the workspace yet");
    case "link":
      return t("a link, which leads elsewhere");
    case "unknown-kind":
      return t("of a kind that is not known to be plain");
    case "runnable":
      return t("may be run then");
    case "changed-meanwhile":
      return t("you or another program changed it meanwhile, and this would replace that");
  }
}

export function describeActivity(activity: ToolActivity, locale: string): string | undefined {
  if (activity.type === "command-running") return undefined;
  if (activity.type === "exploring") return describeExploring(activity, locale);
  const count = new Intl.NumberFormat(locale).format(activity.files);
  return plural(activity.files, { one: "1 file searched", other: "{0} files searched" }, count);
}

/** *12 calls · 34,000 tokens · $0.12*: what a reader has taken, so far or in all. */
export function describeExploring(
  { calls, tokens, price }: { readonly calls?: number; readonly tokens?: number; readonly price?: readonly Price[] },
  locale: string,
): string {
  const number = new Intl.NumberFormat(locale);
  const made = plural(calls ?? 0, { one: "1 call", other: "{0} calls" }, number.format(calls ?? 0));
  const took = plural(tokens ?? 0, { one: "1 token", other: "{0} tokens" }, number.format(tokens ?? 0));
  return [made, took, ...(price === undefined ? [] : [describePrices(price, locale)])].join(" · ");
}

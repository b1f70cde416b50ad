/** The commands after `/` at the beginning of the composer. What is no command is sent as it is. */
import { t } from "@vscode/l10n";
import type { ChatPageToHost } from "../../../protocol/chatPageContract";
import { CompletionList, type ListOption } from "./completionList";
import type { AttachRequest } from "./promptAttachments";

export interface SlashCommand extends ListOption {
  /** What the host does. */
  readonly intent: Extract<AttachRequest, { type: "context-add" }> | Exclude<ChatPageToHost, { type: "context-add" }>;
  /** The prompt that takes its place; without one the composer is emptied. */
  readonly prompt?: string;
}

/** In the order of the list. */
function slashCommands(): readonly SlashCommand[] {
  const code: SlashCommand["intent"] = { type: "context-add", from: "code" };
  return [
    {
      icon: "file",
      label: "/explain",
      detail: t("Explain the selection or the open file"),
      intent: code,
      prompt: t("Explain what this code does and how."),
    },
    {
      icon: "file",
      label: "/fix",
      detail: t("Find and fix faults in the selection or the open file"),
      intent: { type: "context-add", from: "code-with-problems" },
      prompt: t("Find what is wrong in this code and fix it."),
    },
    {
      icon: "file",
      label: "/tests",
      detail: t("Write tests for the selection or the open file"),
      intent: code,
      prompt: t("Write tests for this code, in the way of the tests that are there."),
    },
    { icon: "add", label: "/new", detail: t("Begin a new chat"), intent: { type: "chat-new" } },
    { icon: "chevron-down", label: "/model", detail: t("Choose the model"), intent: { type: "model-choose" } },
    {
      icon: "arrow-down",
      label: "/find",
      detail: t("Find in this chat"),
      intent: { type: "command-run", command: "find" },
    },
    {
      icon: "list-selection",
      label: "/summarize",
      detail: t("Send a summary in place of the messages so far"),
      intent: { type: "chat-summarize" },
    },
    {
      icon: "comment-discussion",
      label: "/history",
      detail: t("Open an earlier chat"),
      intent: { type: "command-run", command: "history" },
    },
    {
      icon: "new-file",
      label: "/export",
      detail: t("Save this chat as a file"),
      intent: { type: "command-run", command: "export" },
    },
  ];
}

/** `rest`: what was written after the command. */
export interface TypedCommand {
  readonly command: SlashCommand;
  readonly rest: string;
}

/** `undefined` for a text that is sent as it is: of no command, or with more text than a command takes. */
export function readCommand(text: string): TypedCommand | undefined {
  const [, word, rest = ""] = /^(\/\w+)(?:\s+([^]*))?$/.exec(text.trimEnd()) ?? [];
  const command = slashCommands().find(({ label }) => label === word);
  return command === undefined || (rest !== "" && command.prompt === undefined) ? undefined : { command, rest };
}

export class SlashCompletion {
  readonly list: CompletionList<SlashCommand>;
  /** Closed with Escape: the text is the same. */
  #shown: string | undefined;

  constructor(accept: (command: SlashCommand) => void, changed: () => void) {
    this.list = new CompletionList<SlashCommand>({ name: () => t("Commands"), accept, changed });
  }

  edited({ value, selectionStart }: HTMLTextAreaElement): void {
    const typed = value.slice(0, selectionStart);
    if (typed === this.#shown && value.length === typed.length) return;
    this.#shown = typed;
    const isCommand = /^\/\w*$/.test(typed) && !/^\S/.test(value.slice(selectionStart));
    const fitting = isCommand ? slashCommands().filter(({ label }) => label.startsWith(typed.toLowerCase())) : [];
    this.list.show(fitting, false, isCommand ? t("Nothing named “{0}”: it is sent as it is", typed) : "");
  }
}

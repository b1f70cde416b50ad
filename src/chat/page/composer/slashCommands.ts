/** The commands, prompt files and skills after `/` at the beginning of the composer. Any other text is sent unchanged. */
import { t } from "@vscode/l10n";
import {
  type ChatPageToHost,
  commandAliases,
  type CommandName,
  type PromptItem,
} from "../../contract/chatPageContract";
import { CompletionList, type ListOption } from "./completionList";
import type { AttachRequest } from "./promptAttachments";

export interface SlashCommand extends ListOption {
  readonly label: `/${CommandName}`;
  /** The intent that the command sends to the host. */
  readonly intent: Extract<AttachRequest, { type: "context-add" }> | Exclude<ChatPageToHost, { type: "context-add" }>;
  /** The prompt that replaces the command. Without one, the composer is emptied. */
  readonly prompt?: string;
}

/** The commands in the order of the list. */
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
    {
      icon: "file",
      label: "/doc",
      detail: t("Document the selection or the open file"),
      intent: code,
      prompt: t(
        "Write the documentation comment of what is declared here, in the way of this language and file: what it is for, its parameters, result and errors as far as the code shows them. Change nothing else.",
      ),
    },
    { icon: "add", label: "/new", detail: t("Begin a new chat"), intent: { type: "chat-new" } },
    { icon: "chevron-down", label: "/mode", detail: t("Choose the mode"), intent: { type: "mode-choose" } },
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
      icon: "discard",
      label: "/rewind",
      detail: t("Take back the last message, with the files it changed"),
      intent: { type: "chat-rewind", entry: "" },
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

/** `rest`: the text after the command. */
export interface TypedCommand {
  readonly command: SlashCommand;
  readonly rest: string;
}

/** `undefined` for a text that is sent unchanged: it has no command, or more text than its command takes. */
export function readCommand(text: string): TypedCommand | undefined {
  const [, word, rest = ""] = /^(\/\w+)(?:\s+([^]*))?$/.exec(text.trimEnd()) ?? [];
  const command = slashCommands().find((one) => one.label === word || aliasesOf(one).some((alias) => alias === word));
  return command === undefined || (rest !== "" && command.prompt === undefined) ? undefined : { command, rest };
}

function aliasesOf({ label }: SlashCommand): readonly string[] {
  return Object.entries(commandAliases).flatMap(([alias, name]) => (label === `/${name}` ? [`/${alias}`] : []));
}

/** The command whose name begins with the typed text. Where only an alias does, the alias is its hint. Otherwise `undefined`. */
function commandFor(command: SlashCommand, typed: string): SlashCommand | undefined {
  if (command.label.startsWith(typed)) return command;
  const alias = typed === "/" ? undefined : aliasesOf(command).find((one) => one.startsWith(typed));
  return alias === undefined ? undefined : { ...command, hint: alias };
}

/** An option for a prompt file or skill. Choosing it writes its name into the composer. */
interface PromptOption extends ListOption {
  readonly prompt: PromptItem;
}

/** Matches `/` and a name, typed up to the caret. */
const typedName = /^\/[\p{L}\p{N}\p{M}_.:-]*$/u;
/** The maximum number of rows. The rest is found by typing more. */
const rowCap = 100;

/** `rest`: the text behind the typed name. It is not part of what the choice replaces. */
export interface SlashOptions {
  readonly run: (command: SlashCommand, rest: string) => void;
  readonly write: (prompt: PromptItem, rest: string) => void;
  readonly changed: () => void;
  /** Requests the prompt files from the host. */
  readonly ask: () => void;
}

export class SlashCompletion {
  readonly list: CompletionList<SlashCommand | PromptOption>;
  readonly #options: SlashOptions;
  /** The text before the caret at the last update. A list that was closed with Escape stays closed while it is the same. */
  #shown: string | undefined;
  /** The text behind the caret at the last edit. The caret may have been moved since, but the list still belongs to the text before it. */
  #rest = "";
  /** `undefined` until the host has replied once. */
  #prompts: readonly PromptItem[] | undefined;
  #more = 0;
  #isAsked = false;

  constructor(options: SlashOptions) {
    this.#options = options;
    this.list = new CompletionList<SlashCommand | PromptOption>({
      name: () => t("Commands and prompts"),
      accept: (option) =>
        isPrompt(option) ? options.write(option.prompt, this.#rest) : options.run(option, this.#rest),
      changed: options.changed,
    });
  }

  edited({ value, selectionStart }: HTMLTextAreaElement): void {
    const typed = value.slice(0, selectionStart);
    this.#rest = value.slice(selectionStart);
    if (value.startsWith("/") && !this.#isAsked) {
      this.#isAsked = true;
      this.#options.ask();
    }
    if (typed === this.#shown && value.length === typed.length) return;
    this.#shown = typed;
    if (typedName.test(typed) && !/^\S/.test(this.#rest)) this.#show(typed, false);
    else this.list.close();
  }

  /** The prompt file whose name the text begins with. */
  promptOf(text: string): PromptItem | undefined {
    const name = /^\/(\S+)(?:\s|$)/.exec(text)?.[1]?.toLowerCase();
    return name === undefined ? undefined : this.#prompts?.find((prompt) => prompt.name.toLowerCase() === name);
  }

  received(prompts: readonly PromptItem[], more: number): void {
    const isOpen = this.#shown !== undefined && this.list.isShown && typedName.test(this.#shown);
    this.#prompts = prompts;
    this.#more = more;
    if (isOpen) this.#show(this.#shown ?? "", true);
    this.#options.changed();
  }

  /** Requests the prompt files again, because they have changed. */
  changed(): void {
    if (this.#isAsked) this.#options.ask();
  }

  #show(typed: string, keepActive: boolean): void {
    const wanted = typed.slice(1).toLowerCase();
    const prompts = this.#prompts ?? [];
    const commands = slashCommands().flatMap((command) => commandFor(command, `/${wanted}`) ?? []);
    const found = prompts.filter(({ name }) => isNamed(name, wanted)).map(optionOf);
    const options = [...commands.map((command) => ({ ...command, heading: t("Commands") })), ...found];
    const none =
      this.#prompts === undefined
        ? t("Looking for prompts…")
        : this.#more > 0
          ? t("Nothing named “{0}” among the prompts that are listed: it is sent as it is", typed)
          : t("Nothing named “{0}”: it is sent as it is", typed);
    this.list.show(options.slice(0, rowCap), keepActive, none);
  }
}

function isPrompt(option: SlashCommand | PromptOption): option is PromptOption {
  return typeof option.prompt === "object";
}

/** Whether the name, or one of its parts, begins with the typed text: `review` finds `claude:review` too. */
function isNamed(name: string, wanted: string): boolean {
  const lower = name.toLowerCase();
  return lower.startsWith(wanted) || lower.split(/[:.-]/).some((part) => part !== "" && part.startsWith(wanted));
}

function optionOf(prompt: PromptItem): PromptOption {
  const { name, group, path, description, hint, isUntracked } = prompt;
  const headings = { own: t("Your prompts"), workspace: t("Prompts of this workspace"), skill: t("Skills") };
  const origin = isUntracked && path !== undefined ? t("{0}, not in git", path) : (path ?? "");
  const detail = [description ?? "", origin].filter((part) => part !== "").join(" · ");
  return {
    icon: group === "skill" ? "lightbulb" : "list-selection",
    label: `/${name}`,
    detail,
    heading: headings[group],
    prompt,
    ...(hint === undefined ? {} : { hint }),
  };
}

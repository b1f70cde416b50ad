/** The composer: the draft, the model, Send and Stop. It clears the draft only when the host has accepted the prompt. */
import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { definedFields } from "../../../base/definedFields";
import type { FileReference } from "../../../domain/chat/attachmentSchema";
import { type QueuedPrompt, type Chat, emptyChat } from "../../../domain/chat/chat";
import { modeOf } from "../../../domain/chat/choices";
import { type ChatMode, nextMode } from "../../../domain/chat/chatMode";
import { cutLabel } from "../../../domain/words/label";
import { textLanguage } from "../../../domain/words/plural";
import type { AttachmentMessage, PromptMessage, PromptItem, ChatPageStatus } from "../../contract/chatPageContract";
import { iconButton, stopButton, type SendToHost } from "../shared/controls";
import { revealName } from "../../../webview/hiddenCharacters";
import { modeName } from "../../../domain/words/modeWords";
import {
  clearDraft,
  type ClearMessage,
  type DraftKeeper,
  type InsertMessage,
  isDoneElsewhere,
  type SavedState,
} from "../shared/savedState";
import { refuseLength, refusePrompt, stillReading } from "../shared/promptRefusal";
import { consumeKey, isTextField } from "../../../webview/keys";
import { stopKey, isSendKey, sendNowKey } from "../shared/chatKeys";
import type { IconName } from "../../../webview/icons";
import { firstClick } from "../../../webview/pageParts";
import { listId, ContextCompletion } from "./completionList";
import {
  announceMode,
  editsChip,
  modeChip,
  ModeKey,
  modeKeyHelp,
  modelChip,
  contextMeter,
  gatewayChip,
  type ShownGateway,
} from "./chips";
import { PromptAttachments } from "./promptAttachments";
import { readCommand, type SlashCommand, SlashCompletion } from "./slashCommands";

type ShownStatus = Pick<
  ChatPageStatus,
  | "model"
  | "modelFacts"
  | "effort"
  | "toolsRefused"
  | "imagesRefused"
  | "context"
  | "demoModel"
  | "trusted"
  | "edits"
  | keyof ShownGateway
>;

/** The state that the page gives the composer: the chat, and the shown part of the host's status. */
interface ComposerState {
  /** The shown chat. A prompt is sent to this chat only. */
  readonly chat: Chat;
  readonly status: ShownStatus;
  /** False until the host's first snapshot. */
  readonly ready: boolean;
}

const noStatus: ShownStatus = { connection: "starting", gateway: "", model: "", demoModel: false, trusted: true };

/** The state before the first snapshot of the host. */
const notReady: ComposerState = { chat: emptyChat(""), status: noStatus, ready: false };

export class Composer {
  readonly #place: HTMLElement;
  readonly #lists: HTMLElement;
  readonly #kept: DraftKeeper;
  readonly #send: SendToHost;
  readonly #onDraft: (draft: string, references: readonly FileReference[]) => void;
  readonly #say: (sentence: string) => void;
  readonly #context = new ContextCompletion({
    find: (query) => this.#send({ type: "context-find", query }),
    accept: ({ reference, uri, narrow }, start, end) => {
      this.#area.setRangeText(narrow === undefined ? "" : `#${narrow}`, start, end, "end");
      if (narrow !== undefined) this.#area.focus();
      else if (reference !== undefined) this.attachments.add(reference);
      else if (uri !== undefined) this.attachments.ask({ type: "uris-add", uris: [uri] });
      else this.attachments.ask({ type: "context-add", from: "selection" });
      this.#onEdit();
    },
    changed: () => this.#render(),
  });
  readonly #commands = new SlashCompletion({
    run: (command, rest) => this.#choose(command, rest.trim()),
    // The name is not sent yet, because arguments may follow.
    write: ({ name }, rest) => {
      writeStart(this.#area, `/${name} `, rest);
      this.#onEdit();
    },
    ask: () => this.#send({ type: "prompts-list" }),
    changed: () => this.#render(),
  });
  readonly attachments: PromptAttachments;
  readonly #modeKey = new ModeKey();
  readonly #recall = new PromptRecall();
  #state: ComposerState = notReady;
  #hint = "";
  /** The mode that the person chose last. It is shown before the host confirms it. */
  #mode: ChatMode = "agent";
  /** What was posted and is not yet part of the transcript or the queue. The person may type on behind it. */
  #sent: { readonly text: string; readonly references: readonly FileReference[] } | undefined;
  /** The host has not replied yet, so Enter sends nothing. */
  #isWaiting = false;
  /** Enter was pressed behind a text that the host has not accepted yet. What is left of the draft is sent once it has. `isNow`: as in `#submit`. */
  #next: { readonly isNow: boolean } | undefined;
  /** Enter was pressed before the chat was loaded. The text is sent with the first snapshot, unless it is changed or taken back before. */
  #isHeld = false;
  /** The prompt that was taken out of the queue for editing. The host may have sent it before that message arrived. */
  #taken: QueuedPrompt | undefined;

  /** `lists` is an element over the transcript, so that a list moves nothing. */
  constructor(
    { composer: place, lists }: Readonly<Record<"composer" | "lists", HTMLElement>>,
    kept: DraftKeeper,
    send: SendToHost,
    onDraft: (draft: string, references: readonly FileReference[]) => void,
    say: (sentence: string) => void,
  ) {
    this.#place = place;
    this.#lists = lists;
    this.#kept = kept;
    this.#send = send;
    this.#onDraft = onDraft;
    this.#say = say;
    const { draft, references } = kept.current;
    this.attachments = new PromptAttachments(references, {
      send,
      chat: () => this.#state.chat.id,
      changeOther: (chat, change) => kept.changeOther(chat, change),
      say: (text) => this.showHint(text),
      added: () => this.#onAttached(),
      removed: () => {
        this.#area.focus();
        this.#onEdit();
      },
      redraw: () => this.#render(),
    });
    this.#render();
    this.#area.value = draft;
    this.#onEdit();
  }

  update(state: ComposerState): void {
    const { ready, chat } = this.#state;
    this.#state = state;
    const [before, mode] = [modeOf(chat), modeOf(state.chat)];
    const isSame = chat.id === state.chat.id;
    if (ready && isSame && before !== mode) this.#say(announceMode(mode));
    if (!isSame || before !== mode) this.#mode = mode;
    if (!state.chat.running && this.#hint === stopHint()) this.showHint("");
    if (this.#isHeld && state.ready) {
      this.#isHeld = false;
      this.#submit();
    } else this.#render();
  }

  /**
   * The prompt is part of the transcript or the queue: removes it from the draft, which keeps what was typed behind it; a draft that was edited
   * otherwise stays. `isKnown`: the prompt was part of it before, so it is not the one that was just sent, even if the texts are equal.
   */
  accepted({ id, text }: Pick<QueuedPrompt, "id" | "text">, isKnown = false): void {
    const { references } = this.attachments;
    if (this.#taken?.id === id && this.#area.value === text) this.#sent = { text, references };
    else if (isKnown) return;
    const sent = this.#sent;
    if (sent?.text !== text) return;
    const next = this.#next;
    this.#sent = undefined;
    this.#area.setRangeText("", 0, text.length, "preserve");
    this.attachments.references = references.filter((one) => !sent.references.includes(one));
    this.#onEdit();
    // What reads as a command now may have been the end of the text before it.
    if (next !== undefined && readCommand(this.#area.value) === undefined) this.#submit(next.isNow, true);
  }

  /** Clears the text that became a task, or what moved to another page with its attachments, unless the text was edited meanwhile. */
  clear(message: ClearMessage): void {
    // The draft of another chat may no longer be stored but be in view, because a new chat takes over what was typed.
    if (isDoneElsewhere(this.#kept, message) || this.#area.value !== message.text) return;
    const { draft, references } = clearDraft(this.#kept.current, message);
    this.#area.value = draft;
    this.attachments.references = references;
    this.#onEdit();
  }

  /** Has the host ask which type of task the text is to become. */
  submitTask(): void {
    const { value } = this.#area;
    const text = this.#isTypedBehind ? value.slice(this.#sent?.text.length) : value;
    const refusal = refuseLength(text);
    if (refusal === undefined) this.#send({ type: "task-submit", text });
    else this.showHint(refusal);
  }

  /** Messages of the host about attachments, and text that it inserts. */
  receive(message: AttachmentMessage | InsertMessage): void {
    if (message.type === "composer-insert") {
      if (message.text === "") this.focus();
      else if (isDoneElsewhere(this.#kept, message)) return;
      else if (message.isBefore) this.#putBefore(message.text);
      else this.insert(message.text);
      return;
    }
    if (message.type === "context-found") this.#context.found(message);
    else this.attachments.receive(message);
    if (message.type === "composer-hint" && message.isRefusal) {
      // From now on, an equal prompt in the chat, such as one of another window, is not this one.
      this.#sent = undefined;
      this.#next = undefined;
      this.allowSending();
    }
    if (message.type === "attaching-ended" && this.#hint === stillReading()) this.showHint("");
  }

  /** Shows the chat's own mode again, because the refused change may be the mode that the person has chosen. */
  refuseChange(why: string): void {
    this.#mode = modeOf(this.#state.chat);
    this.showHint(why);
  }

  /** Handles the host's messages about prompt files. */
  receivePrompts(message: PromptMessage): void {
    if (message.type === "prompts-changed") this.#commands.changed();
    else this.#commands.received(message.prompts, message.more);
  }

  /** The host has accepted or refused the prompt, so the next Enter sends again. Text behind a prompt waits for what becomes of that. */
  allowSending(): void {
    if (!this.#isTypedBehind) this.#isWaiting = false;
    this.#render();
  }

  get draft(): { readonly text: string; readonly references: FileReference[] } {
    return { text: this.#area.value, references: [...this.attachments.references] };
  }

  /** Whether its content was posted and not accepted yet, or waits for the chat to be loaded. */
  get isPending(): boolean {
    return this.#isHeld || (this.#sent !== undefined && this.#sent.text === this.#area.value);
  }

  /** Replaces the content, because another chat is shown. */
  show({ draft, references }: Pick<SavedState, "draft" | "references">): void {
    this.#taken = undefined;
    if (this.#area.value === draft && this.attachments.references === references) return;
    this.#sent = undefined;
    this.#area.value = draft;
    this.attachments.references = references;
    this.#onEdit();
  }

  focus(): void {
    this.#area.focus();
  }

  /** Puts a queued prompt before the draft, to be edited. */
  take(prompt: QueuedPrompt): void {
    this.#putBefore(prompt.text);
    for (const reference of prompt.references ?? []) this.attachments.add(reference);
    this.#taken = prompt;
  }

  #putBefore(text: string): void {
    putBefore(this.#area, text);
    this.#onEdit();
  }

  /** Inserts text at the caret and focuses the text area. */
  insert(text: string): void {
    putAtCaret(this.#area, text);
    this.#onEdit();
  }

  /** Sends a suggestion. With a draft, or while nothing can be sent, only inserts it. */
  suggest(text: string): void {
    const isEmpty = this.#area.value.trim() === "";
    if (isEmpty) this.#area.value = "";
    this.insert(text);
    if (isEmpty) this.#submit();
  }

  get #area(): HTMLTextAreaElement {
    const area = this.#place.querySelector("textarea");
    if (area === null) throw new Error("The composer has no text area.");
    return area;
  }

  #onEdit(): void {
    const area = this.#area;
    if (!this.#isTypedBehind) {
      this.#sent = undefined;
      this.#isWaiting = false;
    }
    this.#isHeld = false;
    this.#next = undefined;
    this.#hint = "";
    // Without support for `field-sizing`, the height follows the number of lines.
    if (!CSS.supports("field-sizing", "content")) area.rows = Math.min(12, area.value.split("\n").length);
    this.#context.edited(area);
    this.#commands.edited(area);
    this.#onDraft(area.value, this.attachments.references);
    this.#render();
  }

  /**
   * The host may attach a file late, when the person types in another field or has pressed Enter. So the focus stays in that field, and prompts that
   * were sent or wait to be sent stay so.
   */
  #onAttached(): void {
    if (!isTextField(document.activeElement)) this.#area.focus();
    this.#hint = "";
    this.#onDraft(this.#area.value, this.attachments.references);
    this.#render();
  }

  #onKeyDown(event: KeyboardEvent): void {
    const isForMode = this.#state.status.trusted && this.#modeKey.takes(event);
    if (this.#context.list.keyDown(event) || this.#commands.list.keyDown(event)) event.preventDefault();
    else if (isForMode) {
      consumeKey(event);
      this.#mode = nextMode(this.#mode);
      this.#send({ type: "mode-set", chat: this.#state.chat.id, mode: this.#mode });
      this.#render();
    } else if (isSendKey(event)) {
      consumeKey(event);
      this.#submit(event.ctrlKey || event.metaKey);
    } else if (event.key === "Escape" && this.#isHeld) {
      consumeKey(event);
      this.#takeBack();
    } else if (event.key === "Escape" && this.#state.chat.running && this.#area.value === "") {
      // Escape makes the next Shift+Tab move the focus. So it must not stop an answer too, which may be paid.
      this.showHint(stopHint());
    } else this.#bringBack(event);
  }

  #bringBack(event: KeyboardEvent): void {
    const text = this.#recall.textFor(event, this.#area, this.#state.chat);
    if (text === undefined) return;
    consumeKey(event);
    this.#area.value = text;
    this.#onEdit();
    // A list of commands or files for the restored text would take the next arrow key.
    this.#context.list.close();
    this.#commands.list.close();
    this.#render();
    this.#say(text === "" ? t("The message is empty again.") : t("Sent before: {0}", revealName(cutLabel(text))));
  }

  #takeBack(): void {
    this.#isHeld = false;
    this.#area.focus();
    this.#render();
  }

  /**
   * Runs a command that was chosen from the list. One that takes no text is not run where text follows it, so that the text is not lost: its name is
   * completed, and a hint says that Enter sends all of it as a message.
   */
  #choose(command: SlashCommand, rest: string): void {
    if (rest === "" || command.prompt !== undefined) {
      this.#run(command, rest);
      return;
    }
    writeStart(this.#area, `${command.label} `, rest);
    this.#onEdit();
    this.showHint(t("{0} takes no text. Enter now sends all of this as a message.", command.label));
  }

  /** Runs a command. A command with a prompt only writes it into the composer, where it can be read and changed before it is sent. */
  #run({ intent, prompt }: SlashCommand, rest: string): void {
    const area = this.#area;
    // The host would refuse a rewind now.
    if (intent.type === "chat-rewind" && this.#state.chat.running) {
      this.showHint(t("An answer is running. Stop it first; your text is kept."));
      return;
    }
    area.value = [prompt ?? "", rest].filter(Boolean).join(" ");
    area.setSelectionRange(area.value.length, area.value.length);
    this.#onEdit();
    if (intent.type === "context-add") this.attachments.ask(intent);
    else this.#send(intent);
  }

  /** `isNow`: sends the prompt in the running turn, where there is one. `isNext`: the turn that runs may not be known here yet. */
  #submit(isNow = false, isNext = false): void {
    const text = this.#area.value;
    if (this.#isWaiting) {
      if (this.#isTypedBehind) this.#next = { isNow };
      return;
    }
    const typed = readCommand(text);
    if (typed !== undefined) {
      this.#run(typed.command, typed.rest);
      return;
    }
    const refusal = refusePrompt(text, this.attachments.isBusy, this.#state.chat);
    this.#hint = refusal ?? "";
    this.#isHeld = refusal === undefined && !this.#state.ready;
    if (refusal === undefined && this.#state.ready) {
      const references = [...this.attachments.references];
      this.#sent = { text, references };
      this.#isWaiting = true;
      const { id: chat, running } = this.#state.chat;
      const now = isNow && (running || isNext) ? (true as const) : undefined;
      const attached = references.length === 0 ? undefined : references;
      this.#send({ type: "prompt-submit", chat, text, ...definedFields({ references: attached, now }) });
    }
    this.#render();
  }

  showHint(text: string): void {
    this.#hint = text;
    this.#render();
  }

  /** Whether the draft is a prompt that the host has not accepted yet, and more behind it. */
  get #isTypedBehind(): boolean {
    const sent = this.#sent?.text;
    const { value } = this.#area;
    return sent !== undefined && sent !== value && value.startsWith(sent);
  }

  get #isBlank(): boolean {
    return (this.#place.querySelector("textarea")?.value ?? "").trim() === "";
  }

  #render(): void {
    render(this.#template(), this.#place);
    render(html`${this.#context.list.template()}${this.#commands.list.template()}`, this.#lists);
    this.#context.list.reveal(this.#lists);
    this.#commands.list.reveal(this.#lists);
  }

  #template(): TemplateResult {
    const { chat, status } = this.#state;
    const { running } = chat;
    const { model, trusted, context } = status;
    const idle = trusted ? t("Ask, # files, / commands") : t("Ask a question");
    const placeholder = running ? t("Queue the next message") : idle;
    const active = this.#context.list.active ?? this.#commands.list.active;
    return html`<div class="composer">
        ${this.attachments.template(status)}
        ${askedLine(
          this.#commands.promptOf(this.#place.querySelector("textarea")?.value ?? ""),
          { model, mode: this.#mode },
          this.#send,
        )}
        <textarea
          rows="1"
          aria-autocomplete="list"
          aria-controls=${active === undefined ? nothing : listId}
          aria-activedescendant=${active ?? nothing}
          aria-label=${t("Prompt")}
          aria-description=${`${trusted ? modeKeyHelp() : ""} ${t("Arrow Up in the empty box brings back what was sent.")}`.trimStart()}
          placeholder=${placeholder}
          dir="auto"
          @keydown=${(event: KeyboardEvent) => this.#onKeyDown(event)}
          @input=${() => this.#onEdit()}
          @paste=${(event: ClipboardEvent) => this.attachments.paste(event)}
        ></textarea>
        <div class="composer-bar">
          ${trusted ? iconButton("attach", t("Attach…"), () => this.attachments.ask({ type: "context-add", from: "menu" })) : nothing}
          ${gatewayChip(status, textLanguage(), () => this.#send({ type: "state-action", action: "choose-gateway" }))}
          ${modelChip(status, () => this.#send({ type: "model-choose" }))}
          <div class="composer-end">
            ${trusted ? modeChip(this.#mode, () => this.#send({ type: "mode-choose" })) : nothing}
            ${trusted && this.#mode === "agent" ? editsChip(status.edits, (review) => this.#send({ type: "edits-set", review })) : nothing}
            <div class="composer-actions">
              ${contextMeter(context, textLanguage(), (words) => this.showHint(words))}${sendButtons({
                running,
                isEmpty: this.#isBlank,
                isBlocked: this.#isWaiting || this.#isHeld,
                submitTask: () => this.submitTask(),
                submit: () => this.#submit(),
              })}${running ? stopButton(() => this.#send({ type: "turn-stop" })) : nothing}
            </div>
          </div>
        </div>
      </div>
      ${hintLine(this.#hint, this.#isHeld, () => this.#takeBack())}`;
  }
}

/** The hint about the key that stops an answer. It is shown only while an answer runs. */
function stopHint(): string {
  return t("{0} stops the answer.", stopKey);
}

/** The line above the text that shows what the typed prompt file asks for. The person decides. `now`: the model and mode of the next prompt. */
function askedLine(
  prompt: PromptItem | undefined,
  now: { readonly model: string; readonly mode: ChatMode },
  send: SendToHost,
): TemplateResult | typeof nothing {
  if (prompt === undefined) return nothing;
  const { name, knownMode, tools = [] } = prompt;
  const wanted = prompt.model === now.model ? undefined : prompt.model;
  const mode = knownMode === now.mode ? undefined : prompt.mode;
  const sentences = [
    wanted === undefined ? "" : t("This prompt asks for the model {0}.", revealName(wanted)),
    mode === undefined ? "" : t("It asks for the mode {0}.", knownMode ? modeName(knownMode) : revealName(mode)),
    tools.length === 0
      ? ""
      : t("It names tools: {0}. It is given no more than you allow.", tools.map(revealName).join(", ")),
  ].filter((sentence) => sentence !== "");
  if (sentences.length === 0) return nothing;
  const use = (what: "model" | "mode", words: string): TemplateResult =>
    html`<button type="button" class="button secondary" @click=${() => send({ type: "prompt-use", name, what })}>
      ${words}
    </button>`;
  return html`<div class="asked-for" role="status">
    <span>${sentences.join(" ")}</span>
    ${wanted !== undefined && prompt.canUseModel ? use("model", t("Use Model")) : nothing}
    ${mode !== undefined && knownMode !== undefined ? use("mode", t("Use Mode")) : nothing}
  </div>`;
}

/** The line below the composer: why something was not sent, or that it waits until the chat is loaded. */
function hintLine(hint: string, isHeld: boolean, takeBack: () => void): TemplateResult {
  const held = html`${t("Sent as soon as the chat is loaded.")}
    <button type="button" class="take-back" title=${t("Take Back (Escape)")} @click=${takeBack}>
      ${t("Take Back")}
    </button>`;
  return html`<div class="hint" role="status">${isHeld ? held : hint}</div>`;
}

/** Puts text before the draft, with a blank line between them. */
function putBefore(area: HTMLTextAreaElement, text: string): void {
  const draft = area.value.trim() === "" ? "" : `\n\n${area.value}`;
  area.value = text + draft;
  endAt(area, text);
}

/** Replaces all before the rest of the draft, and puts the caret between them. */
function writeStart(area: HTMLTextAreaElement, text: string, rest: string): void {
  area.value = text + rest.trimStart();
  endAt(area, text);
}

function putAtCaret(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
}

function endAt(area: HTMLTextAreaElement, { length }: string): void {
  area.setSelectionRange(length, length);
  area.focus();
}

/** Recalls prompts of this chat: Arrow Up in the empty composer goes to the previous one, Arrow Down forward to the empty text. */
class PromptRecall {
  /** The index of the sent text that is in the composer, counted from the newest; -1 for none. */
  #at = -1;

  /** The text that replaces that of the composer. `undefined` where the key moves the caret, in a changed text or between its lines. */
  textFor(event: KeyboardEvent, area: HTMLTextAreaElement, { entries }: Pick<Chat, "entries">): string | undefined {
    const step = stepOf(event, area);
    if (step === 0) return undefined;
    const texts = sentTexts(entries);
    if (area.value === "") this.#at = -1;
    else if (texts[this.#at] !== area.value) return undefined;
    const at = this.#at + step;
    if (at < -1 || at >= texts.length) return undefined;
    this.#at = at;
    return texts[at] ?? "";
  }
}

/** 1 for an older text, -1 for a newer one, 0 for a key that moves the caret. */
function stepOf(event: KeyboardEvent, { value, selectionStart, selectionEnd }: HTMLTextAreaElement): number {
  const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
  if (shiftKey || ctrlKey || metaKey || altKey || isComposing || selectionStart !== selectionEnd) return 0;
  if (key === "ArrowUp") return value.slice(0, selectionStart).includes("\n") ? 0 : 1;
  if (key === "ArrowDown") return value.slice(selectionEnd).includes("\n") ? 0 : -1;
  return 0;
}

/** The sent texts, newest first. Of equal texts in a row only one is kept. */
function sentTexts(entries: Chat["entries"]): readonly string[] {
  const texts = entries.flatMap((entry) => (entry.type === "user" ? [entry.text] : []));
  return texts.filter((text, at) => text !== texts[at + 1]).toReversed();
}

/** The state of the buttons that send the composer's content. */
export interface SendButtons {
  readonly running: boolean;
  readonly isEmpty: boolean;
  /** The host has not replied to the last prompt. */
  readonly isBlocked: boolean;
  readonly submitTask: () => void;
  readonly submit: () => void;
}

/** While a turn runs, the buttons are shown only if there is a draft. Otherwise Stop is alone. */
function sendButtons(of: SendButtons): TemplateResult | typeof nothing {
  const { running, isEmpty, isBlocked, submitTask, submit } = of;
  if (running && isEmpty) return nothing;
  const [label, title] = running
    ? [t("Queue"), t("Queue (Enter), send now ({0}+Enter)", sendNowKey)]
    : [t("Send"), t("Send (Enter)")];
  const task = t("Submit as Task…");
  return html`${barButton("cloud-upload", task, task, submitTask)}
  ${barButton("send", label, title, submit, isEmpty || isBlocked)}`;
}

function barButton(name: IconName, label: string, title: string, press: () => void, disabled = false): TemplateResult {
  return html`<button
    type="button"
    class="send codicon codicon-${name}"
    title=${title}
    aria-label=${label}
    ?disabled=${disabled}
    @click=${firstClick(press)}
  ></button>`;
}

/** The chat page: receives the host's messages, renders at most once a frame, and sends intents. */
import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { definedFields } from "../../base/definedFields";
import { type Chat, toolCalls, type QueuedPrompt } from "../../domain/chat/chat";
import { waitingPlan } from "../../domain/chat/planOfChat";
import { textLanguage } from "../../domain/words/plural";
import type { AnswerChanges, ChatPageMessage, ChatPageStatus, ChatPageToHost } from "../contract/chatPageContract";
import { dispatch, type Handlers } from "../../base/pageContract";
import { announce, announceReferences, announceReview } from "./announcements";
import { Composer } from "./composer/composer";
import { ApprovalBar } from "./approvalBar";
import { PlanRow } from "./planRow";
import { QuestionBar } from "./questionBar";
import { listenToKeys } from "./shared/chatKeys";
import { ChatSearch } from "./chatSearch";
import { listenToDrops } from "../../webview/dropTarget";
import { revealName } from "../../webview/hiddenCharacters";
import { icon } from "../../webview/pageParts";
import { oncePerFrame, PartFailures } from "../../webview/page";
import { FocusKeeper } from "./focusKeeper";
import { SavedStateStore } from "./savedStateStore";
import type { Anchor, HostLink } from "./shared/savedState";
import { reviewLine } from "./reviewLine";
import { processList } from "./rows/processLine";
import { emptyChatView, followAges } from "./emptyChat";
import { NoticeLine, listNotices } from "./notices";
import { buildPlaces, type Places } from "./places";
import { type RowActions, iconButton, type SendToHost } from "./shared/controls";
import { DrawnTaskCards, LiveProcesses } from "./shared/liveParts";
import { Pictures, scaleImage } from "./shared/pictures";
import { QuestionCards } from "./shared/questionCards";
import { type QueueActions, queueView } from "./queue";
import { TranscriptView } from "./transcriptView";
import { isAwaitingModel } from "./shared/turn";
import { type ChatPageState, type StateMessage, applyMessage } from "./chatPageState";

const noChanges: readonly AnswerChanges[] = [];

export class ChatPageView {
  readonly #host: HostLink;
  readonly #kept: SavedStateStore;
  readonly #taskCards = new DrawnTaskCards((tasks) => this.#send({ type: "task-cards-watch", tasks }));
  readonly #processes = new LiveProcesses();
  readonly #pictures = new Pictures((place) => this.#send({ type: "media-request", ...place }));
  readonly #questions = new QuestionCards(() => this.#approvalBar.follow());
  readonly #actions = this.#rowActions();
  readonly #approvalBar: ApprovalBar;
  readonly #questionBar: QuestionBar;
  readonly #planRow: PlanRow;
  readonly #transcript: TranscriptView;
  readonly #composer: Composer;
  readonly #search: ChatSearch;
  readonly #places: Places;
  readonly #notices: NoticeLine;
  readonly #focus: FocusKeeper;
  readonly #failures = new PartFailures((intent) => this.#send(intent));
  readonly #schedule = oncePerFrame(() => this.#render());
  #state: ChatPageState = { type: "empty" };
  #rendered: ChatPageState = this.#state;
  /** The scroll position that is still to be restored. */
  #anchor: Anchor | undefined;
  /** Whether the waiting question gets the focus once it is rendered. */
  #focusApproval = false;
  /** The id of the first entry when older ones were last requested. */
  #requested: string | undefined;

  /** `kept`: the state that the host has kept of this page. */
  constructor(root: HTMLElement, host: HostLink, kept: unknown) {
    this.#host = host;
    this.#kept = new SavedStateStore(host, kept);
    this.#places = buildPlaces(root);
    this.#notices = new NoticeLine(this.#places.notices);
    this.#transcript = new TranscriptView(
      this.#places.scroller,
      this.#actions,
      (following) => (this.#places.jump.hidden = following),
      () => this.#requestOlder(),
    );
    this.#places.scroller.prepend(this.#places.empty);
    this.#places.scroller.append(this.#places.waiting);
    this.#transcript.observe(this.#places.waiting);
    this.#places.jump.addEventListener("click", () => this.#transcript.follow());
    this.#places.scroller.addEventListener("scrollend", () => this.#kept.keepAnchor(this.#transcript.anchor));
    this.#composer = new Composer(
      this.#places,
      this.#kept,
      (intent) => this.#send(intent),
      (draft, references) => {
        for (const sentence of announceReferences(this.#kept.current, { draft, references })) this.#announce(sentence);
        this.#kept.change({ draft, references });
      },
      (sentence) => this.#announce(sentence),
    );
    this.#approvalBar = new ApprovalBar(this.#places.approval, {
      fields: this.#kept,
      send: (intent) => this.#send(intent),
      announce: (sentence) => this.#announce(sentence),
      leave: () => this.#composer.focus(),
      questions: this.#questions,
      locale: textLanguage(),
    });
    this.#questionBar = new QuestionBar(this.#places.question, {
      fields: this.#kept,
      send: (intent) => this.#send(intent),
      announce: (sentence) => this.#announce(sentence),
      leave: () => this.#composer.focus(),
    });
    this.#planRow = new PlanRow(this.#places.plan, {
      fields: this.#kept,
      send: (intent) => this.#send(intent),
      announce: (sentence) => this.#announce(sentence),
      leave: () => this.#composer.focus(),
      isOpened: () => this.#kept.isOpened("plan"),
      setOpened: (opened) => this.#kept.setOpened("plan", opened),
    });
    // The event is captured, because a long change scrolls in a box of its own and `scroll` does not bubble.
    this.#places.scroller.addEventListener("scroll", this.#approvalBar.follow, { capture: true, passive: true });
    this.#focus = new FocusKeeper(
      () => this.#composer.focus(),
      (id) => this.#send({ type: "focus-taken", id }),
    );
    addEventListener("focus", () => this.#send({ type: "page-focused" }));
    this.#search = new ChatSearch({
      place: this.#places.find,
      scroller: this.#places.scroller,
      transcript: this.#transcript,
      send: (intent) => this.#send(intent),
      requestOlder: (until) => this.#requestOlder(until),
      announce: (sentence) => this.#announce(sentence),
    });
    listenToKeys(
      () => this.#state.type !== "empty" && this.#state.snapshot.chat.running,
      (intent) => this.#send(intent),
    );
    listenToDrops(root, (isOver) => this.#places.composer.classList.toggle("dropping", isOver), {
      images: (files) => this.#composer.attachments.addImages(files),
      uris: (uris) => this.#composer.attachments.ask({ type: "uris-add", uris: [...uris] }),
      refuse: () => this.#composer.showHint(t("From outside of VS Code only images can be dropped here.")),
    });
  }

  /** Requests the first snapshot. */
  start(): void {
    followAges(() => {
      if (this.#state.type !== "empty" && this.#state.snapshot.chat.entries.length === 0) this.#schedule();
    });
    this.#send({ type: "view-ready" });
  }

  receive(message: ChatPageMessage): void {
    dispatch(this.#handlers, message);
    this.#schedule();
  }

  readonly #handlers: Handlers<ChatPageMessage> = {
    snapshot: (message) => {
      const before = this.#state;
      this.#apply(message);
      this.#requested = undefined;
      const { chat } = message.snapshot;
      // The composer changes chats at once and not with the next frame, because the next message may put text into it for this chat.
      if (chat.id !== this.#kept.current.chat)
        this.#composer.show(this.#kept.enter({ id: chat.id, isEmpty: isEmptyChat(chat) }, this.#composer.isPending));
      this.#pictures.retain(chat);
      this.#pictures.repeat();
      const shown = before.type === "empty" ? undefined : before.snapshot.chat;
      const known = new Set(shown?.id === chat.id ? newestPrompts(shown).map(({ id }) => id) : undefined);
      for (const prompt of newestPrompts(chat))
        this.#composer.accepted(prompt, shown?.id !== chat.id || known.has(prompt.id));
      this.#composer.allowSending();
    },
    events: (message) => {
      this.#apply(message);
      for (const event of message.events) {
        if (event.type === "prompt-added" || event.type === "prompt-queued") this.#composer.accepted(event);
        if (event.type === "prompt-added") this.#endEdit(event.replaces);
      }
    },
    status: (message) => this.#apply(message),
    entries: (message) => this.#apply(message),
    "chat-found": (message) => this.#search.receive(message),
    "find-open": (message) => this.#search.receive(message),
    "entry-reveal": (message) => this.#search.receive(message),
    "task-cards": ({ cards }) => this.#taskCards.receive(cards),
    media: (message) => this.#pictures.receive(message),
    "image-scale": ({ key, data, side }) =>
      void scaleImage(data, side).then((scaled) =>
        this.#send({ type: "image-scaled", key, ...definedFields({ data: scaled }) }),
      ),
    "composer-clear": (message) => {
      this.#kept.dropTyped(message.chat, message);
      this.#composer.clear(message);
    },
    "composer-insert": (message) => this.#composer.receive(message),
    "reference-add": (message) => this.#composer.receive(message),
    "picture-origin": (message) => this.#composer.receive(message),
    "context-found": (message) => this.#composer.receive(message),
    "composer-hint": (message) => this.#composer.receive(message),
    "attaching-ended": (message) => this.#composer.receive(message),
    "prompts-listed": (message) => this.#composer.receivePrompts(message),
    "prompts-changed": (message) => this.#composer.receivePrompts(message),
    "typed-add": (message) => this.#kept.addTyped(message.chat, message),
    "draft-request": () => this.#send({ type: "draft-given", ...this.#composer.draft, ...this.#kept.typed }),
    "change-refused": ({ text }) => {
      this.#composer.refuseChange(text);
      this.#questionBar.ask();
      this.#planRow.draw();
    },
    "approval-focus": () => {
      this.#focusApproval = true;
    },
    "focus-await": ({ id }) => this.#focus.await(id),
  };

  #apply(message: StateMessage): void {
    const { projection, lost } = applyMessage(this.#state, message);
    this.#state = projection;
    if (lost) this.#send({ type: "view-ready" });
  }

  /** Removes the text box of a message that was replaced by its edited text. */
  #endEdit(replaced: string | undefined): void {
    if (replaced === undefined || this.#kept.editOf(replaced) === undefined) return;
    this.#kept.endEdit(replaced);
    this.#composer.focus();
  }

  #render(): void {
    const before = this.#rendered;
    const now = this.#state;
    this.#rendered = now;
    if (now.type === "empty") return;
    const { chat, status } = now.snapshot;
    const shown = before.type === "empty" ? undefined : before.snapshot.chat;
    const first = shown === undefined;
    const places = this.#places;
    if (chat.id !== shown?.id) this.#questions.clear();
    // The composer is updated first, so that Stop works even if a later part throws.
    this.#failures.attempt("composer", () => this.#composer.update({ chat, status, ready: true }));
    const changes = status.changes ?? noChanges;
    if (chat === shown && before.type !== "empty" && concernsRows(before.snapshot.status, status)) {
      this.#failures.attempt("transcript", () => this.#transcript.update(chat, changes));
    }
    if (chat !== shown) {
      places.scroller.classList.toggle("running", chat.running);
      this.#pictures.retain(chat);
      this.#failures.attempt("transcript", () => this.#transcript.update(chat, changes));
      this.#failures.attempt("approval", () => this.#approvalBar.update(chat));
      this.#failures.attempt("question", () => this.#questionBar.update(chat));
      this.#failures.attempt("plan", () => this.#planRow.update(chat));
      this.#failures.attempt("waiting", () => render(isAwaitingModel(chat) ? waitingLine() : nothing, places.waiting));
      this.#failures.attempt("queue", () => render(queueView(chat, this.#queueActions), places.queue));
      this.#failures.attempt("instructions", () =>
        render(
          instructionChips(chat, (intent) => this.#send(intent)),
          places.instructions,
        ),
      );
      this.#failures.attempt("announcements", () => {
        for (const sentence of announce(shown, chat)) this.#announce(sentence);
      });
      // The end is followed after a new prompt or in another chat.
      if (shown !== undefined && (chat.id !== shown.id || lastPrompt(chat) !== lastPrompt(shown))) {
        this.#transcript.follow();
      }
    }
    this.#failures.attempt("processes", () => {
      this.#processes.receive(status.processes);
      render(processList(status.processes, this.#actions), places.processes);
    });
    this.#failures.attempt("review", () => {
      render(
        reviewLine(status.undecided, (intent) => this.#send(intent)),
        places.review,
      );
      if (before.type === "empty") return;
      for (const sentence of announceReview(before.snapshot.status, status)) this.#announce(sentence);
    });
    const empty = chat.entries.length === 0;
    this.#failures.attempt("empty chat", () =>
      render(
        empty
          ? emptyChatView(
              status,
              (text) => this.#composer.suggest(text),
              (intent) => this.#send(intent),
            )
          : nothing,
        places.empty,
      ),
    );
    this.#failures.attempt("notices", () =>
      this.#notices.update(listNotices(status, chat, (intent) => this.#send(intent))),
    );
    if (this.#focusApproval) this.#focusWaiting(chat);
    this.#focusApproval = false;
    this.#focus.check();
    if (first) this.#anchor = this.#kept.current.anchor;
    if (this.#search.update(chat)) this.#anchor = undefined;
    if (this.#anchor !== undefined) this.#restore(this.#anchor);
    this.#focus.report();
  }

  /** Focuses what waits for the person: a question of the model, an approval, or a plan that waits to be started. */
  #focusWaiting(chat: Chat): void {
    if (this.#questionBar.focus() || this.#approvalBar.focus() || waitingPlan(chat) === undefined) return;
    const card = [...this.#places.scroller.querySelectorAll(".plan-card")].at(-1);
    card?.querySelector<HTMLElement>(".approval-buttons .button")?.focus();
  }

  /** Restores the scroll position, or requests older entries where the position is in one of them. */
  #restore(anchor: Anchor): void {
    if (this.#transcript.restore(anchor) || !this.#requestOlder()) this.#anchor = undefined;
  }

  /** Requests the entries before the first one, only once for each first entry. False when there are none. */
  #requestOlder(until?: string): boolean {
    if (this.#state.type === "empty") return false;
    const { chat, older = 0 } = this.#state.snapshot;
    const [first] = chat.entries;
    if (first === undefined || older === 0) return false;
    if (first.id !== this.#requested)
      this.#send({ type: "entries-request", before: first.id, ...definedFields({ until }) });
    this.#requested = first.id;
    return true;
  }

  #announce(sentence: string): void {
    this.#places.live.announce(sentence);
  }

  readonly #queueActions: QueueActions = {
    send: (intent) => this.#send(intent),
    remove: ({ id }) => {
      this.#send({ type: "queue-remove", id });
      // The focused button disappears with the last row.
      if (this.#state.type !== "empty" && this.#state.snapshot.chat.queue?.length === 1) this.#composer.focus();
    },
    discard: (prompts) => {
      for (const { id } of prompts) this.#send({ type: "queue-remove", id });
      this.#composer.focus();
    },
    edit: (prompt) => {
      // The text is copied into the composer first. If the page ends between the two steps, the text exists twice and is not lost.
      this.#composer.take(prompt);
      this.#send({ type: "queue-remove", id: prompt.id });
    },
  };

  #rowActions(): RowActions {
    return {
      send: (intent) => this.#send(intent),
      isOpened: (key) => this.#kept.isOpened(key),
      setOpened: (key, opened) => this.#kept.setOpened(key, opened),
      editOf: (entry) => this.#kept.editOf(entry),
      keepEdit: (edit) => this.#kept.keepEdit(edit),
      endEdit: (entry) => this.#kept.endEdit(entry),
      suggest: (text) => this.#composer.suggest(text),
      isReady: () => this.#state.type !== "empty" && isReady(this.#state.snapshot.status),
      home: () => (this.#state.type === "empty" ? undefined : this.#state.snapshot.status.home),
      copy: (text, button) => {
        void copyText(text, button).then((done) =>
          this.#announce(done ? t("Copied") : t("Copying is not allowed here")),
        );
      },
      insertCode: (text) => this.#send({ type: "code-insert", text }),
      applyCode: (text, file) => this.#send({ type: "code-apply", text, ...definedFields({ file }) }),
      newFile: (text, language) => this.#send({ type: "code-new-file", text, language }),
      openLink: (url) => this.#send({ type: "link-open", url }),
      report: (what, error) => this.#failures.report(what, error),
      announce: (sentence) => this.#announce(sentence),
      leaveEnd: (by) => this.#transcript.leaveEnd(by),
      showTop: (element) => this.#transcript.showTop(element),
      taskCards: this.#taskCards,
      questions: this.#questions,
      pictures: this.#pictures,
      processes: this.#processes,
      locale: textLanguage(),
      prices: () => (this.#state.type === "empty" ? undefined : this.#state.snapshot.status.prices),
      isLocal: () => this.#state.type !== "empty" && this.#state.snapshot.status.local === true,
    };
  }

  #send(intent: ChatPageToHost): void {
    this.#host.postMessage(intent);
  }
}

const isReady = ({ connection, problem }: ChatPageStatus): boolean => connection === "ready" && !problem;

function concernsRows(before: ChatPageStatus, now: ChatPageStatus): boolean {
  return (
    (now.changes ?? noChanges) !== (before.changes ?? noChanges) ||
    isReady(before) !== isReady(now) ||
    before.home !== now.home ||
    JSON.stringify(before.prices) !== JSON.stringify(now.prices)
  );
}

const waitingLine = (): unknown =>
  html`<div class="end">${icon("loading codicon-modifier-spin")}<span>${t("Waiting for the model…")}</span></div>`;

/** The instructions that guide the model in this chat, above the composer. Each chip opens its file and can remove it from the chat. */
function instructionChips(chat: Chat, send: SendToHost): TemplateResult | typeof nothing {
  const used = usedInstructions(chat);
  const offered = chat.environment?.offered ?? [];
  if (used.length + offered.length === 0) return nothing;
  return html`<ul class="chips instructions" aria-label=${t("Instructions")}>
    ${used.map((path) => usedChip(path, send))} ${offered.map((path) => offeredChip(path, send))}
  </ul>`;
}

/** The paths of the instructions in the requests. The person's own come first. */
function usedInstructions({ environment, entries, removedInstructions: removed = [] }: Chat): readonly string[] {
  const nested = entries.flatMap((entry) =>
    entry.type === "answer"
      ? toolCalls(entry).flatMap(({ progress }) => (progress.state === "done" ? (progress.instructions ?? []) : []))
      : [],
  );
  const paths = [...(environment?.instructions ?? []), ...nested].map(({ path }) => path);
  return [...new Set(paths)].filter((path) => !removed.includes(path));
}

function usedChip(path: string, send: SendToHost): TemplateResult {
  const name = nameOf(path);
  return html`<li class="file-chip">
    ${openButton(path, name, send)}${iconButton("close", t("Take {0} out of this chat", name), () => send({ type: "instructions-remove", path }))}
  </li>`;
}

/** A chip for a file that git does not track. Such a file may come from a download, so it is used only if the person allows it. */
function offeredChip(path: string, send: SendToHost): TemplateResult {
  const name = nameOf(path);
  return html`<li class="file-chip offered">
    ${openButton(path, name, send, t("not used"))}<button
      type="button"
      class="button quiet"
      title=${t("git does not track {0}. Look at it first: it guides the model from then on.", name)}
      @click=${() => send({ type: "instructions-allow", path })}
    >
      ${t("Use")}
    </button>
  </li>`;
}

/** `state` is not shortened where the name is cut. */
function openButton(path: string, name: string, send: SendToHost, state?: string): TemplateResult {
  return html`<button
    type="button"
    class="chip-open"
    title=${t("Open {0}", name)}
    @click=${() => send({ type: "instructions-open", path })}
  >
    ${icon("list-selection")}<span>${name}</span>${state === undefined ? nothing : html`<span class="chip-state">· ${state}</span>`}
  </button>`;
}

function nameOf(path: string): string {
  return path === "" ? t("Your instructions") : revealName(path);
}

function lastPrompt(chat: Chat): string | undefined {
  return chat.entries.findLast((entry) => !("blocks" in entry))?.id;
}

function isEmptyChat({ entries, queue = [] }: Chat): boolean {
  return entries.length === 0 && queue.length === 0;
}

/** The newest entry and the queue. One of them may be the prompt that the composer has sent. */
function newestPrompts({ entries, queue = [] }: Chat): readonly Pick<QueuedPrompt, "id" | "text">[] {
  const last = entries.findLast((entry) => entry.type === "user");
  return last ? [last, ...queue] : queue;
}

/** Milliseconds for which the copy button shows a check mark. */
const checkMarkTime = 1500;

/** Resolves with whether the text is on the clipboard. */
async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  button.classList.replace("codicon-copy", "codicon-check");
  setTimeout(() => button.classList.replace("codicon-check", "codicon-copy"), checkMarkTime);
  return true;
}

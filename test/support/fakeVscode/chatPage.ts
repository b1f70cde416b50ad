/** The chat's page as its messages: keeps the copy that the page would draw, and sends what a person does in it. */
import type { AnswerEntry, Chat, Entry, ToolCallBlock } from "../../../src/domain/chat/chat";
import type {
  ChatPageIntent,
  ChatPageMessage,
  ChatPageSnapshot,
  TaskCardState,
} from "../../../src/chat/contract/chatPageContract";
import type { FileReference } from "../../../src/domain/chat/attachmentSchema";
import { parseJson } from "../../../src/base/jsonValue";
import { SavedStateStore } from "../../../src/chat/page/savedStateStore";
import { clearDraft, type HostLink, isDoneElsewhere } from "../../../src/chat/page/shared/savedState";
import { applyMessage, type ChatPageState, type StateMessage } from "../../../src/chat/page/chatPageState";
import type { FakeWindow } from "./fakeWindow";
import type { FakePage } from "./webviews";

/** The state that the host has put into the page. */
function keptStateIn(html: string): unknown {
  const [, state = ""] = /data-state="([^"]*)"/.exec(html) ?? [];
  return parseJson(
    state.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}

const stateMessages = new Set(["snapshot", "events", "status", "entries"]);

type Decision = Extract<ChatPageIntent, { readonly type: "approval-decide" }>;
type Waiting = Extract<ToolCallBlock["progress"], { readonly state: "waiting" }>;

export class ChatPage {
  readonly page: FakePage;
  readonly #window: FakeWindow;
  #state: ChatPageState = { type: "empty" };
  #read = 0;
  /** The content of the composer and what else is typed, also in chats that are not shown. */
  readonly #kept: SavedStateStore;
  /** Where it is false, requests for the focus wait for `takeFocus`, as while a page is being drawn. */
  takesFocus = true;
  readonly #focusAsked: number[] = [];

  constructor(window: FakeWindow, page: FakePage) {
    this.#window = window;
    this.page = page;
    const host: HostLink = {
      getState: () => page.savedState,
      setState: (state) => (page.savedState = state),
      postMessage: (message) => this.send(message as ChatPageIntent),
    };
    this.#kept = new SavedStateStore(host, keptStateIn(page.html));
    page.onShown = () => this.send({ type: "view-ready" });
    page.onPosted = ({ type, id }) => {
      if (type === "draft-request")
        this.send({ type: "draft-given", text: this.draft, references: [...this.references], ...this.kept.typed });
      if (type !== "focus-await") return;
      this.#focusAsked.push(Number(id));
      // It draws nothing, so it takes the focus at once.
      if (this.takesFocus) this.takeFocus();
    };
  }

  /** Answers all requests for the focus. */
  takeFocus(): void {
    this.send({ type: "page-focused" });
    for (const id of this.#focusAsked.splice(0)) this.send({ type: "focus-taken", id });
  }

  /** The text in the composer. */
  get draft(): string {
    return this.kept.current.draft;
  }
  set draft(draft: string) {
    this.kept.change({ draft });
  }

  /** What is typed, in the composer and elsewhere. */
  get kept(): SavedStateStore {
    this.#follow();
    return this.#kept;
  }

  /** The attachments of the text in the composer. */
  get references(): readonly FileReference[] {
    return this.kept.current.references;
  }
  set references(references: readonly FileReference[]) {
    this.kept.change({ references });
  }

  /** All that was posted to the page. */
  get messages(): readonly ChatPageMessage[] {
    return this.page.messages as unknown as readonly ChatPageMessage[];
  }

  get snapshot(): ChatPageSnapshot {
    this.#follow();
    if (this.#state.type === "empty") throw new Error("The page has got no snapshot.");
    return this.#state.snapshot;
  }
  get chat(): Chat {
    return this.snapshot.chat;
  }
  get entries(): readonly Entry[] {
    return this.chat.entries;
  }
  get answers(): readonly AnswerEntry[] {
    return this.entries.filter((entry) => entry.type === "answer");
  }
  /** The tool calls of all answers, in order. */
  get calls(): readonly ToolCallBlock[] {
    return this.answers.flatMap(({ blocks }) => blocks.filter((block) => block.type === "tool-call"));
  }

  #follow(): void {
    const unread = this.messages.slice(this.#read);
    this.#read = this.messages.length;
    for (const message of unread) {
      this.#followComposer(message);
      if (!stateMessages.has(message.type)) continue;
      const { projection, lost } = applyMessage(this.#state, message as StateMessage);
      this.#state = projection;
      this.#enter();
      if (lost) this.send({ type: "view-ready" });
    }
  }

  /** The composer changes its draft with the chat, as the page's does. */
  #enter(): void {
    if (this.#state.type === "empty") return;
    const { id, entries, queue = [] } = this.#state.snapshot.chat;
    if (id !== this.#kept.current.chat)
      this.#kept.enter({ id, isEmpty: entries.length === 0 && queue.length === 0 }, false);
  }

  #followComposer(message: ChatPageMessage): void {
    const { draft, references } = this.#kept.current;
    if (message.type === "reference-add") {
      const add = <D extends { readonly references: readonly FileReference[] }>(to: D): D => ({
        ...to,
        references: [...to.references, message.reference],
      });
      if (!this.#kept.changeOther(message.chat, add)) this.#kept.change(add({ references }));
    } else if (message.type === "composer-insert") {
      if (isDoneElsewhere(this.#kept, message)) return;
      const { text } = message;
      this.#kept.change({ draft: message.isBefore && draft !== "" ? `${text}\n\n${draft}` : draft + text });
    } else if (message.type === "typed-add") {
      this.#kept.addTyped(message.chat, message);
    } else if (message.type === "composer-clear") {
      this.#kept.dropTyped(message.chat, message);
      if (isDoneElsewhere(this.#kept, message) || draft !== message.text) return;
      this.#kept.change(clearDraft({ draft, references }, message));
    }
  }

  /** Sends what a person does in the page. */
  send(intent: ChatPageIntent | { readonly type: "view-ready" }): void {
    this.page.send(intent);
  }

  async until<T>(what: string, holds: (page: ChatPage) => T | PromiseLike<T>): Promise<NonNullable<Exclude<T, false>>> {
    return this.#window.until(`${what} (${this.#describe()})`, () => holds(this));
  }

  #describe(): string {
    return this.#state.type === "empty" ? "no snapshot" : `${this.entries.length} entries before`;
  }

  /** Sends a prompt; resolves when its turn has begun. */
  async ask(text: string): Promise<void> {
    const before = this.entries.length;
    this.send({ type: "prompt-submit", chat: this.chat.id, text });
    await this.until("the turn has begun", () => this.entries.length > before);
  }

  /** Resolves with the last answer when no turn runs. */
  async ended(): Promise<AnswerEntry> {
    await this.until("the turn has ended", () => !this.chat.running);
    const last = this.answers.at(-1);
    if (!last) throw new Error("The chat has no answer.");
    return last;
  }

  /** Sends a prompt, and waits for the end of its turn. */
  async turn(text: string): Promise<AnswerEntry> {
    await this.ask(text);
    return this.ended();
  }

  /** Waits for the call that asks whether it may run. */
  async approval(): Promise<Waiting> {
    return this.until("a call asks", () => {
      for (const { progress } of this.calls) if (progress.state === "waiting") return progress;
      return undefined;
    });
  }

  /** Waits until the turn has ended or a call asks. */
  async stopped(): Promise<void> {
    const asks = (): boolean => this.calls.some(({ progress }) => progress.state === "waiting");
    await this.until("the turn has ended, or a call asks", () => !this.chat.running || asks());
  }

  /** Answers the call that asks; `scope`: a yes for longer that it offers. */
  async decide(allow: boolean, more: Pick<Decision, "note" | "scope"> = {}): Promise<void> {
    const { approval } = await this.approval();
    this.send({ type: "approval-decide", approval: approval.id, allow, ...more });
    await this.until("it is decided", () =>
      this.calls.every(({ progress }) => progress.state !== "waiting" || progress.approval.id !== approval.id),
    );
  }
}

/** The card of a task, which the page watches from then on. */
export async function cardOf(
  chat: ChatPage,
  task: string,
  holds: (card: TaskCardState) => boolean = ({ view }) => view !== undefined,
): Promise<TaskCardState> {
  chat.send({ type: "task-cards-watch", tasks: [task] });
  return chat.until(`a card of ${task}`, ({ messages }) =>
    messages
      .flatMap((message) => (message.type === "task-cards" ? message.cards : []))
      .findLast((card) => card.id === task && holds(card)),
  );
}

/** Opens the chat's view, and waits until it is connected, or shows that other state. */
export async function openChat(
  window: FakeWindow,
  connection: ChatPageSnapshot["status"]["connection"] = "ready",
): Promise<ChatPage> {
  const page = (await window.showView("sluice.chat"))!;
  const chat = new ChatPage(window, page);
  await beginPage(window, chat, connection);
  return chat;
}

/** A chat's page in a tab that is not one of `known`. A command that opens it ends only once the page is there. */
export async function chatInTab(window: FakeWindow, known: readonly FakePage[] = []): Promise<ChatPage> {
  const page = await window.until("a tab with a chat", () =>
    window.webviews.panels.find((one) => one.viewType === "sluice.chatTab" && !known.includes(one)),
  );
  const chat = new ChatPage(window, page);
  await beginPage(window, chat);
  return chat;
}

async function beginPage(
  window: FakeWindow,
  chat: ChatPage,
  connection: ChatPageSnapshot["status"]["connection"] = "ready",
): Promise<void> {
  chat.send({ type: "view-ready" });
  await window.until("the page has a snapshot with a model", () => {
    const known = chat.messages.some(({ type }) => type === "snapshot");
    return known && chat.snapshot.status.connection === connection;
  });
}

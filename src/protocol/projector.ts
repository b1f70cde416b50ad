/** The chat on its way to the page: a snapshot when the page is ready, then deltas, at most one message a frame or two (P2, P3). */
import type { Clock } from "../base/clock";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { Event } from "../base/event";
import type { ReadonlyStore } from "../base/store";
import { mergeDeltas } from "../domain/chat";
import type { Chat, SessionEvent } from "../domain/transcript";
import type { PanelStatus, ToView } from "./messages";

export interface ChatSource {
  readonly chat: Chat;
  readonly onDidEmit: Event<SessionEvent>;
}

/** How long deltas are gathered, in milliseconds. */
const gathering = 33;

export class Projector implements Disposable {
  readonly #post: (message: ToView) => void;
  readonly #status: ReadonlyStore<PanelStatus>;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  readonly #registrations = new DisposableStore();
  #source: ChatSource;
  #listening: Disposable;
  #ready = false;
  #revision = 0;
  #gathered: SessionEvent[] = [];

  constructor(source: ChatSource, status: ReadonlyStore<PanelStatus>, clock: Clock, post: (message: ToView) => void) {
    this.#source = source;
    this.#status = status;
    this.#clock = clock;
    this.#post = post;
    this.#listening = source.onDidEmit((event) => this.#gather(event));
    this.#registrations.add(
      status.onDidChange(({ now }) => {
        if (this.#ready) post({ type: "status", status: now });
      }),
    );
  }

  /** The page is there, or missed something. What was gathered is in the snapshot. */
  sendSnapshot(): void {
    this.#ready = true;
    this.#gathered = [];
    this.#post({ type: "snapshot", revision: this.#revision, chat: this.#source.chat, status: this.#status.current });
  }

  /** The page is hidden or gone: nothing is posted until it asks again. */
  pause(): void {
    this.#ready = false;
    this.#gathered = [];
  }

  /** Shows another chat. */
  show(source: ChatSource): void {
    this.#listening.dispose();
    this.#source = source;
    this.#listening = source.onDidEmit((event) => this.#gather(event));
    if (this.#ready) this.sendSnapshot();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#registrations.dispose();
    this.#ended.abort();
  }

  #gather(event: SessionEvent): void {
    if (!this.#ready) return;
    const last = this.#gathered.at(-1);
    const merged = last && mergeEvents(last, event);
    if (merged) this.#gathered[this.#gathered.length - 1] = merged;
    else this.#gathered.push(event);
    if (this.#gathered.length === 1 && !merged) {
      this.#clock.delay(gathering, this.#ended.signal).then(
        () => this.#flush(),
        () => undefined,
      );
    }
  }

  #flush(): void {
    if (this.#gathered.length === 0) return;
    const events = this.#gathered;
    this.#gathered = [];
    this.#post({ type: "events", after: this.#revision, events });
    this.#revision += events.length;
  }
}

function mergeEvents(last: SessionEvent, next: SessionEvent): SessionEvent | undefined {
  if (last.type !== "answer-event" || next.type !== "answer-event" || last.id !== next.id) return undefined;
  const event = mergeDeltas(last.event, next.event);
  return event && { ...last, event };
}

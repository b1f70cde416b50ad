/**
 * Projects a model to a page (P2, P3). The host sends a snapshot when the page asks for one, then events: the first after a quiet time at once, the
 * next ones batched, one message for a frame or two. The page keeps its copy with `applyProjected`.
 */
import type { Clock } from "./clock";
import type { Disposable } from "./disposable";
import type { Event } from "./event";

/** The state that a page shows, and its changes: the snapshot reduced by an event is the next snapshot. */
export interface ProjectedSource<Snapshot, E> {
  readonly snapshot: Snapshot;
  readonly onDidEmit: Event<E>;
}

export type ProjectedMessage<Snapshot, E> =
  /** Everything. `revision` counts the events before it. */
  | { readonly type: "snapshot"; readonly revision: number; readonly snapshot: Snapshot }
  /** `events` lead from revision `after` to `after + events.length`; a page that missed some asks for a snapshot. */
  | { readonly type: "events"; readonly after: number; readonly events: readonly E[] };

interface ProjectorOptions<Snapshot, E> {
  readonly source: ProjectedSource<Snapshot, E>;
  readonly clock: Clock;
  readonly post: (message: ProjectedMessage<Snapshot, E>) => void;
  /** Returns one event with the effect of both, or `undefined` where none exists. */
  readonly merge: (last: E, next: E) => E | undefined;
}

/** Milliseconds after a message for which events are gathered. */
const batchTime = 33;

export class Projector<Snapshot, E> implements Disposable {
  readonly #options: ProjectorOptions<Snapshot, E>;
  readonly #ended = new AbortController();
  #source: ProjectedSource<Snapshot, E>;
  #listening: Disposable;
  #ready = false;
  #revision = 0;
  #gathered: E[] = [];
  /** True while events are gathered: a message is about to be posted, or one was posted within the last `batchTime`. */
  #isPaced = false;

  constructor(options: ProjectorOptions<Snapshot, E>) {
    this.#options = options;
    this.#source = options.source;
    this.#listening = this.#source.onDidEmit((event) => this.#gather(event));
  }

  /** Whether the page has a snapshot and is visible. */
  get isReady(): boolean {
    return this.#ready;
  }

  /** Sends the snapshot to a page that was loaded or missed events. Gathered events are part of it, so they are dropped. */
  sendSnapshot(): void {
    this.#ready = true;
    this.#gathered = [];
    this.#options.post({ type: "snapshot", revision: this.#revision, snapshot: this.#source.snapshot });
  }

  /** Stops posting because the page is hidden or closed, until it asks for a snapshot again. */
  pause(): void {
    this.#ready = false;
    this.#gathered = [];
  }

  /** Shows another source of the same kind. Gathered events of the former source are sent first: one may be the response to an intent. */
  show(source: ProjectedSource<Snapshot, E>): void {
    this.#listening.dispose();
    this.#flush();
    this.#source = source;
    this.#listening = source.onDidEmit((event) => this.#gather(event));
    if (this.#ready) this.sendSnapshot();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#ended.abort();
  }

  #gather(event: E): void {
    if (!this.#ready) return;
    const last = this.#gathered.at(-1);
    const merged = last === undefined ? undefined : this.#options.merge(last, event);
    if (merged !== undefined) this.#gathered[this.#gathered.length - 1] = merged;
    else this.#gathered.push(event);
    if (!this.#isPaced) void this.#postGathered();
  }

  /** Posts batches until a `batchTime` passes without events. It first waits for a macrotask, as a chunk's events come in several microtasks. */
  async #postGathered(): Promise<void> {
    const { signal } = this.#ended;
    const pause = (ms: number): Promise<unknown> => this.#options.clock.delay(ms, signal).catch(() => undefined);
    this.#isPaced = true;
    await pause(0);
    while (this.#gathered.length > 0 && !signal.aborted) {
      this.#flush();
      await pause(batchTime);
    }
    this.#isPaced = false;
  }

  #flush(): void {
    if (this.#gathered.length === 0) return;
    const events = this.#gathered;
    this.#gathered = [];
    this.#options.post({ type: "events", after: this.#revision, events });
    this.#revision += events.length;
  }
}

// Applies the host's messages to the copy of a page: revisions come in order, and a gap is noticed. Pure.

export type Projection<Snapshot> =
  | { readonly type: "empty" }
  | { readonly type: "known"; readonly revision: number; readonly snapshot: Snapshot }
  /** Revisions were missed: the old copy is shown until the next snapshot comes. */
  | { readonly type: "behind"; readonly revision: number; readonly snapshot: Snapshot };

export interface ProjectionChange<Snapshot> {
  readonly projection: Projection<Snapshot>;
  /** A snapshot must be requested; true once for each gap. */
  readonly lost: boolean;
}

export function applyProjected<Snapshot, E>(
  projection: Projection<Snapshot>,
  message: ProjectedMessage<Snapshot, E>,
  reduce: (snapshot: Snapshot, event: E) => Snapshot,
): ProjectionChange<Snapshot> {
  if (message.type === "snapshot") {
    const { revision, snapshot } = message;
    return { projection: { type: "known", revision, snapshot }, lost: false };
  }
  if (projection.type !== "known") return { projection, lost: false };
  const behind = { projection: { ...projection, type: "behind" }, lost: true } as const;
  if (message.after > projection.revision) return behind;
  const revision = message.after + message.events.length;
  if (revision <= projection.revision) return { projection, lost: false };
  try {
    let { snapshot } = projection;
    for (const event of message.events.slice(projection.revision - message.after)) {
      snapshot = reduce(snapshot, event);
    }
    return { projection: { type: "known", revision, snapshot }, lost: false };
  } catch {
    return behind;
  }
}

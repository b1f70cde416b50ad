/** Holds one immutable value and reports its changes. Setting the value that it already holds fires no event. */
import { Emitter, type Event } from "./event";

export interface Change<S> {
  readonly now: S;
  readonly before: S;
}

export interface ReadonlyStore<S> {
  readonly current: S;
  readonly onDidChange: Event<Change<S>>;
}

export class Store<S> implements ReadonlyStore<S> {
  readonly #changed = new Emitter<Change<S>>();
  #current: S;

  constructor(initial: S) {
    this.#current = initial;
  }

  get current(): S {
    return this.#current;
  }

  readonly onDidChange: Event<Change<S>> = this.#changed.event;

  set(now: S): void {
    const before = this.#current;
    if (Object.is(now, before)) return;
    this.#current = now;
    this.#changed.fire({ now, before });
  }
}

/** Typed events for all layers. `Event` has the shape of `vscode.Event`, so that both can be listened to in the same way. */
import { type Disposable, toDisposable } from "./disposable";

export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/** Calls the listeners that were registered when `fire` was called. One that throws does not prevent the others; the first error is rethrown. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = (listener) => {
    const entry = (value: T): unknown => listener(value);
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  };

  fire(value: T): void {
    const failures: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** Typed events for all layers. `Event` has the shape of `vscode.Event`, so that both can be listened to in the same way. */
import { type Disposable, toDisposable } from "./disposable";

export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/**
 * `fire` calls each listener that is registered at that moment, also one that another listener removes meanwhile. A listener that throws does not
 * keep `fire` from calling the others; the first error is thrown again at the end.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = (listener) => {
    // Each registration is a function of its own, so a listener that is registered twice is called twice.
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

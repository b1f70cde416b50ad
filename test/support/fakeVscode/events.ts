/** VS Code's events, disposables and cancellation, as the extension host has them. */
import type * as vscode from "vscode";

export class Disposable {
  #dispose: (() => unknown) | undefined;

  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }

  static from(...parts: { dispose: () => unknown }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }

  dispose(): unknown {
    const dispose = this.#dispose;
    this.#dispose = undefined;
    return dispose?.();
  }
}

type Listener<T> = (event: T) => unknown;

/** A listener that throws does not keep the others from the event: VS Code logs it. */
export class EventEmitter<T> {
  readonly #listeners = new Set<{ readonly hear: Listener<T> }>();

  readonly event: vscode.Event<T> = (listener, self?: unknown, disposables?: { dispose: () => unknown }[]) => {
    const entry = { hear: self === undefined ? listener : (listener.bind(self) as Listener<T>) };
    this.#listeners.add(entry);
    const registration = new Disposable(() => this.#listeners.delete(entry));
    disposables?.push(registration);
    return registration;
  };

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  fire(event: T): void {
    for (const { hear } of [...this.#listeners]) {
      try {
        hear(event);
      } catch (error) {
        // An unhandled rejection fails the test, and the other listeners still hear the event.
        void Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<unknown>();
  #isCancelled = false;
  readonly token: vscode.CancellationToken;

  constructor() {
    const isCancelled = (): boolean => this.#isCancelled;
    this.token = {
      get isCancellationRequested() {
        return isCancelled();
      },
      onCancellationRequested: (listener, self?: unknown, disposables?: vscode.Disposable[]) => {
        if (!isCancelled()) return this.#cancelled.event(listener, self, disposables);
        setTimeout(() => {
          listener.call(self, undefined);
        }, 0);
        return new Disposable(() => undefined);
      },
    };
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#cancelled.fire(undefined);
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export class CancellationError extends Error {
  constructor() {
    super("Canceled");
    this.name = "Canceled";
  }
}

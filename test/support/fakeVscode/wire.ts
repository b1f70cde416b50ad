/** Carries messages between the extension and its window: they keep their order and arrive in a later turn, as over VS Code's connection. */

/** Counts the changes of what is shown, so that a test waits for changes and does not poll. */
export class Changes {
  #version = 0;
  #waiters: (() => void)[] = [];

  get version(): number {
    return this.#version;
  }

  note(): void {
    this.#version += 1;
    for (const wake of this.#waiters.splice(0)) wake();
  }

  /** Resolves with true at the first change after `seen`, and with false after `ms` without one. */
  after(seen: number, ms: number): Promise<boolean> {
    // It resolves in a later turn: what is looked at may itself note a change, and the extension would never get its turn.
    if (this.#version !== seen) return new Promise((resolve) => setImmediate(resolve, true));
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((one) => one !== wake);
        resolve(false);
      }, ms);
      this.#waiters.push(wake);
    });
  }
}

export class Wire {
  readonly changes = new Changes();
  readonly #queue: (() => void)[] = [];
  #isScheduled = false;
  #isCut = false;

  /** Messages that have not arrived. */
  get underWay(): number {
    return this.#queue.length;
  }

  send(message: () => void): void {
    if (this.#isCut) return;
    this.#queue.push(message);
    this.#schedule();
  }

  /** A request of the extension: what it resolves with comes back in order behind all that the window has sent before. */
  call<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.send(() => {
        void Promise.resolve()
          .then(work)
          .then(
            (value) => this.send(() => resolve(value)),
            (error: unknown) => this.send(() => reject(error instanceof Error ? error : new Error(String(error)))),
          );
      });
    });
  }

  /** Drops all messages from now on, as when a window has gone. */
  cut(): void {
    this.#isCut = true;
    this.#queue.length = 0;
  }

  /** Resolves when all messages have arrived, and nothing that they set off in the next turns has sent another. */
  async settled(): Promise<void> {
    // A timer of the extension that was set before these has run before them: Node runs timers of one length in their order.
    for (let quiet = 0; quiet < 3;) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      quiet = this.#queue.length === 0 ? quiet + 1 : 0;
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#queue.shift()?.();
      if (this.#queue.length > 0) this.#schedule();
    });
  }
}

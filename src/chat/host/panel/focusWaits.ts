/** Commands that end when their page has the focus: each has a number, which the page sends back once a key would arrive in it. */

export class FocusWaits {
  readonly #open = new Map<number, () => void>();
  #last = 0;

  /** `ask` gets the number to be sent to the page. Resolves when the page has answered, or is closed or hidden. */
  ask(ask: (id: number) => void): Promise<void> {
    const id = (this.#last += 1);
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      ask(id);
    });
  }

  /** The page has the focus, and has drawn all that it was sent before that number. */
  answer(id: number): void {
    for (const [waiting, resolve] of this.#open) {
      if (waiting > id) continue;
      this.#open.delete(waiting);
      resolve();
    }
  }

  /** The page is closed or hidden: it answers none of them any more. */
  end(): void {
    this.answer(this.#last);
  }
}

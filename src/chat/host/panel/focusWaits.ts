/** Promises that resolve when their page has the focus. Each has a number, which the page sends back once a key press would reach it. */

export class FocusWaits {
  readonly #open = new Map<number, () => void>();
  #last = 0;

  /** `ask` gets the number to send to the page. Resolves when the page has sent it back, or is closed or hidden. */
  ask(ask: (id: number) => void): Promise<void> {
    const id = (this.#last += 1);
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      ask(id);
    });
  }

  /** The page has the focus and has drawn all messages before the one with this number. */
  answer(id: number): void {
    for (const [waiting, resolve] of this.#open) {
      if (waiting > id) continue;
      this.#open.delete(waiting);
      resolve();
    }
  }

  /** Resolves all waiting promises, because the page is closed or hidden and will send no number. */
  end(): void {
    this.answer(this.#last);
  }
}

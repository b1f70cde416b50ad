/** Lets so many pieces of work run at once, in the order in which they came. */
export class Slots {
  /** @type {(() => void)[]} */
  #waiting = [];
  #free;

  /** @param {number} count */
  constructor(count) {
    this.#free = count;
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async run(work) {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise((/** @type {(value?: undefined) => void} */ resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Lets so many pieces of work run at once; of those that wait, the one with the lowest rank is next. */
export class Slots {
  /** @type {{ rank: number, begin: (value?: undefined) => void }[]} */
  #waiting = [];
  #free;

  /** @param {number} count */
  constructor(count) {
    this.#free = count;
  }

  /**
   * @template T
   * @param {number} rank
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async run(rank, work) {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise((/** @type {(value?: undefined) => void} */ begin) => this.#waiting.push({ rank, begin }));
    try {
      return await work();
    } finally {
      const next = this.#waiting.sort((one, other) => one.rank - other.rank).shift();
      if (next) next.begin();
      else this.#free += 1;
    }
  }
}

/** The lines of a result for the model, with a bound on their length together: one path may have 20,000 characters. */
export class ResultLines {
  static readonly lengthCap = 256 * 1024;

  readonly #lines: string[] = [];
  #length = 0;

  add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  get count(): number {
    return this.#lines.length;
  }

  get isFull(): boolean {
    return this.#length >= ResultLines.lengthCap;
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}

/** Reads a text from an offset on. Each pattern is matched at the offset, and a match moves it behind itself. */
export class TextReader {
  protected readonly text: string;
  /** The offset of the next character. */
  protected at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** `pattern` is sticky. `undefined`, and nothing moves, where it does not match at the offset. */
  protected take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }
}

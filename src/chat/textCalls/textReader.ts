/** Reads a text from its beginning on, by patterns that match where it stands. */
export class TextReader {
  protected readonly text: string;
  /** The place of the next character. */
  protected at: number;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** Reads on where the pattern, which is sticky, matches here. */
  protected take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }
}

/** What was added to a growing text since the last update, with line ends as LF; for `MarkdownStream`. */
import type { Growth } from "./growth";

export interface AddedText {
  readonly text: string;
  /** The text is not the one so far with something added: it is read from the start. */
  readonly restarts: boolean;
}

export class TextInput {
  #seen = "";
  #growth: Growth | undefined;
  /** The last character was a CR, which may be the first half of CR LF. */
  #heldReturn = false;
  #finished = false;

  /** Takes the whole text so far, of which `growth` are the pieces; `undefined` when nothing changed. */
  take(text: string, finished: boolean, growth?: Growth): AddedText | undefined {
    const known = this.#growth;
    const wasFinished = this.#finished;
    this.#growth = growth;
    this.#finished = finished;
    // Joined text is one string only when it is compared or cut, which would copy the whole of it at each update.
    if (!wasFinished && growth !== undefined && growth.pieces === known?.pieces && growth.count >= known.count) {
      const added = growth.pieces.slice(known.count, growth.count).join("");
      this.#seen += added;
      return { text: this.#normalise(added), restarts: false };
    }
    if (wasFinished && finished && text === this.#seen) return undefined;
    const restarts = wasFinished || !text.startsWith(this.#seen);
    if (restarts) this.#heldReturn = false;
    const added = restarts ? text : text.slice(this.#seen.length);
    this.#seen = text;
    return { text: this.#normalise(added), restarts };
  }

  #normalise(added: string): string {
    const text = (this.#heldReturn ? "\r" : "") + added;
    this.#heldReturn = !this.#finished && text.endsWith("\r");
    return (this.#heldReturn ? text.slice(0, -1) : text).replace(/\r\n?/g, "\n");
  }
}

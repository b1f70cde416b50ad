/** Takes terminal control sequences out of the output of a command, chunk by chunk. */

/**
 * A CSI sequence, a string (title, link, image) up to its end, any other escape. No part of one may be another control
 * character, so the time is linear in whatever a program writes.
 */
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-OQ-WYZ\\`-~]/g;
/** A sequence that may go on in the next chunk. */
const unfinished =
  /(?:(?:\u001b\[|\u009b)[0-?]*[ -/]*|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]*\u001b?|\u001b[ -/]*|\r)$/;
/** A longer one is no sequence: it would hide what follows. */
const maxSequenceLength = 4096;

export class PlainOutput {
  /** The start of a sequence, or a carriage return of which the line feed may follow. */
  #held = "";

  /** The text of the chunk, with line feeds as line ends: a line that would be written over is a line of its own. */
  add(chunk: string): string {
    const text = this.#held + chunk;
    const cut = text.search(unfinished);
    const isHeld = cut >= 0 && text.length - cut <= maxSequenceLength;
    this.#held = isHeld ? text.slice(cut) : "";
    return plain(isHeld ? text.slice(0, cut) : text);
  }

  /** What was held back for a rest that did not come. */
  end(): string {
    const text = this.#held;
    this.#held = "";
    return plain(text);
  }
}

function plain(text: string): string {
  return text.replace(sequences, "").replace(/\r\n?/g, "\n");
}

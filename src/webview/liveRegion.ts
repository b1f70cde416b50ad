/** The live region of a page: a hidden element whose sentences a screen reader reads out. */

/** The oldest ones beyond it are removed. */
const maxSentences = 5;

export class LiveRegion {
  readonly element = document.createElement("div");

  constructor() {
    this.element.className = "hidden";
    this.element.ariaLive = "polite";
  }

  /** An element of its own for each sentence, so that a screen reader reads an equal one again. */
  announce(sentence: string): void {
    const line = document.createElement("div");
    line.textContent = sentence;
    this.element.append(line);
    while (this.element.childNodes.length > maxSentences) this.element.firstChild?.remove();
  }
}

/** Renders the lines of a change or of arguments for an approval: wrapped, hidden characters marked. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { type RevealedPart, revealLine, rightToLeft } from "../hiddenCharacters";
import type { ChangeLine } from "./changeLines";

const marks = { added: "+", removed: "-", same: "", gap: "", note: "", text: "", file: "" } as const;

export function changeLineView(line: ChangeLine): TemplateResult {
  const { kind, number, text, continued } = line;
  if (kind === "gap") return html`<div class="diff-gap" aria-hidden="true">${text}</div>`;
  if (kind === "note") return html`<div class="diff-gap">${text}</div>`;
  if (kind === "text")
    return html`<div class="diff-line text"><span class="diff-text">${textOf(text, continued)}</span></div>`;
  const name = kind === "added" ? t("added") : kind === "removed" ? t("removed") : undefined;
  return html`<div class="diff-line ${kind}">
    <span class="diff-number" aria-hidden="true">${number ?? nothing}</span
    ><span class="diff-mark" title=${name ?? nothing}>${marks[kind]}</span
    ><span class="diff-text">${textOf(text, continued)}</span>
  </div>`;
}

function textOf(text: string, continued: true | undefined): unknown {
  return revealLine(text, continued).map(partView);
}

/** Isolates each run of right-to-left words: operators, numbers and quotation marks between two of them keep their order in the code. */
function inReadingOrder(text: string): unknown {
  return text.split(rightToLeft).map((run, index) => (index % 2 === 1 ? html`<bdi>${run}</bdi>` : run));
}

function partView(part: RevealedPart): unknown {
  if (typeof part === "string") return rightToLeft.test(part) ? inReadingOrder(part) : part;
  return html`<span
    class="marker ${part.kind === "hidden" ? "hidden-character" : "blank"}"
    role="img"
    aria-label=${part.name}
    title=${part.name}
    >${part.shown}</span
  >`;
}

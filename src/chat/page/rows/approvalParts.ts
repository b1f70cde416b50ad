/** Parts of an approval's card: the lines of what is approved, its diffs in the editor, and why no rule covers it. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { WaitingCall } from "../../../domain/chat/chat";
import { revealName, type RevealedPart, revealLine, rightToLeft } from "../../../webview/hiddenCharacters";
import { iconButton } from "../shared/controls";
import { icon } from "../../../webview/pageParts";
import { linesByFile } from "./approvalGroup";
import type { ChangeLine } from "./changeLines";

/** Opens the change of that call, or the only one, in the editor's own diff. */
type OpenDiff = (call?: string) => void;

/** The changes of several calls are below their titles. */
export function linesView(lines: readonly ChangeLine[], openDiff: OpenDiff): unknown {
  if (lines[0]?.kind !== "file") return lines.map(changeLineView);
  return linesByFile(lines).map(
    ([head, ...changed]) =>
      html`<div class="diff-file">
          <h3>${revealName(head?.text ?? "")}</h3>
          ${head?.call === undefined ? nothing : iconButton("diff", t("Open Diff"), () => openDiff(head.call))}
        </div>
        <div class="diff-part">${changed.map(changeLineView)}</div>`,
  );
}

export function afterReading({ after, profileEnded }: WaitingCall["approval"]): unknown {
  if (after === undefined) return nothing;
  const why =
    profileEnded === true
      ? t("Commands of this chat ask again after reading {0}.", revealName(after))
      : t("Your rules do not apply while the model is given {0}.", revealName(after));
  return html`<div class="approval-after">${icon("shield")}<span>${why}</span></div>`;
}

/** In the model's words, which may be wrong. */
export function outsideReason({ action }: WaitingCall): unknown {
  if (action.type !== "run-command" || action.outside === undefined || action.outside === "") return nothing;
  return html`<div class="approval-after">
    ${icon("shield")}<span
      >${t("Why it leaves the sandbox, as the model says: “{0}”", revealName(action.outside))}</span
    >
  </div>`;
}

/** Names only: the changes are in the rows above and in the chats that made them, each with its diff. */
export function afterChanges(changed: readonly string[] = []): unknown {
  if (changed.length === 0) return nothing;
  const why = t("Rules let the model change these files since you last allowed a command, which may run them:");
  return html`<div class="approval-after">
    ${icon("shield")}
    <div>
      ${why}
      <ul class="approval-files">
        ${changed.map((path) => html`<li>${revealName(path)}</li>`)}
      </ul>
    </div>
  </div>`;
}

/** Renders the lines of a change or of arguments for an approval: wrapped, hidden characters marked. */
const marks = { added: "+", removed: "-", same: "", gap: "", note: "", text: "", file: "" } as const;

function changeLineView(line: ChangeLine): TemplateResult {
  const { kind, number, text } = line;
  if (kind === "gap") return html`<div class="diff-gap" aria-hidden="true">${text}</div>`;
  if (kind === "note") return html`<div class="diff-gap">${text}</div>`;
  if (kind === "text") return html`<div class="diff-line text"><span class="diff-text">${textOf(line)}</span></div>`;
  const name = kind === "added" ? t("added") : kind === "removed" ? t("removed") : undefined;
  return html`<div class="diff-line ${kind}">
    <span class="diff-number" aria-hidden="true">${number ?? nothing}</span
    ><span class="diff-mark" title=${name ?? nothing}>${marks[kind]}</span
    ><span class="diff-text">${textOf(line)}</span>
  </div>`;
}

/** Words are marked only where all else is plain: markers and the reading order of right-to-left words come first. */
function textOf({ text, continued, runs }: ChangeLine): unknown {
  const parts = revealLine(text, continued);
  const isPlain = parts.every((part) => typeof part === "string") && !rightToLeft.test(text);
  if (runs === undefined || !isPlain) return parts.map(partView);
  return runs.map((run) => (run.isChanged ? html`<span class="diff-word">${run.text}</span>` : run.text));
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

/** A tool call in the transcript: one line with its state, opening to arguments and result; or the question whether it may run. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { Approval, ToolCallBlock } from "../../domain/transcript";
import { revealHidden } from "../markdown/characters";
import { fold, icon, type RowActions } from "../parts";
import { diffView } from "./diff";
import { callArguments, callIcon, callResult, callState, callTitle } from "./toolText";

export function toolCallView(answer: string, block: ToolCallBlock, actions: RowActions): TemplateResult {
  if (block.progress.state === "waiting") return approvalCard(block, block.progress.approval, actions);
  const { state } = block.progress;
  const result = callResult(block.progress);
  const summary = html`${icon(callIcon(block.progress))}<span class="tool-title">${callTitle(block)}</span
    ><span class=${state === "done" || state === "running" || state === "arriving" ? "hidden" : "tool-state"}
      >${callState(block.progress)}</span
    >`;
  const content = html`<div class="tool-content">
    ${textBox(t("Arguments"), callArguments(block))}
    ${result === undefined ? nothing : textBox(result.label, revealHidden(result.text))}
  </div>`;
  return fold(actions, `${answer}/${block.call}`, `tool tool-${state}`, summary, content);
}

function textBox(label: string, text: string): TemplateResult | typeof nothing {
  if (text === "") return nothing;
  return html`<div class="tool-label">${label}</div>
    <pre tabindex="0" aria-label=${label}>${text}</pre>`;
}

/** The click is only told to the host, which decides and counts it once; until it says so the buttons rest. */
function approvalCard(block: ToolCallBlock, approval: Approval, actions: RowActions): TemplateResult {
  const decide = (event: Event, allow: boolean): void => {
    const card = event.currentTarget instanceof Element ? event.currentTarget.closest(".approval") : null;
    if (card === null || card.hasAttribute("aria-busy")) return;
    card.setAttribute("aria-busy", "true");
    const input = card.querySelector("input");
    const note = input?.value.trim() ?? "";
    for (const control of card.querySelectorAll<HTMLButtonElement | HTMLInputElement>(".decides")) {
      control.disabled = true;
    }
    const word = allow || note === "" ? {} : { note };
    actions.send({ type: "approval-decide", approval: approval.id, allow, ...word });
  };
  const onNoteKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.isComposing) decide(event, false);
  };
  return html`<section class="approval" aria-label=${t("Approval needed")}>
    <div class="approval-title">${icon("question")}<span>${revealHidden(approval.title)}</span></div>
    <div class="approval-reason">
      <span>${t("Why it asks: {0}", approval.reason)}</span
      >${approval.preview === undefined ? nothing : openDiff(approval, actions)}
    </div>
    ${
      approval.preview === undefined
        ? html`<pre class="approval-input" tabindex="0" aria-label=${t("Arguments")}>${callArguments(block)}</pre>`
        : diffView(approval.preview)
    }
    <div class="approval-buttons">
      <button type="button" class="button decides" @click=${(event: Event) => decide(event, true)}>
        ${t("Allow")}
      </button>
      <button type="button" class="button secondary decides" @click=${(event: Event) => decide(event, false)}>
        ${t("Don't Allow")}
      </button>
    </div>
    <input
      class="approval-note decides"
      type="text"
      maxlength="10000"
      placeholder=${t("Why not? Sent to the model")}
      aria-label=${t("Word to the model, sent with Don't Allow")}
      @keydown=${onNoteKey}
    />
  </section>`;
}

function openDiff(approval: Approval, actions: RowActions): TemplateResult {
  return html`<button
    type="button"
    class="button quiet"
    @click=${() => actions.send({ type: "diff-open", approval: approval.id })}
  >
    ${icon("diff")}${t("Open Diff")}
  </button>`;
}

/** A tool call in the transcript: one line with its state that opens to arguments, output and result; or its approval. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { ToolCallBlock } from "../../domain/transcript";
import { revealAll } from "../hiddenCharacters";
import { fold, type RowActions } from "../controls";
import { icon } from "../iconView";
import { approvalCard } from "./approvalCard";
import { jobCards } from "./jobCard";
import {
  callActivity,
  callArguments,
  callCommand,
  callIcon,
  callOutput,
  callResult,
  callState,
  callTitle,
  movableCommand,
} from "./toolText";

export function toolCallView(answer: string, block: ToolCallBlock, actions: RowActions): unknown {
  if (block.progress.state === "waiting") return approvalCard(block, block.progress, actions);
  const { state } = block.progress;
  const result = callResult(block.progress);
  const activity = callActivity(block, actions.locale);
  const output = callOutput(block, actions.locale);
  const command = callCommand(block);
  const summary = html`${icon(callIcon(block.progress))}<span class="tool-title">${callTitle(block)}</span
    ><span class=${state === "done" || state === "running" || state === "arriving" ? "hidden" : "tool-state"}
      >${callState(block.progress)}</span
    >${activity === undefined ? nothing : html`<span class="tool-state">${activity}</span>`}`;
  const content = html`<div class="tool-content">
    ${command === undefined ? textBox(t("Arguments"), callArguments(block)) : textBox(t("Command"), revealAll(command))}
    ${output === undefined ? nothing : textBox(t("Output"), output, "follows")}
    ${result === undefined ? nothing : textBox(result.label, revealAll(result.text))}
  </div>`;
  const row = fold(actions, `${answer}/${block.call}`, `tool tool-${state}`, summary, content);
  const { progress } = block;
  return html`${row}${moveButton(movableCommand(block), actions)}${"tasks" in progress ? jobCards(progress.tasks ?? [], callTitle(block), actions) : nothing}`;
}

/** A running process can't be handed over to a terminal, and the button says what happens instead. */
function moveButton(id: string | undefined, actions: RowActions): TemplateResult | typeof nothing {
  if (id === undefined) return nothing;
  return html`<button
    type="button"
    class="button quiet tool-move"
    title=${t(
      "Ends the command here and opens a terminal for it: plain words are started anew there, anything else is typed for you to send.",
    )}
    @click=${() => actions.send({ type: "command-move", id })}
  >
    ${icon("terminal")}${t("Move to Terminal")}
  </button>`;
}

function textBox(label: string, text: string, className = ""): TemplateResult | typeof nothing {
  if (text === "") return nothing;
  return html`<div class="tool-label">${label}</div>
    <pre class=${className} tabindex="0" aria-label=${label}>${text}</pre>`;
}

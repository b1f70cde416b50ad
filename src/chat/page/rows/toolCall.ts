/** A tool call in the transcript: one line with its state that unfolds to arguments, output and result, or its approval. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult, render } from "lit-html";
import type { ToolCallBlock, Block, Entry } from "../../../domain/chat/chat";
import { describeAction } from "../../../domain/words/describeTool";
import { revealAll, revealName } from "../../../webview/hiddenCharacters";
import { expandableRow, type RowActions, markdownText } from "../shared/controls";
import { firstClick, icon } from "../../../webview/pageParts";
import { approvalCard } from "./approvalCard";
import {
  actionTitle,
  callActivity,
  callAllowed,
  callArguments,
  callCommand,
  callCut,
  callIcon,
  callLine,
  callOutput,
  callProfileEnd,
  callReading,
  callRepairs,
  callResult,
  callState,
  callTitle,
  heldCommand,
  isByRule,
  movableCommand,
  startedProcess,
  withoutCodeMarks,
} from "./toolText";
import { mediaView } from "./mediaView";
import { processLine } from "./processLine";
import { taskCards } from "./taskCard";
import { askedTogether } from "./approvalGroup";

/** `group`: the calls of the same question. Their card takes the place of the first one. */
export function toolCallView(
  answer: string,
  block: ToolCallBlock,
  group: readonly ToolCallBlock[],
  actions: RowActions,
): unknown {
  if (block.progress.state === "waiting") return group[0] === block ? approvalCard(group, actions) : nothing;
  const plan = planCard(answer, block, actions);
  if (plan !== undefined) return plan;
  const allowed = callAllowed(block.progress);
  const ended = callProfileEnd(block.progress);
  const { state } = block.progress;
  const result = callResult(block.progress);
  const activity = callActivity(block, actions.locale);
  const cut = callCut(block.progress, actions.locale);
  const output = callOutput(block, actions.locale);
  const command = callCommand(block);
  const reading = callReading(block);
  const openFile = (): void => actions.send({ type: "file-open", answer, call: block.call });
  const summary = html`${icon(callIcon(block.progress))}<span class="tool-title">${titleOf(block, openFile)}</span>${
      state === "done" || state === "running" || state === "arriving"
        ? html`<span class="hidden">${callState(block.progress)}</span>`
        : stateText(callState(block.progress))
    }${[activity, callRepairs(block), cut, allowed, ended, reading === undefined ? undefined : t("arguments adapted")].map(stateText)}`;
  const pictures = resultPictures(answer, block, actions);
  // The card of the task already shows its pictures.
  const isOfTask = "action" in block.progress && block.progress.action.type === "get-task";
  // The title already contains the whole question.
  const isExplored = "action" in block.progress && block.progress.action.type === "explore";
  const content = html`<div class="tool-content">
    ${fileButton(block, openFile)}
    ${command === undefined ? textBox(t("Arguments"), isExplored ? "" : callArguments(block)) : textBox(t("Command"), revealAll(command))}
    ${reading === undefined ? nothing : textBox(t("Adapted from what the model wrote"), reading)} ${stepList(block)}
    ${output === undefined ? nothing : textBox(t("Output"), output, "follows")}
    ${result === undefined ? nothing : textBox(result.label, revealAll(result.text))} ${nestedInstructions(block)}
    ${isByRule(block.progress) ? rulesButton(actions) : nothing} ${isOfTask ? pictures : nothing}
  </div>`;
  const row = expandableRow(actions, `${answer}/${block.call}`, `tool tool-${state}`, summary, content);
  const { progress } = block;
  const process = startedProcess(progress);
  return html`${row}${moveButton(movableCommand(block), actions)}${outsideButton(heldCommand(progress), actions)}${process === undefined ? nothing : processLine(process, actions)}${isOfTask ? nothing : pictures}${"tasks" in progress ? taskCards(progress.tasks ?? [], callTitle(block), actions) : nothing}`;
}

/**
 * The title of the row; a click on the file name opens the file. For the keyboard and a screen reader the row is one control, which can contain no
 * other, so they use the button in the opened row.
 */
function titleOf(block: ToolCallBlock, openFile: () => void): unknown {
  const { before, file, after, detail } = callLine(block);
  const open = (event: Event): void => {
    // A click on the rest of the line opens or folds the row.
    event.preventDefault();
    openFile();
  };
  const name =
    file === undefined
      ? nothing
      : html`<span class="tool-file" title=${t("Open {0}", file.path)} @click=${open}>${file.name}</span>`;
  const words = "action" in block.progress ? actionTitle(block.progress.action, before) : before;
  return html`${words}${name}${after}${detail === undefined ? nothing : html` <span class="tool-detail">${detail}</span>`}`;
}

function fileButton(block: ToolCallBlock, openFile: () => void): TemplateResult | typeof nothing {
  const { file } = callLine(block);
  if (file === undefined) return nothing;
  return html`<button type="button" class="button quiet" @click=${openFile}>${t("Open {0}", file.path)}</button>`;
}

/** The maximum length of a state that keeps its width next to a long title, in characters. */
const shortLength = 16;

function stateText(text: string | undefined): TemplateResult | typeof nothing {
  if (text === undefined) return nothing;
  return html`<span class="tool-state ${text.length > shortLength ? "long" : ""}">${text}</span>`;
}

/** The pictures of the result, each with its name. Their data stays in the host. */
function resultPictures(answer: string, { block, progress }: ToolCallBlock, actions: RowActions): unknown {
  if (progress.state !== "done") return nothing;
  const isInWorkspace = progress.action.type === "read-file";
  return (progress.images ?? []).map(({ id, mimeType, name }) =>
    mediaView({ place: { answer, block, image: id }, mimeType, words: revealName(name), isInWorkspace }, actions),
  );
}

/** The steps that a reader has taken for the call. */
function stepList({ steps = [] }: ToolCallBlock): TemplateResult | typeof nothing {
  if (steps.length === 0) return nothing;
  return html`<div class="tool-label">${t("What the reader did")}</div>
    <ul class="tool-steps">
      ${steps.map(
        ({ action, state }) =>
          html`<li>
            ${icon(stepIcons[state])}<span class="tool-title"
              >${actionTitle(action, revealName(describeAction(action)))}</span
            >${state === "failed" ? stateText(t("failed")) : nothing}
          </li>`,
      )}
    </ul>`;
}

const stepIcons = { running: "circle-large-outline", done: "check", failed: "error" } as const;

/** The instructions that the model got after the result. */
function nestedInstructions({ progress }: ToolCallBlock): TemplateResult | typeof nothing {
  if (progress.state !== "done" || progress.instructions === undefined) return nothing;
  const paths = progress.instructions.map(({ path }) => revealAll(path)).join("\n");
  return textBox(t("Instructions sent with the result"), paths);
}

function rulesButton(actions: RowActions): TemplateResult {
  const show = (): void => actions.send({ type: "approvals-show" });
  return html`<button type="button" class="button quiet" @click=${show}>
    ${icon("shield")}${t("Show Approvals")}
  </button>`;
}

/** Asks the model to run the command outside of the sandbox. Nothing runs by this press: the model makes a call, which asks. */
function outsideButton(command: string | undefined, actions: RowActions): TemplateResult | typeof nothing {
  if (command === undefined) return nothing;
  return html`<button
    type="button"
    class="button quiet tool-move"
    title=${t("Asks the model to run it outside of the sandbox; then you are asked.")}
    @click=${firstClick(() => actions.suggest(t("Run `{0}` outside of the sandbox.", command)))}
  >
    ${icon("shield")}${t("Ask Model to Run It Outside")}
  </button>`;
}

/** The button for a terminal. A running process can't be handed over to one, so the button says what happens instead. */
function moveButton(id: string | undefined, actions: RowActions): TemplateResult | typeof nothing {
  if (id === undefined) return nothing;
  return html`<button
    type="button"
    class="button quiet tool-move"
    title=${t(
      "Ends the command and opens a terminal. A line of plain words starts there anew, any other line waits for your Enter.",
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

/** The card of a presented plan; `undefined` for any other call. */
function planCard(answer: string, block: ToolCallBlock, actions: RowActions): TemplateResult | undefined {
  const { call, progress, document } = block;
  if (progress.state !== "done" || progress.action.type !== "present-plan") return undefined;
  const { title, text } = progress.action;
  const open = (): void => actions.send({ type: "plan-open", answer, call });
  const start = (): void => actions.send({ type: "plan-start", answer, call });
  const name = t("Plan: {0}", revealName(withoutCodeMarks(title)));
  const shown = markdownText(document?.text ?? text, actions);
  return html`<section class="plan-card" aria-label=${name}>
    <div class="approval-title">${icon("list-selection")}<span>${name}</span></div>
    <div class="plan-text" tabindex="0" role="region" aria-label=${name}>${shown}</div>
    <div class="approval-buttons">
      <button type="button" class="button" @click=${firstClick(start)}>${t("Start")}</button>
      <button type="button" class="button secondary" @click=${open}>${t("Edit Plan")}</button>
    </div>
  </section>`;
}

/** The plain content of a row whose rendering failed. A tool call that fails here too is shown as its name. */
export function createPlainRow(entry: Entry, actions: RowActions): HTMLElement[] {
  if (!("blocks" in entry)) return [createText(entry.text)];
  return entry.blocks.map((block) => {
    const place = createText(block.type === "tool-call" ? block.name : textOf(block));
    if (block.type !== "tool-call" || entry.type !== "answer") return place;
    const call = document.createElement("div");
    try {
      render(toolCallView(entry.id, block, askedTogether(entry, block), actions), call);
      return call;
    } catch (error) {
      actions.report("tool call", error);
      return place;
    }
  });
}

function textOf(block: Exclude<Block, { type: "tool-call" }>): string {
  if (block.type === "text" || block.type === "reasoning") return block.text;
  return block.type === "citation" ? [block.title, block.url].filter(Boolean).join(" ") : "";
}

function createText(text: string): HTMLElement {
  const element = document.createElement("div");
  element.className = "plain";
  element.textContent = text;
  return element;
}

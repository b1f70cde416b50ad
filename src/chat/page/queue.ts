/**
 * The prompts that wait for the end of the turn, above the composer. Each can be edited, removed, or sent in the running turn; after a stop they can
 * be sent.
 */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { plural } from "../../domain/words/plural";
import { type Chat, lastAnswer, type QueuedPrompt, toolCalls } from "../../domain/chat/chat";
import type { ChatPageToHost } from "../contract/chatPageContract";
import { iconButton, removeButton } from "./shared/controls";
import { firstClick } from "../../webview/pageParts";

export interface QueueActions {
  send(intent: ChatPageToHost): void;
  /** Puts the prompt into the composer and takes it out of the queue. */
  edit(prompt: QueuedPrompt): void;
  remove(prompt: QueuedPrompt): void;
  /** Removes all prompts. */
  discard(prompts: readonly QueuedPrompt[]): void;
}

/** Rows are matched by their position, so that the focus stays in place when a prompt is removed or sent. */
export function queueView(chat: Chat, actions: QueueActions): TemplateResult | typeof nothing {
  const { queue, running } = chat;
  if (queue === undefined) return nothing;
  const send = (): void => actions.send({ type: "queue-send" });
  const discard = (): void => actions.discard(queue);
  const isSent = running && queue.some(({ held }) => held !== true);
  const isAtTool = isToolRunning(chat);
  return html`<section class="queue" aria-label=${t("Waiting messages")}>
    <div class="queue-head">
      <span>${isSent ? whenSent(queue, isAtTool) : whyHeld(chat)}</span>
      ${
        running
          ? nothing
          : html`<span class="queue-buttons"
              ><button type="button" class="button quiet" @click=${firstClick(send)}>${t("Send Now")}</button
              ><button type="button" class="button quiet" @click=${firstClick(discard)}>${t("Discard")}</button></span
            >`
      }
    </div>
    <ol>
      ${queue.map((prompt) => queuedRow(prompt, { running, isSent, isAtTool }, actions))}
    </ol>
  </section>`;
}

function whyHeld(chat: Chat): string {
  return lastAnswer(chat)?.state === "stopped"
    ? t("Held because you stopped")
    : t("Not sent: the answer before did not end by itself");
}

/** Whether a tool call of the last answer runs. A prompt that is sent now waits for it, otherwise for the end of the answer. */
function isToolRunning(chat: Chat): boolean {
  const answer = lastAnswer(chat);
  const states = answer === undefined ? [] : toolCalls(answer).map(({ progress }) => progress.state);
  return states.some((state) => state === "running" || state === "ready" || state === "arriving");
}

/** Says when the prompts are sent. Prompts marked *now* come before the others, wherever they are in the queue. */
function whenSent(queue: readonly QueuedPrompt[], isAtTool: boolean): string {
  const sent = queue.filter(({ held }) => held !== true);
  const now = sent.filter((prompt) => prompt.now === true);
  if (now.length === sent.length)
    return isAtTool ? t("Sent in this turn, after the tool that runs") : t("Sent as soon as this answer ends");
  if (now.length > 0)
    return isAtTool
      ? t("“now” is sent after the tool that runs, the rest when the answer ends")
      : t("Sent when the answer ends, “now” first");
  return plural(sent.length, {
    one: "Sent when the answer ends",
    other: "Sent in this order when the answer ends",
  });
}

function queuedRow(
  prompt: QueuedPrompt,
  { running, isSent, isAtTool }: Readonly<Record<"running" | "isSent" | "isAtTool", boolean>>,
  actions: QueueActions,
): TemplateResult {
  return html`<li>
    <span class="queued-text" dir="auto" title=${prompt.text}>${prompt.text}</span>
    ${isSent && prompt.held ? html`<span class="quiet-text">${t("not sent")}</span>` : nothing}
    ${running ? nowButton(prompt, isAtTool, actions) : nothing}
    ${iconButton("edit", t("Edit Message"), () => actions.edit(prompt))}
    ${removeButton(t("Remove Message"), () => actions.remove(prompt))}
  </li>`;
}

/** The switch *now*: such a prompt goes to the model after the running calls, or after the answer if no call runs. */
function nowButton({ id, now, held }: QueuedPrompt, isAtTool: boolean, actions: QueueActions): TemplateResult {
  const isNow = now === true && held !== true;
  const afterTool = isNow
    ? t("Sent after the tool that runs. Press to send it when the answer ends.")
    : t("Send it after the tool that runs, in this turn");
  const afterAnswer = isNow
    ? t("Sent first when this answer ends. Press to send it in its order.")
    : t("Send it first when this answer ends");
  return html`<button
    type="button"
    class="button quiet queued-now"
    aria-pressed=${isNow}
    title=${isAtTool ? afterTool : afterAnswer}
    @click=${firstClick(() => actions.send({ type: "queue-reschedule", id, now: !isNow }))}
  >
    ${t("now")}
  </button>`;
}

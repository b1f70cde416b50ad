/** The prompts that wait for the turn to end, above the composer: each can be edited, removed, or sent in the turn that runs; after a stop they can be sent. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { plural } from "../../domain/words/plural";
import { type Chat, lastAnswer, type QueuedPrompt } from "../../domain/chat/chat";
import type { ChatPageToHost } from "../../protocol/chatPageContract";
import { iconButton } from "./shared/controls";

export interface QueueActions {
  send(intent: ChatPageToHost): void;
  /** Puts the prompt into the composer and takes it out of the queue. */
  edit(prompt: QueuedPrompt): void;
  remove(prompt: QueuedPrompt): void;
  /** Removes all. */
  discard(prompts: readonly QueuedPrompt[]): void;
}

/** Rows are matched by their place: the focus stays where it was when a prompt is removed or sent. */
export function queueView(chat: Chat, actions: QueueActions): TemplateResult | typeof nothing {
  const { queue, running } = chat;
  if (queue === undefined) return nothing;
  const send = (): void => actions.send({ type: "queue-send" });
  const discard = (): void => actions.discard(queue);
  const isSent = running && queue.some(({ held }) => held !== true);
  return html`<section class="queue" aria-label=${t("Waiting messages")}>
    <div class="queue-head">
      <span>${isSent ? whenSent(queue) : whyHeld(chat)}</span>
      ${
        running
          ? nothing
          : html`<span class="queue-buttons"
              ><button type="button" class="button quiet" @click=${send}>${t("Send Now")}</button
              ><button type="button" class="button quiet" @click=${discard}>${t("Discard")}</button></span
            >`
      }
    </div>
    <ol>
      ${queue.map((prompt) => queuedRow(prompt, { running, isSent }, actions))}
    </ol>
  </section>`;
}

function whyHeld(chat: Chat): string {
  return lastAnswer(chat)?.state === "stopped"
    ? t("Held because you stopped")
    : t("Not sent: the answer before did not end by itself");
}

function whenSent(queue: readonly QueuedPrompt[]): string {
  const sent = queue.filter(({ held }) => held !== true);
  if (sent.every(({ now }) => now === true)) return t("Sent in this turn, after the tool that runs");
  return plural(sent.length, {
    one: "Sent when the answer ends",
    other: "Sent in this order when the answer ends",
  });
}

function queuedRow(
  prompt: QueuedPrompt,
  { running, isSent }: { readonly running: boolean; readonly isSent: boolean },
  actions: QueueActions,
): TemplateResult {
  return html`<li>
    <span class="queued-text" dir="auto" title=${prompt.text}>${prompt.text}</span>
    ${isSent && prompt.held ? html`<span class="quiet-text">${t("not sent")}</span>` : nothing}
    ${running ? nowButton(prompt, actions) : nothing}
    ${iconButton("edit", t("Edit Message"), () => actions.edit(prompt))}
    ${iconButton("close", t("Remove Message"), () => actions.remove(prompt))}
  </li>`;
}

/** A switch: a prompt that is sent now goes to the model after the calls that run. */
function nowButton({ id, now, held }: QueuedPrompt, actions: QueueActions): TemplateResult {
  const isNow = now === true && held !== true;
  return html`<button
    type="button"
    class="button quiet queued-now"
    aria-pressed=${isNow}
    title=${isNow ? t("Sent after the tool that runs. Press to send it when the answer ends.") : t("Send it after the tool that runs, in this turn")}
    @click=${() => actions.send({ type: "queue-reschedule", id, now: !isNow })}
  >
    ${t("now")}
  </button>`;
}

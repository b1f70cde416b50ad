/** The instructions that guide the model in this chat, above the composer: each opens its file, and can be taken out of the chat. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { type Chat, toolCalls } from "../../domain/chat/chat";
import { revealName } from "../../webview/hiddenCharacters";
import { icon } from "../../webview/pageParts";
import { iconButton, type SendToHost } from "./shared/controls";

export function instructionChips(chat: Chat, send: SendToHost): TemplateResult | typeof nothing {
  const used = usedInstructions(chat);
  const offered = chat.environment?.offered ?? [];
  if (used.length + offered.length === 0) return nothing;
  return html`<ul class="chips instructions" aria-label=${t("Instructions")}>
    ${used.map((path) => usedChip(path, send))} ${offered.map((path) => offeredChip(path, send))}
  </ul>`;
}

/** The paths of those that requests hold, the person's own first. */
function usedInstructions({ environment, entries, removedInstructions: removed = [] }: Chat): readonly string[] {
  const nested = entries.flatMap((entry) =>
    entry.type === "answer"
      ? toolCalls(entry).flatMap(({ progress }) => (progress.state === "done" ? (progress.instructions ?? []) : []))
      : [],
  );
  const paths = [...(environment?.instructions ?? []), ...nested].map(({ path }) => path);
  return [...new Set(paths)].filter((path) => !removed.includes(path));
}

function usedChip(path: string, send: SendToHost): TemplateResult {
  const name = nameOf(path);
  return html`<li class="file-chip">
    ${openButton(path, name, send)}${iconButton("close", t("Take {0} out of this chat", name), () => send({ type: "instructions-remove", path }))}
  </li>`;
}

/** git does not track it, so it may have come with something that was downloaded. */
function offeredChip(path: string, send: SendToHost): TemplateResult {
  const name = nameOf(path);
  return html`<li class="file-chip offered">
    ${openButton(path, name, send, t("not used"))}<button
      type="button"
      class="button quiet"
      title=${t("git does not track {0}. Look at it first: it guides the model from then on.", name)}
      @click=${() => send({ type: "instructions-allow", path })}
    >
      ${t("Use")}
    </button>
  </li>`;
}

/** `state`: is shown whole where the name is cut. */
function openButton(path: string, name: string, send: SendToHost, state?: string): TemplateResult {
  return html`<button
    type="button"
    class="chip-open"
    title=${t("Open {0}", name)}
    @click=${() => send({ type: "instructions-open", path })}
  >
    ${icon("list-selection")}<span>${name}</span>${state === undefined ? nothing : html`<span class="chip-state">· ${state}</span>`}
  </button>`;
}

function nameOf(path: string): string {
  return path === "" ? t("Your instructions") : revealName(path);
}

/** What the prompt file that is typed asks for, above the text: the person decides. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { ChatMode } from "../../../domain/modes/chatMode";
import { modeName } from "../../../domain/words/modeWords";
import type { PromptItem } from "../../contract/promptMessages";
import { revealName } from "../../../webview/hiddenCharacters";
import type { SendToHost } from "../shared/controls";

/** `now`: what the next prompt goes to. */
export function askedLine(
  prompt: PromptItem | undefined,
  now: { readonly model: string; readonly mode: ChatMode },
  send: SendToHost,
): TemplateResult | typeof nothing {
  if (prompt === undefined) return nothing;
  const { name, knownMode, tools = [] } = prompt;
  const wanted = prompt.model === now.model ? undefined : prompt.model;
  const mode = knownMode === now.mode ? undefined : prompt.mode;
  const sentences = [
    wanted === undefined ? "" : t("This prompt asks for the model {0}.", revealName(wanted)),
    mode === undefined ? "" : t("It asks for the mode {0}.", knownMode ? modeName(knownMode) : revealName(mode)),
    tools.length === 0
      ? ""
      : t("It names tools: {0}. It is given no more than you allow.", tools.map(revealName).join(", ")),
  ].filter((sentence) => sentence !== "");
  if (sentences.length === 0) return nothing;
  const use = (what: "model" | "mode", words: string): TemplateResult =>
    html`<button type="button" class="button secondary" @click=${() => send({ type: "prompt-use", name, what })}>
      ${words}
    </button>`;
  return html`<div class="asked-for" role="status">
    <span>${sentences.join(" ")}</span>
    ${wanted !== undefined && prompt.canUseModel ? use("model", t("Use Model")) : nothing}
    ${mode !== undefined && knownMode !== undefined ? use("mode", t("Use Mode")) : nothing}
  </div>`;
}

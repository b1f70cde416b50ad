/** The mode of the chat in the composer: a button that lists the modes, and Shift+Tab, which chooses the next one (A13). */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { ChatMode } from "../../../domain/chat/chatMode";
import { modeDetail, modeName } from "../../../domain/words/modeWords";
import { icon } from "../../../webview/pageParts";

export function modeChip(mode: ChatMode, choose: () => void): TemplateResult {
  const title = t("Choose Mode ({0}), next mode (Shift+Tab)", modeDetail(mode));
  return html`<button
    type="button"
    class="mode ${mode === "agent" ? "" : "mode-looking"}"
    title=${title}
    @click=${choose}
  >
    <span class="hidden">${t("Mode:")}</span><span class="mode-name">${modeName(mode)}</span>${icon("chevron-down")}
  </button>`;
}

/** For the live region. */
export function announceMode(mode: ChatMode): string {
  return t("Mode: {0}. {1}", modeName(mode), modeDetail(mode));
}

/** How the keyboard leaves the text box backwards, for a screen reader. */
export function modeKeyHelp(): string {
  return t("Shift+Tab chooses the next mode. After Escape it moves the focus.");
}

/** Escape gives the next Shift+Tab back to the focus: else the text box would hold the keyboard. */
export class ModeKey {
  #isReleased = false;

  /** True when the key is for the next mode. */
  takes({ key, shiftKey, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
    // Shift itself comes before the Tab.
    if (key === "Shift") return false;
    const isPlain = !ctrlKey && !metaKey && !altKey && !isComposing;
    const isTaken = isPlain && key === "Tab" && shiftKey && !this.#isReleased;
    this.#isReleased = isPlain && key === "Escape";
    return isTaken;
  }
}

/** The composer's button for the model of the chat. It lists the models. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult, nothing } from "lit-html";
import { editsWords, effortName, shortEffort, modeDetail, modeName } from "../../../domain/words/modeWords";
import type { ChatPageStatus, ContextUse } from "../../contract/chatPageContract";
import { revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import type { ChatMode } from "../../../domain/chat/chatMode";
import { localWords } from "../../../domain/words/gatewayWords";
import { describePrices, formatPrices } from "../../../domain/words/describePrice";
import { joinWords } from "../../../domain/words/joinWords";
import { plural } from "../../../domain/words/plural";

type ShownModel = Pick<ChatPageStatus, "model" | "modelFacts" | "effort" | "toolsRefused" | "demoModel">;

export function modelChip(
  { model, modelFacts = "", effort, toolsRefused, demoModel }: ShownModel,
  choose: () => void,
): TemplateResult {
  const facts = [revealName(modelFacts), ...(effort === undefined ? [] : [effortName(effort)])]
    .filter(Boolean)
    .join(" · ");
  const notes = [effort === undefined ? "" : shortEffort(effort), toolsRefused ? t("tools as text") : ""];
  return html`<button
    type="button"
    class="model"
    title=${facts === "" ? t("Choose Model") : t("Choose Model ({0})", facts)}
    @click=${choose}
  >
    ${model === "" ? "" : html`<span class="hidden">${t("Model:")}</span>`}<span class="model-name"
      >${revealName(model) || t("Choose Model")}</span
    >${demoModel ? html`<span class="model-note demo-model">${t("demo model")}</span>` : ""}${notes.map((note) =>
      note === "" ? "" : html`<span class="model-note">${note}</span>`,
    )}${icon("chevron-down")}
  </button>`;
}

/** The composer's button for the mode of the chat. It lists the modes; Shift+Tab chooses the next one (A13). */
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

/** The button that shows whether edits are applied at once or ask first, and changes it. Nothing until the person has chosen once. */
export function editsChip(edits: "review" | "ask" | undefined, set: (review: boolean) => void): unknown {
  if (edits === undefined) return nothing;
  const isReviewed = edits === "review";
  const title = isReviewed
    ? t("Edits of files that git tracks land at once, for you to keep or undo. Press to be asked first.")
    : t("Each edit asks first. Press to have edits of files that git tracks land at once, for you to keep or undo.");
  return html`<button type="button" class="edits" title=${title} @click=${() => set(!isReviewed)}>
    <span class="edits-words">${editsWords(edits)}</span>
  </button>`;
}

/** The sentence about a new mode for the live region. */
export function announceMode(mode: ChatMode): string {
  return t("Mode: {0}. {1}", modeName(mode), modeDetail(mode));
}

/** The text for a screen reader about how the keyboard leaves the text box backwards. */
export function modeKeyHelp(): string {
  return t("Shift+Tab chooses the next mode. After Escape it moves the focus.");
}

/**
 * Decides whether Shift+Tab chooses the next mode. After Escape it moves the focus instead, because the text box would otherwise trap the keyboard.
 */
export class ModeKey {
  #isReleased = false;

  /** True when the key press chooses the next mode. */
  takes({ key, shiftKey, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
    // Pressing Shift sends a key event of its own before the Tab.
    if (key === "Shift") return false;
    const isPlain = !ctrlKey && !metaKey && !altKey && !isComposing;
    const isTaken = isPlain && key === "Tab" && shiftKey && !this.#isReleased;
    this.#isReleased = isPlain && key === "Escape";
    return isTaken;
  }
}

/** The gateway of the next prompt, shown left of the model. A click chooses the gateway. Only the local gateway's price is known: it is free. */
export type ShownGateway = Pick<ChatPageStatus, "connection" | "gateway" | "local" | "balance">;

export function gatewayChip(
  { connection, gateway, local, balance }: ShownGateway,
  locale: string,
  choose: () => void,
): TemplateResult | typeof nothing {
  // The name of a gateway that is starting is known in a moment.
  if (gateway === "" && connection === "starting") return nothing;
  const name = local ? localWords() : revealName(gateway) || t("Choose Gateway");
  const left = balance && formatPrices(balance, locale);
  const title = local
    ? t("The local gateway: free, and nothing leaves this machine. Choose Gateway")
    : left === undefined
      ? t("Choose Gateway")
      : t("Choose Gateway ({0} left, the gateway says)", left);
  return html`<button type="button" class="gateway ${local ? "gateway-free" : ""}" title=${title} @click=${choose}>
    ${gateway === "" ? nothing : html`<span class="hidden">${t("Gateway:")}</span>`}<span class="gateway-name"
      >${name}</span
    >${left === undefined ? nothing : html`<span class="gateway-left">${left}<span class="hidden">${t("left")}</span></span>`}
  </button>`;
}

/** Shows how full the context is. `explain` shows the sentences to a person without a pointer. */
export function contextMeter(
  context: ContextUse | undefined,
  locale: string,
  explain: (text: string) => void,
): TemplateResult | typeof nothing {
  if (context === undefined) return nothing;
  const { used, size, isAssumed } = context;
  const price = context.prices && t("This chat: {0}.", describePrices(context.prices, locale));
  const words = [describeContext(context, locale), price].filter(Boolean).join(" ");
  const share = new Intl.NumberFormat(locale, { style: "percent" }).format(used / size);
  const label = isAssumed ? t("about {0}", share) : share;
  const level = used / size < 0.8 ? "context" : "context context-high";
  return html`<button
    type="button"
    class=${level}
    title=${words}
    aria-label=${`${label} · ${words}`}
    @click=${() => explain(words)}
  >
    ${label}
  </button>`;
}

/** *Context: 12,034 of 128,000 tokens. About: …* */
function describeContext(
  { used, size, isAssumed, messages, answers, tools, rest }: ContextUse,
  locale: string,
): string {
  const count = new Intl.NumberFormat(locale);
  const total = isAssumed
    ? plural(
        size,
        { other: "Context: {0} of {1} tokens, which is assumed: the gateway names no size" },
        count.format(used),
        count.format(size),
      )
    : plural(size, { other: "Context: {0} of {1} tokens" }, count.format(used), count.format(size));
  const rounded = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });
  const parts = [
    [messages, t("your messages")],
    [answers, t("answers")],
    [tools, t("tool results")],
    [rest, t("instructions and tool descriptions")],
  ] as const;
  const shown = parts.filter(([tokens]) => tokens > 0).map(([tokens, name]) => `${name} ${rounded.format(tokens)}`);
  return shown.length === 0 ? total : t("{0}. About: {1}", total, joinWords(shown));
}

/** The context meter of the composer: how full the model's context is, and, in words, what fills it. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { describePrice } from "../../../domain/words/describePrice";
import { joinWords } from "../../../domain/words/joinWords";
import { plural } from "../../../domain/words/plural";
import type { ContextUse } from "../../contract/chatPageContract";

/** `explain` shows the sentences to those without a pointer. */
export function contextMeter(
  context: ContextUse | undefined,
  locale: string,
  explain: (text: string) => void,
): TemplateResult | typeof nothing {
  if (context === undefined) return nothing;
  const { used, size, isAssumed } = context;
  const price = context.price && t("This chat: {0}.", describePrice(context.price, locale));
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

/** The system text as the beginning of the first prompt, for templates of models that have no system role (A14). Pure. */
import { startWithText } from "../../../domain/chat/startWithText";
import type { RequestVariant, VariantRule } from "./requestVariant";
import type { History } from "./normaliseHistory";

export interface SystemVariant extends RequestVariant {
  /** There is no message of the system's: its text begins the first prompt. */
  readonly systemInPrompt?: true;
}

export function withSystemInPrompt({ system, turns }: History): History {
  const text = system.join("\n\n");
  const [first, ...others] = turns;
  if (text === "") return { system: [], turns };
  const [prompt, rest] = first?.role === "user" ? [first, others] : [{ role: "user", parts: [] } as const, turns];
  return { system: [], turns: [{ ...prompt, parts: startWithText(text, prompt.parts) }, ...rest] };
}

/** By the words of the templates of Gemma and Mistral, of OpenAI and of Google. */
const noSystem =
  /\bsystem (?:role|messages?|prompts?|instructions?) (?:is |are )?not (?:supported|enabled|allowed)|\bnot support (?:the )?['"]?(?:system|developer)\b|\broles must alternate\b|\b(?:developer|system) instructions? (?:is|are) not enabled\b|\bonly user(?:,| and) (?:assistant|model)\b[^.]{0,40}\broles?\b/i;

/** A refused template is the server's fault for some programs; only the message says what it is about. */
export function systemIntoPrompt<Variant extends SystemVariant>(): VariantRule<Variant> {
  return {
    matches: ({ kind, message }) => kind === "rejected" && noSystem.test(message),
    change: (variant) => (variant.systemInPrompt ? undefined : { ...variant, systemInPrompt: true }),
  };
}

/** The system text as the beginning of the first prompt, for templates of models that have no system role (A14). Pure. */
import type { UserPart } from "../../../domain/chat/message";
import type { RequestVariant, VariantRule } from "./requestVariant";
import type { History, Turn } from "./normaliseHistory";

export interface SystemVariant extends RequestVariant {
  /** There is no message of the system's: its text begins the first prompt. */
  readonly systemInPrompt?: true;
}

/** Such templates also refuse two prompts in a row, so they become one. */
export function withSystemInPrompt({ system, turns }: History): History {
  const text = system.join("\n\n");
  const prompts: readonly Turn[] = text === "" ? turns : [{ role: "user", parts: [{ type: "text", text }] }, ...turns];
  const joined: Turn[] = [];
  for (const turn of prompts) {
    const last = joined.at(-1);
    if (last?.role === "user" && turn.role === "user")
      joined[joined.length - 1] = { ...last, ...turn, parts: joinParts(last.parts, turn.parts) };
    else joined.push(turn);
  }
  return { system: [], turns: joined };
}

/** Texts become one text: some gateways accept no list of parts. */
function joinParts(before: readonly UserPart[], after: readonly UserPart[]): readonly UserPart[] {
  const [last, next] = [before.at(-1), after[0]];
  if (last?.type !== "text" || next?.type !== "text") return [...before, ...after];
  return [...before.slice(0, -1), { type: "text", text: `${last.text}\n\n${next.text}` }, ...after.slice(1)];
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

/** Requests that are refused on purpose, for the tests of the request variants. */
import { AppFailure } from "../../../../src/domain/errors/appError";
import type { AssistantPart, ChatRequest, Message } from "../../../../src/domain/chat/message";
import { familyDefinitions } from "../../../../src/gateway/families/familyDefinitions";
import type { RequestVariant } from "../../../../src/gateway/families/familyDefinition";
import { type BeginRequest } from "../../../../src/gateway/stream/streamChat";

export const user: Message = { role: "user", parts: [{ type: "text", text: "Hi" }] };
export const call: AssistantPart = { type: "tool-call", call: "c", name: "read", input: {} };
export const ask = (family: ChatRequest["family"], more: Partial<ChatRequest> = {}): ChatRequest => ({
  family,
  model: "m",
  messages: [user],
  tools: [],
  ...more,
});
export const answered = (family: ChatRequest["family"], ...parts: AssistantPart[]): Message => ({
  role: "assistant",
  family,
  model: "m",
  parts,
});
export const thinking = (signature: string): AssistantPart => ({
  type: "opaque",
  family: "messages",
  data: { type: "thinking", thinking: "Hm.", signature },
});
export const refusal = (message: string, status = 400): AppFailure =>
  new AppFailure({ kind: "rejected", message, status });

export const firstOf = ({ family }: ChatRequest): RequestVariant => familyDefinitions[family].firstVariant;

/** Sends once through the variants; each word of `refusals` answers one try, and nothing answers the rest. */
export async function send(
  begin: BeginRequest,
  request: ChatRequest,
  ...refusals: readonly (string | AppFailure)[]
): Promise<{ readonly variants: RequestVariant[]; readonly told: string[]; readonly failed: unknown }> {
  const variants: RequestVariant[] = [];
  const told: string[] = [];
  const left = [...refusals];
  const failed = await begin(request)
    .send(
      (variant) => {
        variants.push(variant);
        const next = left.shift();
        return next === undefined
          ? Promise.resolve("answer")
          : Promise.reject(typeof next === "string" ? refusal(next) : next);
      },
      (error) => told.push(error.message),
    )
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  return { variants, told, failed: failed instanceof AppFailure ? failed.error.message : failed };
}

export const calling = ask("chat-completions", { messages: [user, answered("chat-completions", call), user] });
export const limited = (model: string): ChatRequest =>
  ask("chat-completions", { model, options: { maxOutputTokens: 9 } });
export const thinker = ask("messages", { options: { thinking: "low" } });
export const generate = ask("generate-content");

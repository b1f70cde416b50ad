/** Checks the thinking blocks that a client sends back: each must have its signature and be unchanged. */
import { type HttpError, invalidRequest } from "../../http/httpError";
import type { AnswerSignatures } from "../answerSignatures";
import type { AssistantBlock, WireMessage } from "./contentBlocks";

const kind = "thinking";

/** `shown`: the text that the client receives. */
export function signThinking(signatures: AnswerSignatures, thinking: string, shown: string): string {
  return signatures.sign(kind, shown, thinking);
}

export interface ThinkingCheck {
  /** Thinking is enabled by a budget: in an open tool loop each assistant message begins with a thinking block. */
  readonly thinks: boolean;
  readonly signatures: AnswerSignatures;
}

/** Checks the current tool loop only; thinking blocks of earlier turns may be changed or missing. */
export function checkThinking(messages: readonly WireMessage[], { thinks, signatures }: ThinkingCheck): void {
  const latest = messages.findLastIndex(({ role }) => role === "assistant");
  const prompt = messages.findLastIndex(isPrompt);
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant" || (index < latest && index < prompt)) continue;
    const field = `messages.${index}.content`;
    for (const [at, block] of message.content.entries()) checkBlock(block, `${field}.${at}`, signatures);
    const first = message.content[0]?.type;
    const isOpen = index > prompt && message.content.some(({ type }) => type === "tool_use");
    if (thinks && isOpen && first !== "thinking" && first !== "redacted_thinking") {
      throw invalidRequest(
        `${field}.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first ?? "nothing"}\`. ` +
          "While thinking is enabled, an assistant message in a tool loop begins with its thinking block.",
        `${field}.0.type`,
      );
    }
  }
}

/** A user message with more than tool results. */
function isPrompt({ role, content }: WireMessage): boolean {
  return role === "user" && content.some(({ type }) => type !== "tool_result");
}

function checkBlock(block: AssistantBlock, field: string, signatures: AnswerSignatures): void {
  if (block.type === "redacted_thinking" && !signatures.isHidden(block.data)) throw changed(field);
  if (block.type !== "thinking") return;
  const verdict = signatures.verify(kind, block.thinking, block.signature);
  if (verdict === "foreign") throw invalidRequest(`${field}: Invalid \`signature\` in \`thinking\` block`, field);
  if (verdict === "changed") throw changed(field);
}

function changed(field: string): HttpError {
  return invalidRequest(
    `${field}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
      "They must come back as they were in the response.",
    field,
  );
}

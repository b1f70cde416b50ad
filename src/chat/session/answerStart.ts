/** The event with which an answer begins. */
import { randomUUID } from "node:crypto";
import { definedFields } from "../../base/definedFields";
import type { AnswerEntry, SessionEvent } from "../../domain/chat/chat";
import type { SessionPorts } from "./sessionPorts";

/** `of`: the model that answers, when it is known. */
export function startAnswer(
  { connections, clock }: Pick<SessionPorts, "connections" | "clock">,
  of?: Pick<AnswerEntry, "model" | "family">,
): Extract<SessionEvent, { type: "answer-started" }> {
  const { model = "", family = "chat-completions" } = of ?? {};
  const { current } = connections.current;
  const isFree = current.state === "ready" && current.local ? (true as const) : undefined;
  return { type: "answer-started", id: randomUUID(), model, family, ...definedFields({ isFree }), at: clock.now() };
}

/** Continues a chat that paused at a cap, once the person has raised the cap in the settings, to which the card has led (T10, T18). */
import type { Disposable } from "../../../base/disposable";
import type { Event } from "../../../base/event";
import { lastAnswer } from "../../../domain/chat/chat";
import type { SettingsReader } from "../../../domain/environment";
import type { ChatSession } from "../../session/session";

export interface CapSettings extends SettingsReader {
  readonly onDidChange: Event<void>;
}

/** `answer`: the id of the paused answer. Stops listening when the chat has continued in another way. */
export function goOnOnceRaised(
  session: Pick<ChatSession, "chat" | "retry">,
  answer: string,
  settings: CapSettings,
): Disposable {
  const listening = settings.onDidChange(() => {
    const last = lastAnswer(session.chat);
    const failure = last?.id === answer ? last.failure : undefined;
    if (failure?.type !== "token-cap" && failure?.type !== "money-cap") {
      listening.dispose();
      return;
    }
    const cap = settings.get(failure.type === "token-cap" ? "caps.tokensPerChat" : "caps.moneyPerChat");
    // A lower cap would only pause the answer again.
    if (cap > 0 && cap <= failure.cap) return;
    listening.dispose();
    void session.retry();
  });
  return listening;
}

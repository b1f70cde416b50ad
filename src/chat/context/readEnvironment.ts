/** Reads where the chat works before its first request, and again where it is continued in another workspace. */
import { abortable } from "../../base/async/abort";
import type { Chat, SessionEvent } from "../../domain/chat/chat";
import type { PromptContext } from "../../domain/chat/environmentSchema";
import type { Surroundings } from "./surroundings";

/** Rejects with an `AbortError` only. */
export async function readEnvironment(
  chat: () => Chat,
  surroundings: Surroundings,
  emit: (event: SessionEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const known = chat().environment?.roots.map(({ path }) => path);
  if (known !== undefined && isSame(known, surroundings.roots())) return;
  const environment = await abortable(surroundings.readEnvironment(signal), signal);
  if (environment !== undefined) emit({ type: "environment-read", environment });
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((path, index) => path === other[index]);
}

/** What the person has in front of them; `undefined` for nothing. */
export function promptContextOf(surroundings: Pick<Surroundings, "promptContext">): PromptContext | undefined {
  const context = surroundings.promptContext();
  return Object.keys(context).length === 0 ? undefined : context;
}

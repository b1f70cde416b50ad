/** After the first answer of a chat: asks its model for a title, where the person wants that and has given no name. */
import { isAbort } from "../base/async/abort";
import { toAppError } from "../domain/errors/appError";
import type { Chat, SessionEvent } from "../domain/chat/chat";
import { makeTitle } from "./makeTitle";
import type { SessionPorts } from "./sessionPorts";
import { summaryTextOf } from "./summaryRequest";
import { tokensOfText } from "../domain/chat/tokenCount";

/** Tokens of the instructions and the title, about. */
const leastCost = 300;

/** Resolves with whether the model was asked, also where that failed. Never rejects: a chat without a title is named after its first prompt. */
export async function nameChat(
  chat: Chat,
  ports: SessionPorts,
  emit: (event: SessionEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const { storage, connections, log, clock } = ports;
  const mayName = (): boolean => storage.isWritable && !storage.hasTitle && ports.makesTitles();
  const said = mayName() ? firstExchange(chat) : undefined;
  if (said === undefined || isOverCap(chat, ports, said)) return false;
  try {
    const model = await ports.model(signal);
    if (!model || model.demonstrator === true) return false;
    const { gateway } = await connections.ready(signal);
    const { title, tokens } = await makeTitle(gateway, model, said, signal);
    // Closed meanwhile, or taken over by another window: then this window no longer writes the file.
    if (!storage.isWritable) return true;
    emit({ type: "tokens-spent", tokens, at: clock.now() });
    if (title !== "" && mayName()) await storage.setTitle(title);
  } catch (error) {
    if (!isAbort(error)) log.info("A chat got no title from its model.", { kind: toAppError(error).kind });
  }
  return true;
}

/** The first prompt and its answer: once that is complete, and until a second prompt follows. */
function firstExchange({ entries }: Chat): { readonly prompt: string; readonly answer: string } | undefined {
  const prompts = entries.filter((entry) => entry.type === "user");
  const last = entries.findLast((entry) => entry.type === "answer");
  const [prompt] = prompts;
  if (prompt === undefined || prompts.length > 1 || last?.state !== "complete" || last.cut === true) return undefined;
  const answer = entries.flatMap((entry) => (entry.type === "answer" ? [summaryTextOf(entry)] : [])).join("\n");
  return { prompt: prompt.text, answer };
}

/** The person's cap of tokens for one chat holds for this request too. */
function isOverCap(
  { tokens = 0 }: Chat,
  { tokensPerChat }: SessionPorts,
  { prompt, answer }: { readonly prompt: string; readonly answer: string },
): boolean {
  const cap = tokensPerChat();
  return cap > 0 && tokens + tokensOfText(prompt.slice(0, 2000) + answer.slice(0, 1000)) + leastCost > cap;
}

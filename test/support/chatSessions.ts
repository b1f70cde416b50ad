/** A chat session with a scripted model. */
import { ChatSession } from "../../src/chat/session";
import type { Gateway, Model } from "../../src/domain/ports";
import type { Tool } from "../../src/domain/tool";
import { type AnswerEntry, type Approval, toolCalls, type ToolProgress } from "../../src/domain/transcript";
import { connectTo, keptLog, makeGateway } from "./builders";
import { createMovedClock } from "./movedClock";

export const model = { id: "model-x", family: "chat-completions" } as const;

export function makeTool(
  name: string,
  run: (input: unknown, signal: AbortSignal) => Promise<string>,
  asks = false,
): Tool {
  return {
    declaration: { name, description: name, parameters: { type: "object" } },
    prepare: (input) =>
      Promise.resolve({
        title: `${name} ${JSON.stringify(input)}`,
        ...(asks ? { ask: { reason: "writes a file" } } : {}),
        run: (signal: AbortSignal) => run(input, signal),
      }),
  };
}

/** The session, its connection, and the models that were marked as refusing tools. */
export interface SessionOver {
  readonly session: ChatSession;
  readonly connections: ReturnType<typeof connectTo>;
  readonly learnt: readonly string[];
}

export function sessionOver(
  streamChat: Gateway["streamChat"],
  tools: readonly Tool[] = [],
  chosen: { readonly model?: Model } = { model },
): SessionOver {
  const connections = connectTo(makeGateway({ streamChat }));
  const learnt: string[] = [];
  const session = new ChatSession({
    connections,
    clock: createMovedClock(),
    log: keptLog(),
    model: () => connections.ready().then(() => chosen.model),
    tools: () => tools,
    learnWithoutTools: (id) => learnt.push(id),
  });
  return { session, connections, learnt };
}

export const answers = (session: ChatSession): AnswerEntry[] =>
  session.chat.entries.filter((entry) => entry.type === "answer");
export const progressOf = (session: ChatSession): ToolProgress["state"][] =>
  answers(session).flatMap((answer) => toolCalls(answer).map(({ progress }) => progress.state));
/** The open approval questions. */
export const waiting = (session: ChatSession): Approval[] =>
  answers(session)
    .flatMap((answer) => toolCalls(answer))
    .flatMap(({ progress }) => (progress.state === "waiting" ? [progress.approval] : []));

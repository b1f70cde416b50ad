/** A chat session with a scripted model. */
import { definedFields } from "../../src/base/definedFields";
import { ChatSession } from "../../src/chat/session/session";
import type { SessionOptions } from "../../src/chat/session/sessionOptions";
import type { Gateway, Model } from "../../src/domain/ports";
import type { Tool } from "../../src/domain/tools/tool";
import { describeFailure } from "../../src/domain/words/describeAnswer";
import type { ErrorDescription } from "../../src/domain/words/describeError";
import {
  type AnswerEntry,
  type Chat,
  toolCalls,
  type ToolProgress,
  type WaitingCall,
} from "../../src/domain/chat/chat";
import { connectTo, keptLog, makeGateway } from "./builders";
import { createMovedClock, type MovedClock } from "./movedClock";
import { plainSessionOptions } from "./plainOptions";

export const model = { id: "model-x", family: "chat-completions" } as const;

export function makeTool(
  name: string,
  run: (input: unknown, signal: AbortSignal) => Promise<string>,
  asks = false,
): Tool {
  return {
    declaration: { name, description: name, parameters: { type: "object" } },
    effect: asks ? "changes" : "reads",
    prepare: (input) =>
      Promise.resolve({
        action: { type: "call", name: `${name} ${JSON.stringify(input)}` },
        ...(asks ? { reasons: ["writes-file" as const] } : {}),
        run: (signal: AbortSignal) => run(input, signal),
      }),
  };
}

/** The session, its connection, and the models that were marked as refusing tools. */
export interface SessionOver {
  readonly session: ChatSession;
  readonly connections: ReturnType<typeof connectTo>;
  readonly learnt: readonly string[];
  readonly clock: MovedClock;
}

export function sessionOver(
  streamChat: Gateway["streamChat"],
  tools: readonly Tool[] = [],
  chosen: { readonly model?: Model } = { model },
  stored?: Chat,
  attach?: SessionOptions["attach"],
  storage?: SessionOptions["storage"],
  readImage?: SessionOptions["readImage"],
  others: Partial<SessionOptions> = {},
): SessionOver {
  const connections = connectTo(makeGateway({ streamChat }));
  const learnt: string[] = [];
  const clock = createMovedClock();
  const session = new ChatSession(
    {
      ...plainSessionOptions,
      connections,
      clock,
      log: keptLog(),
      model: () => connections.ready().then(() => chosen.model),
      tools: () => tools,
      learnWithoutTools: (id) => learnt.push(id),
      ...definedFields({ attach, storage, readImage }),
      ...others,
    },
    stored,
  );
  session.interrupt();
  return { session, connections, learnt, clock };
}

export const answers = (session: ChatSession): AnswerEntry[] =>
  session.chat.entries.filter((entry) => entry.type === "answer");
export const progressOf = (session: ChatSession): ToolProgress["state"][] =>
  answers(session).flatMap((answer) => toolCalls(answer).map(({ progress }) => progress.state));
/** The description that a person would read of an answer that failed. */
export const errorOf = (answer: AnswerEntry | undefined): ErrorDescription | undefined =>
  answer && describeFailure(answer);
/** The approvals that are open, with what they are for. */
export const waiting = (session: ChatSession): (WaitingCall["approval"] & Pick<WaitingCall, "action">)[] =>
  answers(session)
    .flatMap((answer) => toolCalls(answer))
    .flatMap(({ progress }) =>
      progress.state === "waiting" ? [{ ...progress.approval, action: progress.action }] : [],
    );

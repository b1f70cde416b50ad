/** Plays random chats with a model of a bounded context: it refuses longer requests, in other units than ours, and a person reacts to that. */
import { AppFailure } from "../../src/domain/errors/appError";
import type { ChatEvent } from "../../src/domain/chat/chatEvent";
import type { ChatRequest } from "../../src/domain/chat/message";
import { lastAnswer } from "../../src/domain/chat/chat";
import type { Model } from "../../src/domain/ports";
import { callingAnswer } from "./builders";
import { makeTool } from "./chatSessions";
import { seeded } from "./seeded";
import { countedAnswer, summarizedChat } from "./summarizedChats";
import { withSettings } from "./plainOptions";

export interface BoundedChat {
  /** How each turn ended. */
  readonly ends: readonly ("answer" | "pause" | "neither")[];
  /** Requests that were refused and made again unchanged in the same turn. */
  readonly repeated: number;
  readonly requests: number;
  /** Requests that were refused for their length. */
  readonly refused: number;
}

interface Habits {
  readonly model: Model;
  /** Bytes of a token, as the service counts. */
  readonly bytesPerToken: number;
  readonly namesSizes: boolean;
  readonly reportsUsage: boolean;
  readonly summarizes: boolean;
}

/** Plays a chat of six turns that is drawn from the seed. `size`: tokens that the model takes. */
export async function playBoundedChat(size: number, seed: number): Promise<BoundedChat> {
  const random = seeded(seed);
  const habits: Habits = {
    model: {
      id: "m",
      family: "chat-completions",
      ...[{}, { contextSize: size }, { contextSize: size * 4 }][random(3)],
    },
    bytesPerToken: 2 + random(4),
    namesSizes: random(2) === 0,
    reportsUsage: random(3) > 0,
    summarizes: random(4) > 0,
  };
  const service = new BoundedService(size, habits);
  let model = habits.model;
  let rounds: number[][] = [];
  const chat = summarizedChat(
    {
      answer: (request) => service.answer(request, rounds.shift()),
      summarize: (request) => service.answer(request, undefined),
    },
    {
      model: () => Promise.resolve(model),
      tools: () => [makeTool("read", (input) => Promise.resolve(resultOf(input)))],
      ...withSettings(() => ({ summarizeChats: habits.summarizes })),
      learnContextSize: (_id, tokens) => (model = { ...model, contextSize: tokens }),
    },
  );
  const upTo = (most: number): number => (random(4) === 0 ? random(most) : random(Math.ceil(most / 20)));
  const ends: BoundedChat["ends"][number][] = [];
  let repeated = 0;
  for (let turn = 0; turn < 6; turn += 1) {
    const calls = (): number[] => Array.from({ length: 1 + random(4) }, () => upTo(size * 8));
    rounds = Array.from({ length: random(5) }, calls);
    service.begin();
    const end = ends.at(-1);
    if (end === "pause" && random(3) > 0) await chat.session.retry(random(2) === 0 ? "summarize" : "leave-out");
    else await chat.session.submit(`turn ${turn} ${"word ".repeat(upTo(size))}`);
    repeated += service.repeated;
    const last = lastAnswer(chat.session.chat);
    const isPause = last?.state === "failed" && last.failure?.type === "context-full" && !last.failure.isSentAgain;
    ends.push(last?.state === "complete" ? "answer" : isPause ? "pause" : "neither");
  }
  return { ends, repeated, requests: chat.requests.length, refused: service.refused };
}

class BoundedService {
  repeated = 0;
  refused = 0;
  readonly #size: number;
  readonly #habits: Habits;
  /** The requests that were refused in this turn. */
  #refusals = new Set<string>();

  constructor(size: number, habits: Habits) {
    this.#size = size;
    this.#habits = habits;
  }

  begin(): void {
    this.#refusals = new Set();
    this.repeated = 0;
  }

  /** `calls`: bytes of the results that are asked for. */
  answer({ messages, tools }: ChatRequest, calls: readonly number[] | undefined): readonly ChatEvent[] {
    const { bytesPerToken, namesSizes, reportsUsage } = this.#habits;
    const sent = JSON.stringify([messages, tools]);
    const tokens = Math.ceil(Buffer.byteLength(sent) / bytesPerToken);
    if (tokens > this.#size) {
      if (this.#refusals.has(sent)) this.repeated += 1;
      this.#refusals.add(sent);
      this.refused += 1;
      const sizes = namesSizes ? { contextSize: this.#size, promptSize: tokens } : {};
      throw new AppFailure({ kind: "too-large", message: "prompt is too long", status: 400, ...sizes });
    }
    if (calls === undefined) return countedAnswer("done", reportsUsage ? tokens : undefined);
    return callingAnswer(...calls.map((bytes) => ({ name: "read", input: { bytes } }))).flatMap((event) =>
      event.type === "message-end" && reportsUsage
        ? [{ type: "usage" as const, input: tokens, output: 50, raw: null }, event]
        : [event],
    );
  }
}

function resultOf(input: unknown): string {
  const { bytes } = input as { readonly bytes: number };
  return `${"line of a file\n".repeat(bytes / 15)}end`;
}

// A recorded question, read in place and by a reader: the tokens of the chat's own context.
import { systemClock } from "../../src/base/async/systemClock";
import { ChatSession } from "../../src/chat/session/session";
import { tokensOfText } from "../../src/domain/chat/tokenCount";
import { explore } from "../../src/tools/explore";
import { callingAnswer, connectTo, keptLog, makeGateway, textAnswer } from "../../test/support/builders";
import { makeTool } from "../../test/support/chatSessions";
import { plainSessionPorts } from "../../test/support/plainPorts";

/** @typedef {import("../../src/domain/chat/chatEvent").ChatEvent} ChatEvent */
/** @typedef {{ readonly commands: readonly string[], readonly promptTokens: number, readonly completionTokens: number }} Round */

const bytesPerToken = 4;
/** Tokens of the longest answer that a reader is asked for: some 600 words with paths and code. */
const answerLength = 1200;

/** @param {readonly Round[]} rounds that only read; the last one ends them and is not played */
export async function playQuestion(rounds) {
  const inPlace = await contextAfter([...rounds.slice(0, -1).map(readRound), textAnswer("Done.")], [], rounds);
  const question = callingAnswer({ name: "explore", input: { question: "q".repeat(60 * bytesPerToken) } });
  const reader = [...rounds.slice(0, -1).map(readRound), textAnswer("a".repeat(answerLength * bytesPerToken))];
  const delegated = await contextAfter([question, textAnswer("Done.")], reader, rounds);
  return { inPlace, delegated };
}

/** Tokens of the chat's last request beyond its first one. @param {readonly (readonly ChatEvent[])[]} chat @param {readonly (readonly ChatEvent[])[]} reader @param {readonly Round[]} rounds */
async function contextAfter(chat, reader, rounds) {
  const left = { chat: [...chat], reader: [...reader] };
  /** @type {number[]} */
  const sizes = [];
  let read = 0;
  /** @type {import("../../src/domain/ports").Gateway["streamChat"]} */
  const streamChat = async function* ({ messages }) {
    await Promise.resolve();
    const text = JSON.stringify(messages);
    const whose = text.includes("You are a reader for another agent") ? "reader" : "chat";
    if (whose === "chat") sizes.push(tokensOfText(text));
    yield* left[whose].shift() ?? [];
  };
  const session = new ChatSession({
    ...plainSessionPorts,
    connections: connectTo(makeGateway({ streamChat })),
    clock: systemClock,
    log: keptLog(),
    model: () => Promise.resolve({ id: "claude", family: "messages", contextSize: 10_000_000 }),
    tools: () => [explore(), makeTool("read", () => Promise.resolve(resultOf(rounds, read++)))],
  });
  await session.submit("go");
  if (left.chat.length + left.reader.length > 0) throw new Error("The question was not played to its end.");
  return (sizes.at(-1) ?? Number.NaN) - (sizes[0] ?? Number.NaN);
}

/** @param {Round} round @param {number} at @returns {readonly ChatEvent[]} */
function readRound({ commands }, at) {
  return callingAnswer({ name: "read", input: { command: commands.join("\n"), round: at } });
}

/** Tokens by which the next prompt was longer, but for the answer itself. @param {readonly Round[]} rounds @param {number} at */
function resultOf(rounds, at) {
  const growth = (rounds[at + 1]?.promptTokens ?? 0) - (rounds[at]?.promptTokens ?? 0);
  return "z".repeat(Math.max(1, growth - (rounds[at]?.completionTokens ?? 0)) * bytesPerToken);
}

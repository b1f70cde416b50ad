// A recorded run as a scripted turn through the real turn loop: the model makes the recorded calls, a stub answers them.
import { ChatSession } from "../../src/chat/session/session";
import { settingTable } from "../../src/domain/settingTable";
import { toolCalls } from "../../src/domain/chat/chat";
import { callingAnswer, connectTo, keptLog, makeGateway, textAnswer } from "../../test/support/builders";
import { makeTool } from "../../test/support/chatSessions";
import { createMovedClock } from "../../test/support/movedClock";
import { plainSessionPorts } from "../../test/support/plainPorts";

const model = /** @type {const} */ ({ id: "recorded", family: "chat-completions" });

export const defaultRounds = settingTable["caps.roundsPerTurn"].default;

/** A round whose call could not be read, as the recorder left it out. */
const unreadable = [
  { type: "message-start" },
  { type: "tool-call-start", block: 0, call: "call-0", name: "run" },
  { type: "tool-call-invalid", call: "call-0", text: "{", reason: "The arguments are not valid JSON." },
  { type: "message-end", finish: "tool-calls", cut: false },
];

/**
 * What was not run, or not gone on with, because Sluice says so. `resultOf`: of a command; the same text each time unless the
 * caller says otherwise. `rounds`: the limit.
 * @param {readonly (readonly string[])[]} commands of each round
 * @param {(command: string) => string} resultOf
 * @param {number} rounds
 */
export async function replay(commands, resultOf, rounds) {
  let round = 0;
  const gateway = makeGateway({
    async *streamChat() {
      const made = commands[round];
      round += 1;
      await Promise.resolve();
      if (made === undefined) yield* textAnswer("It is done.");
      else if (made.length === 0) yield* /** @type {any} */ (unreadable);
      else yield* callingAnswer(...made.map((command) => ({ name: "run", input: { command } })));
    },
  });
  const run = makeTool("run", (input) => Promise.resolve(resultOf(/** @type {any} */ (input).command)));
  const session = new ChatSession({
    ...plainSessionPorts,
    connections: connectTo(gateway),
    clock: createMovedClock(),
    log: keptLog(),
    model: () => Promise.resolve(model),
    tools: () => [run],
    summarizes: () => false,
    roundsPerTurn: () => rounds,
  });
  await session.submit("the task");
  const answers = session.chat.entries.filter((entry) => entry.type === "answer");
  const calls = answers.flatMap((answer) => toolCalls(answer));
  return {
    refused: calls.filter(({ progress }) => progress.state === "failed").length,
    limited: answers.at(-1)?.failure?.type === "round-limit",
    isWhole: answers.at(-1)?.state === "complete" && round === commands.length + 1,
  };
}

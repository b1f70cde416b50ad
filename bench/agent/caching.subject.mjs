// Turns of recorded shape through a session of ours: what its requests mark for the service's cache, and what a service charges for them.
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../../src/base/async/systemClock";
import { ChatSession } from "../../src/chat/session/session";
import { buildMessagesRequest } from "../../src/gateway/families/messages";
import { connectGateway } from "../../src/gateway/httpGateway";
import { startLocalGateway } from "../../src/localGateway/server";
import { connectTo, keptLog, makeGateway } from "../../test/support/builders";
import { answers, makeTool } from "../../test/support/chatSessions";
import { markedPrompt } from "../../test/support/markedPrompt";
import { plainEndpoint, plainSessionPorts } from "../../test/support/plainPorts";

/** @typedef {import("../../src/domain/chat/chatEvent").ChatEvent} ChatEvent */
/** @typedef {import("../../src/domain/chat/message").ChatRequest} ChatRequest */
/** @typedef {{ readonly commands: readonly string[], readonly promptTokens: number, readonly completionTokens: number }} Round */

/** Of the input price: what is read from the cache, and what is written into it. */
const prices = { read: 0.1, write: 1.25 };
const bytesPerToken = 4;

/** The prompts of one turn at a service with a cache, in bytes. Time is not simulated: what was marked is kept. */
class CachingService {
  price = 0;
  whole = 0;
  /** Requests that do not begin with what the one before has marked. */
  lost = 0;
  /** @type {Set<string>} */
  #kept = new Set();
  /** @type {string | undefined} */
  #last;

  /** @param {Record<string, unknown>} body */
  take(body) {
    const { pieces, marked } = markedPrompt(body);
    const hash = createHash("sha1");
    let [length, read, written, isBegun] = [0, 0, 0, this.#last === undefined];
    /** @type {string[]} */
    const prefixes = [];
    for (const [at, piece] of pieces.entries()) {
      hash.update(piece);
      length += Buffer.byteLength(piece);
      const isMarked = marked.includes(at);
      if (!isMarked) continue;
      const prefix = hash.copy().digest("hex");
      if (this.#kept.has(prefix)) read = length;
      isBegun ||= prefix === this.#last;
      written = length;
      prefixes.push(prefix);
    }
    for (const prefix of prefixes) this.#kept.add(prefix);
    this.#last = prefixes.at(-1);
    if (!isBegun) this.lost += 1;
    this.whole += length;
    this.price += prices.read * read + prices.write * (written - read) + (length - written);
  }
}

/**
 * One turn: each round's answer and result are as long as in the recording, so that the prompts grow as they did there.
 * @param {readonly Round[]} rounds
 */
export async function playRun(rounds) {
  const service = new CachingService();
  let round = 0;
  const [first] = rounds;
  /** @type {import("../../src/domain/ports").Gateway["streamChat"]} */
  const streamChat = async function* (request) {
    await Promise.resolve();
    service.take(buildMessagesRequest(request));
    yield* answerOf(rounds, round);
    round += 1;
  };
  const session = new ChatSession({
    ...plainSessionPorts,
    connections: connectTo(makeGateway({ streamChat })),
    clock: systemClock,
    log: keptLog(),
    // Large enough for every recorded prompt: a summary is not what is measured.
    model: () => Promise.resolve({ id: "claude", family: "messages", contextSize: 10_000_000 }),
    tools: () => [makeTool("run_command", () => Promise.resolve(resultOf(rounds, round - 1)))],
  });
  await session.submit("x".repeat((first?.promptTokens ?? 0) * bytesPerToken));
  for (let asked = 0; round < rounds.length && asked !== round;) {
    asked = round;
    await session.retry();
  }
  if (round < rounds.length) throw new Error(`The turn ended after ${round} of ${rounds.length} rounds.`);
  const { price, whole, lost } = service;
  return { price, whole, lost, rounds: round };
}

/** @param {readonly Round[]} rounds @param {number} at @returns {ChatEvent[]} */
function answerOf(rounds, at) {
  if (at >= rounds.length - 1) {
    return [
      { type: "message-start" },
      { type: "text-delta", block: 0, text: "Done." },
      { type: "message-end", finish: "stop", cut: false },
    ];
  }
  const round = rounds[at];
  const input = { command: (round?.commands ?? []).join("\n"), round: at };
  const length =
    Math.min(round?.completionTokens ?? 0, growth(rounds, at)) * bytesPerToken - JSON.stringify(input).length;
  return [
    { type: "message-start" },
    { type: "text-delta", block: 0, text: "y".repeat(Math.max(1, length)) },
    { type: "tool-call-start", block: 1, call: `c${at}`, wireId: `toolu_${at}`, name: "run_command" },
    { type: "tool-call-end", call: `c${at}`, input },
    { type: "message-end", finish: "tool-calls", cut: false },
  ];
}

/** @param {readonly Round[]} rounds @param {number} at */
function resultOf(rounds, at) {
  return "z".repeat(Math.max(1, growth(rounds, at) - (rounds[at]?.completionTokens ?? 0)) * bytesPerToken);
}

/** Tokens by which the next prompt was longer. @param {readonly Round[]} rounds @param {number} at */
function growth(rounds, at) {
  return Math.max(0, (rounds[at + 1]?.promptTokens ?? 0) - (rounds[at]?.promptTokens ?? 0));
}

/** A turn of so many rounds at the local gateway, over its socket: the tokens that it counted, and those that it read from its cache. @param {number} rounds */
export async function playTurn(rounds) {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-caching-"));
  const local = await startLocalGateway({ stateDir: folder, tokensPerSecond: Infinity, firstTokenMs: 0 });
  try {
    const endpoint = { ...plainEndpoint, baseUrl: local.url, key: local.key, clock: systemClock, random: () => 0.5 };
    const session = new ChatSession({
      ...plainSessionPorts,
      connections: connectTo(connectGateway(endpoint)),
      clock: systemClock,
      log: keptLog(),
      model: () => Promise.resolve({ id: "demo-messages", family: "messages" }),
      tools: () => [makeTool("read_file", (input) => Promise.resolve(`${JSON.stringify(input)}\n`.repeat(60)))],
    });
    const calls = Array.from({ length: rounds - 1 }, (_, at) => `read_file {"path": "src/file${at}.ts"}`);
    await session.submit(`Read all.\n\`\`\`calls\n${calls.join("\n\n")}\n\`\`\``);
    const usages = answers(session).map(({ usage }) => usage);
    const sum = (/** @type {"input" | "cacheRead"} */ name) => usages.reduce((all, one) => all + (one?.[name] ?? 0), 0);
    return { rounds: usages.length, input: sum("input"), cached: sum("cacheRead") };
  } finally {
    await local.close();
    await rm(folder, { recursive: true, force: true });
  }
}

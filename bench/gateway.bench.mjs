// What the local gateway costs: CPU of a create, of a read and of a token over many concurrent streams, and memory, beside a bare node:http server in the same run.
import { build } from "esbuild";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { nodeBundle } from "./subject.mjs";

const size = { creates: 1_000, reads: 4_000, atOnce: 16, streams: 50, words: 60 };

/** Times what the bare server takes. A create is in the database before it is answered. */
/** Rounds of both: the peak of memory is twice to four times as high where the collector comes late, and a read of the bare server takes 40 µs. */
const rounds = 3;
const limits = { creates: 7.5, reads: 8, tokens: 4, memory: 2.6 };

/** The floor: the same responses as constants, from node:http alone. */
const bareServer = `
const { createServer } = require("node:http");
const task = JSON.stringify({ task_id: "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", task_type: 3, status: 1, public_model: "demo-image", created_at: "2026-01-01T00:00:00.000Z" });
const chunk = "data: " + JSON.stringify({ id: "chatcmpl-0", created: 1, model: "demo-chat", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }] }) + "\\n\\n";
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  if (request.url !== "/v1/chat/completions") {
    response.writeHead(request.method === "POST" ? 202 : 200, { "content-type": "application/json", "content-length": task.length }).end(task);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let sent = 0; sent < JSON.parse(body).tokens; sent += 1) if (!response.write(chunk)) await new Promise((go) => response.once("drain", go));
  response.end("data: [DONE]\\n\\n");
});
server.listen(0, "127.0.0.1", () => process.send({ url: "http://127.0.0.1:" + server.address().port, key: "none" }));
`;

/** @param {string} program @param {readonly string[]} flags */
async function start(program, flags) {
  const meter = path.join(import.meta.dirname, "gateway", "meter.cjs");
  const stdio = /** @type {const} */ (["ignore", "ignore", "inherit", "ipc"]);
  const child = fork(program, flags, { execArgv: ["--require", meter], stdio: [...stdio] });
  const [{ url, key }] = await once(child, "message");
  // A new agent for each server, so that no connection is reused.
  return { child, url, key, agent: new Agent({ keepAlive: true, maxSockets: 64 }) };
}

/** @typedef {Awaited<ReturnType<typeof start>>} Started */

/**
 * @param {Started} server @param {string} method @param {string} where @param {unknown} [body]
 * @returns {Promise<{ status: number, text: string }>}
 */
function ask({ url, key, agent }, method, where, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const sent = request(url + where, { method, agent, headers }, (response) => {
      /** @type {Buffer[]} */
      const parts = [];
      response.on("data", (part) => parts.push(part)).on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** @param {Started} server @returns {Promise<{ cpu: number, memory: number }>} milliseconds so far, megabytes at most */
async function used({ child }) {
  child.send("used");
  const [answer] = await once(child, "message");
  return answer;
}

/**
 * Runs the work so many times, so many at once.
 * @param {Started} server @param {number} times @param {number} atOnce @param {(index: number) => Promise<unknown>} work
 * @returns {Promise<{ cpu: number, wall: number }>} milliseconds: of the server, and until the last is done
 */
async function each(server, times, atOnce, work) {
  let next = 0;
  const lane = async () => {
    while (next < times) await work(next++);
  };
  const before = await used(server);
  const begun = performance.now();
  await Promise.all(Array.from({ length: atOnce }, lane));
  const wall = performance.now() - begun;
  return { cpu: (await used(server)).cpu - before.cpu, wall };
}

/** @param {{ status: number, text: string }} answered @param {number} status */
function check(answered, status) {
  if (answered.status !== status)
    throw new Error(`${answered.status} instead of ${status}: ${answered.text.slice(0, 200)}`);
  return answered;
}

/** @param {Started} server @param {number | undefined} tokens what the bare server is to send */
async function measure(server, tokens) {
  /** @type {string[]} */
  const ids = [];
  const create = async (/** @type {number} */ index) => {
    const body = { task_type: "async_image", prompt: `hill ${index}`, idempotency_key: `bench-${index}` };
    ids.push(JSON.parse(check(await ask(server, "POST", "/v1/tasks", body), 202).text).task_id);
  };
  await each(server, 50, size.atOnce, (index) => create(-1 - index));
  const creates = await each(server, size.creates, size.atOnce, create);
  const read = (/** @type {number} */ index) => ask(server, "GET", `/v1/tasks/${ids[index % ids.length]}`);
  await each(server, 200, size.atOnce, read);
  const reads = await each(server, size.reads, size.atOnce, async (index) => check(await read(index), 200));
  let counted = 0;
  const messages = [{ role: "user", content: `write ${size.words} paragraphs` }];
  const streaming = await each(server, size.streams, size.streams, async () => {
    const asked = { model: "demo-chat", stream: true, messages, ...(tokens === undefined ? {} : { tokens }) };
    const { text } = check(await ask(server, "POST", "/v1/chat/completions", asked), 200);
    counted += text.split('"content":"').length - 1;
  });
  return {
    creates: eachOf(creates, size.creates),
    reads: eachOf(reads, size.reads),
    tokens: eachOf(streaming, counted),
    perStream: Math.round(counted / size.streams),
    memory: (await used(server)).memory,
  };
}

/** Microseconds for one. @param {{ cpu: number, wall: number }} all milliseconds @param {number} count */
const eachOf = ({ cpu, wall }, count) => ({ cpu: (cpu * 1000) / count, wall: (wall * 1000) / count });

/** @param {Started} server */
async function stop({ child, agent }) {
  agent.destroy();
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** What the gateway costs of what the bare server does. Rejects when a response is wrong. */
export async function run() {
  const folder = await mkdtemp(path.join(tmpdir(), "bench-gateway-"));
  const programs = { gateway: path.join(folder, "gateway.cjs"), bare: path.join(folder, "bare.cjs") };
  await build({
    ...nodeBundle,
    entryPoints: [path.join(import.meta.dirname, "../src/localGateway/main.ts")],
    outfile: programs.gateway,
    loader: { ".mp4": "base64" },
  });
  await writeFile(programs.bare, bareServer);
  try {
    /** @type {Round[]} */
    const all = [];
    for (let round = 0; round < rounds; round += 1) {
      const state = path.join(folder, `state-${round}`);
      // Unthrottled: the work is measured, not the configured pace.
      const gateway = await start(programs.gateway, ["--state", state, "--speed", "1000000"]);
      const own = await ask(gateway, "POST", "/_local/deposit", { amount: 1_000_000_000 })
        .then(() => measure(gateway, undefined))
        .finally(() => stop(gateway));
      const bare = await start(programs.bare, []);
      all.push({ own, floor: await measure(bare, own.perStream).finally(() => stop(bare)) });
    }
    const { perStream = 0 } = all[0]?.own ?? {};
    console.log(
      `gateway: ${size.atOnce} requests at once, ${perStream} tokens in each stream, the median of ${rounds}, Node ${process.version}`,
    );
    console.log(`${"".padEnd(44)}${"gateway".padStart(10)}${"bare http".padStart(12)}${"ratio".padStart(8)}`);
    return [
      ...compare("a create, fsynced", "creates", all),
      ...compare("a read", "reads", all),
      ...compare(`a token, ${size.streams} streams at once`, "tokens", all),
      ...print("memory at its peak, MB", all, ({ memory }) => memory, limits.memory),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @typedef {Awaited<ReturnType<typeof measure>>} Figures @typedef {{ readonly own: Figures, readonly floor: Figures }} Round */

/** Only the CPU has a limit: how long it takes depends on the disk. @param {string} what @param {"creates" | "reads" | "tokens"} figure @param {readonly Round[]} all */
const compare = (what, figure, all) => [
  ...print(`${what}, µs`, all, (figures) => figures[figure].wall, undefined),
  ...print(`${what}, µs CPU`, all, (figures) => figures[figure].cpu, limits[figure]),
];

/** The round whose ratio is the median. @param {string} what @param {readonly Round[]} all @param {(figures: Figures) => number} figure @param {number | undefined} limit */
function print(what, all, figure, limit) {
  const ratio = (/** @type {Round} */ { own, floor }) => figure(own) / figure(floor);
  const middle = all.toSorted((one, other) => ratio(one) - ratio(other))[Math.floor(all.length / 2)];
  const [own, floor] = middle ? [figure(middle.own), figure(middle.floor)] : [NaN, NaN];
  const today = own / floor;
  const cells = [own.toFixed(0).padStart(10), floor.toFixed(0).padStart(12), today.toFixed(2).padStart(8)];
  console.log(`${what.padEnd(44)}${cells.join("")}`);
  return limit === undefined ? [] : [{ what: `${what}: of a bare server's`, today, limit, unit: "×" }];
}

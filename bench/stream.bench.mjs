// F1: decoding a streamed answer over real HTTP, against the floor (the same HTTP client, split, JSON.parse) and against the official clients that are installed.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { Agent, request } from "undici";
import { startServer } from "./stream/server.mjs";
import { loadPeers } from "./stream/peers.mjs";

const chunks = 50_000;
const rounds = 9;
const limit = 1.3;
const families = /** @type {const} */ (["chat-completions", "messages", "generate-content"]);
/** How the server cuts its answer: an HTTP chunk for each event, as gateways send them, or blocks of 64 KiB. */
const shapes = /** @type {const} */ (["events", "blocks"]);

/** @typedef {{ name: string, run(url: string): Promise<number> }} Subject reads the answer to its end, and counts its events or chunks */

/** True when every family is within the limit. */
export async function run() {
  const { decodeStream } = await bundle();
  const server = await startServer();
  const agent = new Agent();
  let within = true;
  try {
    for (const family of families) {
      const { peers, missing } = await loadPeers(family);
      for (const shape of shapes) {
        const url = `${server.url}/${shape}/${chunks}/${family}`;
        const floor = { name: "floor", run: (/** @type {string} */ at) => readFloor(agent, at) };
        const ours = { name: "ours", run: (/** @type {string} */ at) => readOurs(agent, decodeStream, family, at) };
        const figures = await measure([floor, ours, ...(shape === "events" ? peers : [])], url);
        within = print(family, shape, figures) && within;
      }
      if (missing.length > 0) console.log(`  not installed, so not measured: ${missing.join(", ")}`);
    }
    await printMemory(server.url, agent, decodeStream);
  } finally {
    await agent.close();
    server.close();
  }
  return within;
}

async function bundle() {
  const folder = path.resolve("node_modules", ".cache", "bench");
  await mkdir(folder, { recursive: true });
  const outfile = path.join(folder, `decodeStream-${process.pid}.mjs`);
  // As it is shipped: with eventsource-parser inside.
  await build({
    entryPoints: ["src/gateway/decodeStream.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    minify: true,
    external: ["undici"],
    outfile,
    logLevel: "error",
  });
  /** @type {typeof import("../src/gateway/decodeStream")} */
  const module = await import(pathToFileURL(outfile).href);
  return module;
}

/**
 * The least that anyone has to do with the bytes.
 * @param {Agent} dispatcher
 * @param {string} url
 */
async function readFloor(dispatcher, url) {
  const { body } = await request(url, { dispatcher });
  const decoder = new TextDecoder();
  let rest = "";
  let count = 0;
  for await (const piece of body) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const at = part.indexOf("data: ");
      const data = part.slice(at + 6);
      if (data === "[DONE]") continue;
      JSON.parse(data);
      count += 1;
    }
  }
  return count;
}

/**
 * @param {Agent} dispatcher
 * @param {typeof import("../src/gateway/decodeStream").decodeStream} decodeStream
 * @param {typeof families[number]} family
 * @param {string} url
 * @param {(length: number) => void} [onText]
 */
async function readOurs(dispatcher, decodeStream, family, url, onText) {
  const { body, headers } = await request(url, { dispatcher });
  const contentType = String(headers["content-type"]);
  let length = 0;
  let ended = false;
  for await (const event of decodeStream(family, body, { contentType })) {
    if (event.type === "text-delta") {
      length += event.text.length;
      onText?.(length);
    } else if (event.type === "message-end") ended = !event.cut;
  }
  if (!ended || length === 0) throw new Error(`The answer of ${family} was not read to its end.`);
  return length;
}

/**
 * Interleaved, so that what else the machine does hits all alike; medians.
 * @param {Subject[]} subjects
 * @param {string} url
 */
async function measure(subjects, url) {
  /** @type {Map<string, { cpu: number[], wall: number[] }>} */
  const figures = new Map(subjects.map(({ name }) => [name, { cpu: [], wall: [] }]));
  for (let round = -2; round < rounds; round++) {
    // Each is first as often as any other: who comes after whom must not matter.
    const order = round % 2 === 0 ? subjects : subjects.toReversed();
    for (const { name, run: read } of order) {
      const cpu = process.cpuUsage();
      const start = performance.now();
      await read(url);
      const wall = performance.now() - start;
      const { user, system } = process.cpuUsage(cpu);
      if (round < 0) continue;
      figures.get(name)?.cpu.push((user + system) / 1000);
      figures.get(name)?.wall.push(wall);
    }
  }
  return [...figures].map(([name, { cpu, wall }]) => ({ name, cpu: median(cpu), wall: median(wall) }));
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * @param {string} family
 * @param {string} shape
 * @param {{ name: string, cpu: number, wall: number }[]} figures
 */
function print(family, shape, figures) {
  const floor = figures.find(({ name }) => name === "floor");
  const ours = figures.find(({ name }) => name === "ours");
  if (!floor || !ours) return false;
  console.log(`  ${family}, ${chunks} chunks, ${shape === "events" ? "one to an HTTP chunk" : "in blocks of 64 KiB"}`);
  for (const { name, cpu, wall } of figures) {
    const ratio = `${(cpu / floor.cpu).toFixed(2)} × CPU  ${(wall / floor.wall).toFixed(2)} × wall`;
    console.log(
      `    ${name.padEnd(20)} ${cpu.toFixed(0).padStart(6)} ms CPU ${wall.toFixed(0).padStart(6)} ms wall   ${ratio}`,
    );
  }
  const within = ours.cpu <= limit * floor.cpu;
  if (!within) console.log(`    over the limit of ${limit} × the floor's CPU`);
  return within;
}

/**
 * What is held in the middle and at the end of an answer ten times as long.
 * @param {string} server
 * @param {Agent} agent
 * @param {typeof import("../src/gateway/decodeStream").decodeStream} decodeStream
 */
async function printMemory(server, agent, decodeStream) {
  setFlagsFromString("--expose-gc");
  /** @type {() => void} */
  const collect = runInNewContext("gc");
  for (const family of families) {
    /** @type {number[]} */
    const held = [];
    let next = 0.1;
    const whole = await readOurs(agent, decodeStream, family, `${server}/events/20000/${family}`);
    await readOurs(agent, decodeStream, family, `${server}/events/${20_000 * 20}/${family}`, (length) => {
      if (length < whole * 20 * next) return;
      next += 0.4;
      collect();
      held.push(process.memoryUsage().heapUsed / 1024 / 1024);
    });
    const steps = held.map((size) => `${size.toFixed(1)} MB`).join(", ");
    console.log(`  ${family}: heap at 10, 50 and 90 % of 400,000 chunks: ${steps}`);
  }
}

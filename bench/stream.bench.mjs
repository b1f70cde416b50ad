// F1: decodes a streamed response and searches it for the key, against the floor (the same HTTP client, split, JSON.parse) and against the official
// clients.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { ensurePeers } from "./peers.mjs";
import { peers } from "./stream/peers.mjs";
import { startServer } from "./stream/server.mjs";

const chunks = 50_000;
const warmUps = 3;
const rounds = 11;
/** `floor` is CPU, times that of the floor. `heap` is that at the end of an answer, times that at its beginning. */
const limits = { floor: 1.7, heap: 1.1 };
const missed = { goal: 1.3, why: "1.0 to 1.6 from run to run; most in blocks of 64 KiB" };
const families = /** @type {const} */ (["chat-completions", "messages", "generate-content"]);
/** The bytes arrive in an HTTP chunk for each event, as gateways send them, in HTTP chunks of 64 KiB, or in 64 KiB blocks of 10 MB without HTTP. */
const shapes = /** @type {const} */ ({
  events: "one to an HTTP chunk",
  blocks: "in blocks of 64 KiB",
  memory: "in blocks of 64 KiB, without HTTP",
});

/** @typedef {{ cpu: number, wall: number, count: number, heaps?: number[] }} Figures milliseconds; chunks or characters read; MB */

/** @typedef {import("./verdicts.mjs").Verdict} Verdict */

/** Measures our CPU compared with that of the floor and of each client, and whether the heap grows with the answer. */
export async function run() {
  const home = await ensurePeers();
  const bundle = await bundleOurs();
  const server = await startServer();
  /** @type {Verdict[]} */
  const verdicts = [];
  try {
    for (const family of families) {
      for (const shape of /** @type {(keyof typeof shapes)[]} */ (Object.keys(shapes))) {
        if (shape === "memory" && family !== "generate-content") continue;
        const clients = shape === "events" ? (peers[family] ?? []) : [];
        const names = ["floor", "ours", ...clients.map((peer) => peer.package)];
        const start = (/** @type {string} */ name) => startSubject(name, family, bundle, home);
        const figures = await measure(names, start, `${server.url}/${shape}/${chunks}/${family}`);
        verdicts.push(...judge(family, shape, figures));
      }
    }
    for (const family of families)
      verdicts.push(await judgeMemory(family, startSubject("ours", family, bundle, home), server.url));
  } finally {
    server.close();
    await rm(bundle);
  }
  return verdicts;
}

/** Bundles and minifies our reader as in the product, with eventsource-parser inside. */
async function bundleOurs() {
  const folder = path.resolve("node_modules", ".cache", "bench");
  await mkdir(folder, { recursive: true });
  const outfile = path.join(folder, `decodeStream-${process.pid}.mjs`);
  await build({
    stdin: {
      contents: `export { decodeStream } from "./src/gateway/stream/decodeStream";
        export { createScrub } from "./src/gateway/scrub";
        export { createStreamScrub } from "./src/gateway/scrub";`,
      resolveDir: process.cwd(),
      loader: "ts",
    },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    minify: true,
    external: ["undici"],
    outfile,
    logLevel: "error",
  });
  return outfile;
}

/**
 * Runs one reader in its own process: shared processes would share garbage collection and warmed-up code.
 * @param {string} name
 * @param {string} family
 * @param {string} bundle
 * @param {string} home of the peers
 */
function startSubject(name, family, bundle, home) {
  const child = fork(path.join(import.meta.dirname, "stream", "subject.mjs"), [name, family, bundle, home], {
    execArgv: ["--expose-gc"],
  });
  return {
    /** @param {{ url: string, heapEvery?: number }} task @returns {Promise<Figures>} */
    async read(task) {
      child.send(task);
      const waiting = new AbortController();
      const { signal } = waiting;
      try {
        const [answer] = await Promise.race([
          once(child, "message", { signal }),
          once(child, "exit", { signal }).then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`))),
        ]);
        return answer;
      } finally {
        waiting.abort();
      }
    },
    end: () => child.disconnect(),
  };
}

/** @typedef {ReturnType<typeof startSubject>} Subject */

/**
 * Returns medians of interleaved runs: other load on the machine then affects all readers alike.
 * @param {string[]} names
 * @param {(name: string) => Subject} start
 * @param {string} url
 */
async function measure(names, start, url) {
  const subjects = names.map((name) => ({
    name,
    ...start(name),
    cpu: /** @type {number[]} */ ([]),
    wall: /** @type {number[]} */ ([]),
  }));
  for (let round = -warmUps; round < rounds; round++) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const { cpu, wall, count } = await subject.read({ url });
      if (count < chunks) throw new Error(`${subject.name} read ${count} of ${chunks} chunks.`);
      if (round < 0) continue;
      subject.cpu.push(cpu);
      subject.wall.push(wall);
    }
  }
  for (const subject of subjects) subject.end();
  return subjects.map(({ name, cpu, wall }) => ({ name, cpu: median(cpu), wall: median(wall) }));
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/**
 * @param {string} family
 * @param {keyof typeof shapes} shape
 * @param {{ name: string, cpu: number, wall: number }[]} figures
 * @returns {Verdict[]}
 */
function judge(family, shape, figures) {
  const none = { cpu: NaN, wall: NaN };
  const of = (/** @type {string} */ name) => figures.find((one) => one.name === name) ?? none;
  const [floor, ours] = [of("floor"), of("ours")];
  console.log(`  ${family}, ${chunks} chunks, ${shapes[shape]}`);
  for (const { name, cpu, wall } of figures) {
    const ratio = `${(cpu / floor.cpu).toFixed(2)} × CPU  ${(wall / floor.wall).toFixed(2)} × wall`;
    console.log(
      `    ${name.padEnd(20)} ${cpu.toFixed(0).padStart(6)} ms CPU ${wall.toFixed(0).padStart(6)} ms wall   ${ratio}`,
    );
  }
  const clients = shape === "events" ? (peers[family] ?? []) : [];
  return [
    {
      what: `${family}, ${shapes[shape]}: of the floor's CPU`,
      today: ours.cpu / floor.cpu,
      limit: limits.floor,
      unit: "×",
      missed,
    },
    ...clients.map((peer) => ({
      what: `${family}: of the CPU of ${peer.package}`,
      today: ours.cpu / of(peer.package).cpu,
      limit: peer.limit,
      unit: "×",
    })),
  ];
}

/**
 * Measures the heap in use while an answer eight times as long is read.
 * @param {string} family
 * @param {Subject} subject
 * @param {string} server
 * @returns {Promise<Verdict>}
 */
async function judgeMemory(family, subject, server) {
  const { count } = await subject.read({ url: `${server}/events/${chunks}/${family}` });
  const { heaps = [] } = await subject.read({ url: `${server}/events/${chunks * 8}/${family}`, heapEvery: count * 2 });
  subject.end();
  const steps = heaps.map((size) => `${size.toFixed(1)} MB`).join(", ");
  console.log(`  ${family}: heap in the course of ${chunks * 8} chunks: ${steps}`);
  const today = (heaps.at(-1) ?? NaN) / (heaps[0] ?? NaN);
  return { what: `${family}: heap at the end, of that at the beginning`, today, limit: limits.heap, unit: "×" };
}

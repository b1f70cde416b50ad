// F1: decoding a streamed response and searching it for the key, against the floor (the same HTTP client, split, JSON.parse) and against the official clients that are installed.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { startServer } from "./stream/server.mjs";
import { findPeers } from "./stream/peers.mjs";

const chunks = 50_000;
const warmUps = 3;
const rounds = 11;
const limit = 1.3;
const families = /** @type {const} */ (["chat-completions", "messages", "generate-content"]);
/** How the bytes arrive: an HTTP chunk for each event, as gateways send them, HTTP chunks of 64 KiB, or 64 KiB blocks of 10 MB without HTTP. */
const shapes = /** @type {const} */ ({
  events: "one to an HTTP chunk",
  blocks: "in blocks of 64 KiB",
  memory: "in blocks of 64 KiB, without HTTP",
});

/** @typedef {{ cpu: number, wall: number, count: number, heaps?: number[] }} Figures milliseconds; chunks or characters read; MB */

/** True when every family is within the limit. */
export async function run() {
  const bundle = await bundleOurs();
  const server = await startServer();
  let within = true;
  try {
    for (const family of families) {
      const { found, missing } = await findPeers(family);
      for (const shape of /** @type {(keyof typeof shapes)[]} */ (Object.keys(shapes))) {
        if (shape === "memory" && family !== "generate-content") continue;
        const names = ["floor", "ours", ...(shape === "events" ? found : [])];
        const figures = await measure(names, family, bundle, `${server.url}/${shape}/${chunks}/${family}`);
        within = print(family, shape, figures) && within;
      }
      if (missing.length > 0) console.log(`  not installed, so not measured: ${missing.join(", ")}`);
    }
    for (const family of families) await printMemory(family, bundle, server.url);
  } finally {
    server.close();
    await rm(bundle);
  }
  return within;
}

/** Bundled and minified as in the product, with eventsource-parser inside. */
async function bundleOurs() {
  const folder = path.resolve("node_modules", ".cache", "bench");
  await mkdir(folder, { recursive: true });
  const outfile = path.join(folder, `decodeStream-${process.pid}.mjs`);
  await build({
    stdin: {
      contents: `export { decodeStream } from "./src/gateway/stream/decodeStream";
        export { createScrub } from "./src/gateway/key/scrub";
        export { createStreamScrub } from "./src/gateway/key/streamScrub";`,
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
 */
function startSubject(name, family, bundle) {
  const child = fork(path.join(import.meta.dirname, "stream", "subject.mjs"), [name, family, bundle], {
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

/**
 * Medians of interleaved runs: other load on the machine then affects all readers alike.
 * @param {string[]} names
 * @param {string} family
 * @param {string} bundle
 * @param {string} url
 */
async function measure(names, family, bundle, url) {
  const subjects = names.map((name) => ({
    name,
    ...startSubject(name, family, bundle),
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
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * @param {string} family
 * @param {keyof typeof shapes} shape
 * @param {{ name: string, cpu: number, wall: number }[]} figures
 */
function print(family, shape, figures) {
  const floor = figures.find(({ name }) => name === "floor");
  const ours = figures.find(({ name }) => name === "ours");
  if (!floor || !ours) return false;
  console.log(`  ${family}, ${chunks} chunks, ${shapes[shape]}`);
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
 * Heap in use while an answer eight times as long is read.
 * @param {string} family
 * @param {string} bundle
 * @param {string} server
 */
async function printMemory(family, bundle, server) {
  const subject = startSubject("ours", family, bundle);
  const { count } = await subject.read({ url: `${server}/events/${chunks}/${family}` });
  const { heaps = [] } = await subject.read({ url: `${server}/events/${chunks * 8}/${family}`, heapEvery: count * 2 });
  subject.end();
  const steps = heaps.map((size) => `${size.toFixed(1)} MB`).join(", ");
  console.log(`  ${family}: heap in the course of ${chunks * 8} chunks: ${steps}`);
}

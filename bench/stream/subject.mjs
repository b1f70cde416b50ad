// Runs one stream reader in its own process, `subject.mjs <name> <family> <our bundle> <home of the peers>`. Each message from the parent names a
// stream to read.
import { pathToFileURL } from "node:url";
import { Agent, request } from "undici";
import { chunksOf } from "./chunks.mjs";
import { createPeer } from "./peers.mjs";

const [, , name = "", family = "", bundle = "", home = ""] = process.argv;
/** @typedef {typeof import("../../src/gateway/stream/decodeStream") & typeof import("../../src/gateway/scrub")} Ours */
const dispatcher = new Agent();
const key = "sk-Tq7mWz3RkX9vLp2Bn8Yc5Hd1-Gf6Js4Ua0Eo";
/** @type {Buffer | undefined} */
let memory;
const read = await createReader();

process.on("message", (message) => {
  const { url, heapEvery } = /** @type {{ url: string, heapEvery?: number }} */ (message);
  void measure(url, heapEvery);
});

/** @returns {Promise<(url: string, onText: (length: number) => void) => Promise<number>>} */
async function createReader() {
  if (name === "floor") return readFloor;
  if (name !== "ours") return createPeer(home, family, name);
  /** @type {Ours} */
  const ours = await import(pathToFileURL(bundle).href);
  return (url, onText) => readOurs(ours, url, onText);
}

/** @param {string} url @param {number} [heapEvery] characters between two heap measurements */
async function measure(url, heapEvery = Infinity) {
  /** @type {number[]} */
  const heaps = [];
  let next = heapEvery / 2;
  const before = process.cpuUsage();
  const start = performance.now();
  const count = await read(url, (length) => {
    if (length < next) return;
    next += heapEvery;
    globalThis.gc?.();
    heaps.push(process.memoryUsage().heapUsed / 1024 / 1024);
  });
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  process.send?.({ cpu: (user + system) / 1000, wall, count, heaps });
}

/**
 * Returns the response of a URL, or for `…/memory/<chunks>/<family>` 64 KiB blocks of this process.
 * @param {string} url
 * @returns {Promise<AsyncIterable<Uint8Array>>}
 */
async function open(url) {
  const [shape, count] = url.split("/").slice(-3);
  if (shape !== "memory") return (await request(url, { dispatcher })).body;
  memory ??= Buffer.from([...chunksOf(family, Number(count))].join(""));
  return cut(memory);
}

/** @param {Buffer} bytes */
async function* cut(bytes) {
  for (let at = 0; at < bytes.length; at += 65_536) yield await Promise.resolve(bytes.subarray(at, at + 65_536));
}

/**
 * This is the floor: it splits the body into events and parses their JSON.
 * @param {string} url
 */
async function readFloor(url) {
  const body = await open(url);
  const decoder = new TextDecoder();
  let rest = "";
  let count = 0;
  for await (const piece of body) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = part.slice(part.indexOf("data: ") + 6);
      if (data === "[DONE]") continue;
      JSON.parse(data);
      count += 1;
    }
  }
  return count;
}

/**
 * Does what the product does with each event: it decodes it, then removes the key.
 * @param {Ours} ours
 * @param {string} url
 * @param {(length: number) => void} onText
 */
async function readOurs({ decodeStream, createScrub, createStreamScrub }, url, onText) {
  const body = await open(url);
  const clean = createStreamScrub(key, createScrub(key));
  let length = 0;
  let whole = false;
  const known = /** @type {Parameters<typeof decodeStream>[0]} */ (family);
  for await (const decoded of decodeStream(known, body, { contentType: "text/event-stream" })) {
    for (const event of clean(decoded)) {
      if (event.type === "text-delta") {
        length += event.text.length;
        onText(length);
      } else if (event.type === "message-end") whole = !event.cut;
    }
  }
  return whole ? length : 0;
}

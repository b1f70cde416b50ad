// One stream reader in its own process, `subject.mjs <name> <family> <our bundle>`; each message from the parent names a stream to read.
import { pathToFileURL } from "node:url";
import { Agent, request } from "undici";
import { createPeer } from "./peers.mjs";

const [, , name = "", family = "", bundle = ""] = process.argv;
const dispatcher = new Agent();
const read = await createReader();

process.on("message", (message) => {
  const { url, heapEvery } = /** @type {{ url: string, heapEvery?: number }} */ (message);
  void measure(url, heapEvery);
});

/** @returns {Promise<(url: string, onText: (length: number) => void) => Promise<number>>} */
async function createReader() {
  if (name === "floor") return readFloor;
  if (name !== "ours") return createPeer(family, name);
  /** @type {typeof import("../../src/gateway/stream/decodeStream")} */
  const { decodeStream } = await import(pathToFileURL(bundle).href);
  return (url, onText) => readOurs(decodeStream, url, onText);
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
 * The floor: split the body into events and parse their JSON.
 * @param {string} url
 */
async function readFloor(url) {
  const { body } = await request(url, { dispatcher });
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
 * @param {typeof import("../../src/gateway/stream/decodeStream").decodeStream} decodeStream
 * @param {string} url
 * @param {(length: number) => void} onText
 */
async function readOurs(decodeStream, url, onText) {
  const { body, headers } = await request(url, { dispatcher });
  const contentType = String(headers["content-type"]);
  let length = 0;
  let whole = false;
  const known = /** @type {Parameters<typeof decodeStream>[0]} */ (family);
  for await (const event of decodeStream(known, body, { contentType })) {
    if (event.type === "text-delta") {
      length += event.text.length;
      onText(length);
    } else if (event.type === "message-end") whole = !event.cut;
  }
  return whole ? length : 0;
}

// Serves the streams of the bench from its own process, so that its CPU time is not counted: `/<shape>/<chunks>/<family>`, or a family's own paths for the official clients.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { chunksOf } from "./chunks.mjs";

/** Chunks for the official clients, whose paths have no room for a number. */
const ofPeers = 50_000;
const block = 64 * 1024;

/** Starts it. @returns {Promise<{ url: string, close(): void }>} */
export async function startServer() {
  const child = fork(import.meta.filename, ["serve"]);
  const [url] = await once(child, "message");
  return { url: String(url), close: () => child.kill() };
}

if (process.argv[2] === "serve") {
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.on("error", () => undefined);
    void answer(incoming.url ?? "", response);
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) process.send?.(`http://127.0.0.1:${address.port}`);
  });
  // It ends when its parent process does.
  process.on("disconnect", () => process.exit());
}

/** @param {string} url @returns {{ shape: string, count: number, family: string }} */
function read(url) {
  const [, shape = "", count = "", family = ""] = url.split("/");
  if (shape === "events" || shape === "blocks") return { shape, count: Number(count), family };
  const own = url.includes("GenerateContent")
    ? "generate-content"
    : url.includes("/messages")
      ? "messages"
      : "chat-completions";
  return { shape: "events", count: ofPeers, family: own };
}

/** @param {string} url @param {import("node:http").ServerResponse} response */
async function answer(url, response) {
  const { shape, count, family } = read(url);
  response.writeHead(200, { "content-type": "text/event-stream" });
  /** @type {string[]} */
  let waiting = [];
  let length = 0;
  const flush = async () => {
    const text = waiting.join("");
    waiting = [];
    length = 0;
    if (!response.write(text)) await once(response, "drain");
  };
  for (const text of chunksOf(family, count)) {
    if (response.destroyed) return;
    waiting.push(text);
    length += text.length;
    if (shape === "events" || length >= block) await flush();
  }
  if (waiting.length > 0) await flush();
  response.end();
}

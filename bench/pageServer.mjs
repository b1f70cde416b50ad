// Serves the pages of a bench, with the scripts and styles of a folder.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

/** @typedef {readonly [type: string, body: string | Buffer]} Answer */

const types = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };

/** `answerOf` gives what is no file of the folder. @param {string} folder @param {(url: string) => Answer} answerOf */
export async function servePages(folder, answerOf) {
  const server = createServer(({ url = "/" }, response) => void answer(folder, url, response, answerOf));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** @param {string} folder @param {string} url @param {import("node:http").ServerResponse} response @param {(url: string) => Answer} answerOf */
async function answer(folder, url, response, answerOf) {
  // Isolated pages have a clock of 5 microseconds, others one of 100.
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-embedder-policy", "require-corp");
  const type = types[/** @type {keyof typeof types} */ (path.extname(url))];
  if (type === undefined) {
    const [otherType, body] = answerOf(url);
    response.setHeader("content-type", otherType);
    response.end(body);
    return;
  }
  response.setHeader("content-type", type);
  readFile(path.join(folder, path.basename(url))).then(
    (bytes) => response.end(bytes),
    () => response.writeHead(404).end(),
  );
}

// What the bench of the gallery measures: our page as it is shipped, and a plain page with a picture element for each result.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { deflateSync } from "node:zlib";

/** Pixels of a thumbnail, as a gateway sends it. */
const side = 256;
/** Different pictures; each result has an address of its own, so that each is decoded. */
const pictures = Array.from({ length: 32 }, (_, index) => pngOf(index));

/** VS Code's side of our page. Rows come as the host sends them: a first part, then the rest in pieces. */
const host = `
globalThis.acquireVsCodeApi = () => ({ postMessage: () => undefined, getState: () => undefined, setState: () => undefined });
const post = (data) => dispatchEvent(new MessageEvent("message", { data, origin: location.origin }));
const piece = 500;
globalThis.subject = {
  open: (count) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      id: "task-" + index, prompt: "a lighthouse on a cliff in the evening, number " + index, at: 1e12 - index * 6e4,
      type: "async-image", model: "painter-" + (index % 5), gateway: "gateway.example", batch: "b" + (index >> 2), kind: "image",
      file: "file-" + index + ".png", thumbnail: "small-" + index + ".png", offers: 255,
    }));
    const base = location.origin + "/pictures/";
    const first = rows.slice(0, piece);
    post({ type: "snapshot", revision: 0, snapshot:
      { subject: "gallery", base, folder: "file:///r/", total: count, isComplete: count <= piece, rows: first } });
    let [at, revision] = [piece, 0];
    for (; at < count; at += piece) {
      post({ type: "events", after: revision, events: [{ total: count, isComplete: at + piece >= count, rows: rows.slice(at, at + piece), gone: [] }] });
      revision += 1;
    }
  },
  scroller: () => document.querySelector(".results"),
};`;

const plain = `
globalThis.subject = {
  open: (count) => {
    const grid = document.createElement("div");
    grid.className = "grid";
    grid.innerHTML = Array.from({ length: count }, (_, index) =>
      '<figure><img loading="lazy" decoding="async" width="180" height="180" src="/pictures/small-' + index + '.png"><figcaption>a lighthouse on a cliff in the evening, number ' + index + '</figcaption></figure>').join("");
    document.querySelector(".results").append(grid);
  },
  scroller: () => document.querySelector(".results"),
};`;
const plainStyle = `body { margin: 0; font: 13px sans-serif } .results { height: 100vh; overflow: auto }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: 8px } figure { margin: 0 }
img { object-fit: contain; width: 100% } figcaption { overflow: hidden; white-space: nowrap; text-overflow: ellipsis }`;

/** Bundles and serves both; ours is at `/ours`, the other at `/plain`. @param {string} folder */
export async function servePages(folder) {
  await build({
    entryPoints: { gallery: "src/webview/gallery/startGalleryPage.ts", shared: "src/webview/styles/shared.css" },
    outdir: folder,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "chrome138",
    tsconfig: "src/webview/tsconfig.json",
    loader: { ".svg": "dataurl" },
    logLevel: "error",
  });
  const server = createServer((request, response) => void answer(folder, request.url ?? "/", response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** @param {string} folder @param {string} url @param {import("node:http").ServerResponse} response */
async function answer(folder, url, response) {
  // Isolated pages have a clock of 5 microseconds, others one of 100.
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-embedder-policy", "require-corp");
  const number = /^\/pictures\/\w+-(\d+)\.png$/.exec(url)?.[1];
  if (number !== undefined) {
    response.setHeader("content-type", "image/png");
    response.end(pictures[Number(number) % pictures.length]);
    return;
  }
  const types = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };
  const type = types[/** @type {keyof typeof types} */ (path.extname(url))];
  if (type !== undefined) {
    response.setHeader("content-type", type);
    readFile(path.join(folder, path.basename(url))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
    return;
  }
  response.setHeader("content-type", "text/html");
  const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>';
  response.end(
    url === "/ours"
      ? `${head}<link rel="stylesheet" href="shared.css"><link rel="stylesheet" href="gallery.css"><style>body { margin: 0; font: 13px sans-serif }</style><body class="vscode-dark"><div id="app"></div><script>${host}</script><script type="module" src="gallery.js"></script>`
      : `${head}<style>${plainStyle}</style><body><div class="results"></div><script>${plain}</script>`,
  );
}

/** A picture with a gradient of its own. @param {number} index */
function pngOf(index) {
  const raw = Buffer.alloc(side * (1 + side * 3));
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const at = y * (1 + side * 3) + 1 + x * 3;
      raw[at] = (x + index * 53) % 256;
      raw[at + 1] = (y * 2 + index * 29) % 256;
      raw[at + 2] = ((x ^ y) + index * 97) % 256;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(raw)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** @param {Buffer} bytes */
function crc32(bytes) {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}

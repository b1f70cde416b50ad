// What the bench of the gallery measures: our page as it is shipped, and a plain page with a picture element for each result.
import { build } from "esbuild";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { servePages } from "../pageServer.mjs";
import { nodeBundle } from "../subject.mjs";

/** Pixels of a thumbnail, as a gateway sends it. */
const side = 256;
/** Different pictures; each result has an address of its own, so that each is decoded. */
const pictureCount = 32;

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
export async function serveGalleries(folder) {
  await build({
    entryPoints: { gallery: "src/tasks/page/gallery/startGalleryPage.ts", shared: "src/webview/styles/shared.css" },
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
  const pictures = await makePictures(folder);
  return servePages(folder, (url) => answerOf(url, pictures));
}

/** @param {string} url @param {readonly Buffer[]} pictures @returns {import("../pageServer.mjs").Answer} */
function answerOf(url, pictures) {
  const number = /^\/pictures\/\w+-(\d+)\.png$/.exec(url)?.[1];
  if (number !== undefined) return ["image/png", pictures[Number(number) % pictures.length] ?? ""];
  const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>';
  return [
    "text/html",
    url === "/ours"
      ? `${head}<link rel="stylesheet" href="shared.css"><link rel="stylesheet" href="gallery.css"><style>body { margin: 0; font: 13px sans-serif }</style><body class="vscode-dark"><div id="app"></div><script>${host}</script><script type="module" src="gallery.js"></script>`
      : `${head}<style>${plainStyle}</style><body><div class="results"></div><script>${plain}</script>`,
  ];
}

/** A picture with a gradient of its own. @param {number} index */
function pixelsOf(index) {
  const rgb = new Uint8Array(side * side * 3);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      rgb.set([(x + index * 53) % 256, (y * 2 + index * 29) % 256, ((x ^ y) + index * 97) % 256], (y * side + x) * 3);
  return { width: side, height: side, rgb };
}

/** As the local gateway encodes its own. @param {string} folder @returns {Promise<readonly Buffer[]>} */
async function makePictures(folder) {
  const outfile = path.join(folder, "png.mjs");
  await build({ ...nodeBundle, format: "esm", entryPoints: ["src/localGateway/demo/png.ts"], outfile });
  const { encodePng } = await import(pathToFileURL(outfile).href);
  return Promise.all(Array.from({ length: pictureCount }, (_, index) => encodePng(pixelsOf(index))));
}

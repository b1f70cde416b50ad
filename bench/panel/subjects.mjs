// Builds what the bench of the panel measures: our chat page as it is shipped, and streamdown, each as a page in the browser.
import { build } from "esbuild";
import path from "node:path";
import { servePages } from "../pageServer.mjs";
import { ensurePeers } from "../peers.mjs";
import { createText } from "./texts.mjs";

/** `begin` empties the page, `update` shows the whole text so far. */
const streamdown = `
  import { createRoot } from "react-dom/client";
  import { flushSync } from "react-dom";
  import { createElement } from "react";
  import { Streamdown } from "streamdown";
  let root, text;
  globalThis.subject = {
    begin: () => { root?.unmount(); root = createRoot(document.getElementById("text")); text = ""; },
    update: (chunk) => { text += chunk; flushSync(() => root.render(createElement(Streamdown, null, text))); },
    end: () => undefined,
  };`;

/** More than a screen of text above every measured answer, in ours and the peers: an empty page is cheaper to lay out than any other. */
const before = createText("paragraph", 4000);

/** This is VS Code's side of our page. Frames are run by the bench, which so measures an update as a whole. */
const host = `
const queued = [];
globalThis.realFrame = requestAnimationFrame.bind(globalThis);
globalThis.requestAnimationFrame = (run) => queued.push(run);
globalThis.acquireVsCodeApi = () => ({ postMessage: () => undefined, getState: () => undefined, setState: () => undefined });
const status = { connection: "ready", gateway: "g", model: "m", demoModel: false, trusted: true, suggestions: [] };
let revision = 0;
let chats = 0;
const post = (data) => {
  dispatchEvent(new MessageEvent("message", { data, origin: location.origin }));
  for (const run of queued.splice(0)) run(performance.now());
};
globalThis.emit = (...events) => {
  post({ type: "events", after: revision, events });
  revision += events.length;
};
globalThis.post = post;
globalThis.chatId = () => "chat-" + chats;
globalThis.snapshot = (entries, more = {}) =>
  post({ type: "snapshot", revision, snapshot: { chat: { id: "chat-" + ++chats, entries, running: false }, status, ...more } });
const before = [
  { type: "user", id: "u", text: "Before.", at: 0 },
  { type: "answer", id: "b", model: "m", family: "messages", startedAt: 0, endedAt: 1, state: "complete", finish: "stop", cut: false,
    blocks: [{ type: "text", block: 0, text: ${JSON.stringify(before)} }] },
];
globalThis.subject = {
  begin: () => {
    snapshot(before);
    emit({ type: "prompt-added", id: "p", text: "Go.", at: 0 }, { type: "turn-started" },
      { type: "answer-started", id: "a", model: "m", family: "messages", at: 0 });
  },
  update: (text) => emit({ type: "answer-event", id: "a", event: { type: "text-delta", block: 0, text } }),
  end: () => emit({ type: "answer-event", id: "a", event: { type: "message-end", finish: "stop", cut: false } },
    { type: "answer-ended", id: "a", at: 1, state: "complete" }, { type: "turn-ended" }),
};`;

/** The page of the peer has the same width and the same place to scroll as ours. */
const peerStyle = "body { margin: 0 } .transcript { height: 100vh; overflow: auto } #text { padding: 0 12px }";

/** @param {string} outdir */
async function bundleOurs(outdir) {
  await build({
    entryPoints: { chat: "src/chat/page/startChatPage.ts", shared: "src/webview/styles/shared.css" },
    outdir,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    splitting: true,
    target: "chrome138",
    tsconfig: "src/webview/tsconfig.json",
    loader: { ".svg": "dataurl" },
    logLevel: "error",
  });
}

/** @param {string} outdir @param {string} resolveDir */
async function bundlePeer(outdir, resolveDir) {
  await build({
    stdin: { contents: streamdown, resolveDir, loader: "js" },
    outfile: path.join(outdir, "streamdown.js"),
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "chrome138",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
}

/** Bundles and serves both; their pages are `${origin}/ours` and `${origin}/streamdown`. @param {string} folder */
export async function serveSubjects(folder) {
  await bundleOurs(folder);
  await bundlePeer(folder, await ensurePeers());
  return servePages(folder, pageOf);
}

/** @param {string} url @returns {import("../pageServer.mjs").Answer} */
function pageOf(url) {
  const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>';
  return [
    "text/html",
    url === "/ours"
      ? `${head}<link rel="stylesheet" href="shared.css"><link rel="stylesheet" href="chat.css"><style>body { margin: 0; font: 13px sans-serif }</style><body><div id="app"></div><script>${host}</script><script type="module" src="chat.js"></script>`
      : `${head}<style>${peerStyle}</style><body><div class="transcript"><p>${before}</p><div id="text"></div></div><script type="module" src="streamdown.js"></script>`,
  ];
}

// What the bench of the panel measures: our chat page as it is shipped, and other renderers, each a page in the browser.
import { build } from "esbuild";
import path from "node:path";
import { servePages } from "../pageServer.mjs";
import { ensurePeers } from "../peers.mjs";
import { createText } from "./texts.mjs";

/** Each module exports `subject`: `begin` empties the page, `update` shows the whole text so far. */
const react = `
  import { createRoot } from "react-dom/client";
  import { flushSync } from "react-dom";
  import { createElement } from "react";
  let root, text;
  globalThis.subject = {
    begin: () => { root?.unmount(); root = createRoot(document.getElementById("text")); text = ""; },
    update: (chunk) => { text += chunk; flushSync(() => root.render(view(text))); },
    end: () => undefined,
  };`;
const markup = `
  let text;
  const place = document.getElementById("text");
  globalThis.subject = {
    begin: () => { text = ""; place.innerHTML = ""; },
    update: (chunk) => { text += chunk; place.innerHTML = markup(text); },
    end: () => undefined,
  };`;
/** @type {Readonly<Record<string, string>>} */
const peers = {
  streamdown: `import { Streamdown } from "streamdown"; const view = (text) => createElement(Streamdown, null, text); ${react}`,
  "react-markdown": `import Markdown from "react-markdown"; import gfm from "remark-gfm"; const plugins = [gfm];
    const view = (text) => createElement(Markdown, { remarkPlugins: plugins }, text); ${react}`,
  "marked + DOMPurify": `import { marked } from "marked"; import purify from "dompurify"; const markup = (text) => purify.sanitize(marked.parse(text)); ${markup}`,
  "markdown-it": `import MarkdownIt from "markdown-it"; const parser = new MarkdownIt(); const markup = (text) => parser.render(text); ${markup}`,
};

/** More than a screen of text above every measured answer, in ours and the peers: an empty page is cheaper to lay out than any other. */
const before = createText("paragraph", 4000);

/** VS Code's side of our page. Frames are run by the bench, which so measures an update as a whole. */
const host = `
const queued = [];
globalThis.realFrame = requestAnimationFrame.bind(globalThis);
globalThis.requestAnimationFrame = (run) => queued.push(run);
globalThis.acquireVsCodeApi = () => ({ postMessage: () => undefined, getState: () => undefined, setState: () => undefined });
const status = { connection: "ready", gateway: "g", model: "m", demonstrator: false, trusted: true, suggestions: [] };
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

/** The page of a peer: the same width and place to scroll as ours. */
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

/** @param {string} name @param {string} source @param {string} outdir @param {string} resolveDir */
async function bundlePeer(name, source, outdir, resolveDir) {
  await build({
    stdin: { contents: source, resolveDir, loader: "js" },
    outfile: path.join(outdir, `${name}.js`),
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "chrome138",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
}

/** Bundles and serves every subject; a page of one is at `${origin}/${its number}`. @param {string} folder */
export async function serveSubjects(folder) {
  const names = ["ours"];
  await bundleOurs(folder);
  const home = await ensurePeers();
  for (const [name, source] of Object.entries(peers)) {
    await bundlePeer(`peer-${names.length}`, source, folder, home);
    names.push(name);
  }
  return { names, ...(await servePages(folder, pageOf)) };
}

/** @param {string} url @returns {import("../pageServer.mjs").Answer} */
function pageOf(url) {
  const name = url.slice(1);
  const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Bench</title>';
  return [
    "text/html",
    name === "0"
      ? `${head}<link rel="stylesheet" href="shared.css"><link rel="stylesheet" href="chat.css"><style>body { margin: 0; font: 13px sans-serif }</style><body><div id="app"></div><script>${host}</script><script type="module" src="chat.js"></script>`
      : `${head}<style>${peerStyle}</style><body><div class="transcript"><p>${before}</p><div id="text"></div></div><script type="module" src="peer-${name}.js"></script>`,
  ];
}

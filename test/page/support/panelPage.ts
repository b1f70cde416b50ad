/** The chat page alone in a real browser: served with the host's policy, with a host that the test plays. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { definedFields } from "../../../src/base/definedFields";
import { reduceChat } from "../../../src/domain/chat/reduce/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../../../src/domain/chat/chat";
import type { ChatPageStatus, ChatPageToHost, ChatPageMessage } from "../../../src/chat/contract/chatPageContract";
import { scriptedPagePolicy } from "../../../src/vscode/pages/pageHtml";
import themes from "./themes.json";

export type Theme = keyof typeof themes;
export const themeNames: readonly Theme[] = ["dark", "light", "high-contrast", "high-contrast-light"];

/** Where the built page lies; the tests' own build unless the environment says otherwise. */
const built = path.resolve(process.env["PANEL_DIST"] ?? "dist/webview");
const nonce = "dGVzdA";
/** The host's own, with this server as the origin of its files. */
const policyOf = (bundle: string): string =>
  scriptedPagePolicy("'self'", nonce, { video: true, reads: ["gallery", "batch", "task", "assets"].includes(bundle) });

/** VS Code's side of the page: it records intents, and keeps the state from load to load. */
const hostScript = `
globalThis.posted = [];
globalThis.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample));
addEventListener("error", (event) => violations.push(String(event.message)));
let acquired = false;
globalThis.acquireVsCodeApi = () => {
  if (acquired) throw new Error("acquired twice");
  acquired = true;
  return {
    postMessage: (message) => void posted.push(structuredClone(message)),
    getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
    setState: (state) => sessionStorage.setItem("state", JSON.stringify(state)),
  };
};`;

/** What VS Code styles in every webview before the page's own sheets. */
const defaultStyles = `
html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
body { overscroll-behavior-x: none; background: var(--vscode-sideBar-background); color: var(--vscode-editor-foreground); margin: 0; padding: 0 20px; }
a, a code { color: var(--vscode-textLink-foreground); }
code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
pre code { padding: 0; }
blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }`;

export const readyStatus: ChatPageStatus = {
  connection: "ready",
  gateway: "Local gateway",
  model: "demo-chat",
  modelFacts: "tools · images · 128,000 tokens",
  demonstrator: true,
  trusted: true,
  suggestions: [
    { kind: "read", text: "Explain what src/app.ts does" },
    { kind: "read", text: "Find every TODO and list it" },
    { kind: "edit", text: "Rename greet to welcome in src/app.ts" },
  ],
};

export interface PanelOptions {
  readonly theme?: Theme;
  readonly size?: { readonly width: number; readonly height: number };
  readonly context?: BrowserContextOptions;
  /** The words of another language, as the host would give them. */
  readonly words?: Readonly<Record<string, string>>;
  /** The files of the results folder, by name. */
  readonly media?: Readonly<Record<string, readonly [string, Buffer]>>;
}

/** The page and the test's half of the protocol. */
export class PanelPage {
  readonly page: Page;
  #chat: Chat = emptyChat("chat-1");
  #revision = 0;
  #status: ChatPageStatus = readyStatus;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(browser: Browser, options: PanelOptions = {}): Promise<PanelPage> {
    const server = await serve(options.theme ?? "dark", options.words, { ...definedFields({ media: options.media }) });
    const { port } = server.address() as AddressInfo;
    const context = await browser.newContext({
      viewport: options.size ?? { width: 420, height: 720 },
      permissions: ["clipboard-read", "clipboard-write"],
      locale: "en-US",
      ...options.context,
    });
    const page = await context.newPage();
    page.on("close", () => server.close());
    await page.goto(`http://127.0.0.1:${port}/`);
    return new PanelPage(page);
  }

  /** What the page asked for, in order. */
  intents(): Promise<ChatPageToHost[]> {
    return this.page.evaluate("posted");
  }

  /** Resolves with the newest intent of that kind, when there are `count` of them. */
  async intent<K extends ChatPageToHost["type"]>(type: K, count = 1): Promise<Extract<ChatPageToHost, { type: K }>> {
    await this.until(`posted.filter(({ type }) => type === ${JSON.stringify(type)}).length >= ${count}`);
    const found = (await this.intents()).filter((intent) => intent.type === type);
    return found.at(-1) as Extract<ChatPageToHost, { type: K }>;
  }

  /** Waits, frame by frame, until the expression holds in the page. (Playwright's own way evaluates in the page, which the policy forbids.) */
  async until(expression: string): Promise<void> {
    while (!(await this.page.evaluate<boolean>(`Boolean(${expression})`))) {
      await this.page.evaluate("new Promise((resolve) => requestAnimationFrame(() => resolve()))");
    }
  }

  /** Begins to watch for an element that is there for a moment only. The result resolves when it has been. */
  async watchFor(selector: string): Promise<() => Promise<void>> {
    await this.page.evaluate(`void (globalThis.watched = new Promise((resolve) => {
      const look = () => document.querySelector(${JSON.stringify(selector)}) && resolve();
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    }))`);
    return () => this.page.evaluate("watched");
  }

  /** Starts a stopwatch of the milliseconds of processor time that the page's thread takes: a busy machine does not add to it. */
  async startBusyTime(): Promise<() => Promise<number>> {
    const devtools = await this.page.context().newCDPSession(this.page);
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    const read = async (): Promise<number> => {
      const { metrics } = await devtools.send("Performance.getMetrics");
      return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN) * 1000;
    };
    const before = await read();
    return async () => {
      const spent = (await read()) - before;
      await devtools.detach();
      return spent;
    };
  }

  /** What the policy forbade and what was thrown. */
  violations(): Promise<string[]> {
    return this.page.evaluate("violations");
  }

  /** Posts anything, and waits until it has been drawn. */
  async post(message: unknown): Promise<void> {
    await this.page.evaluate(
      `new Promise((resolve) => {
        // The page's own listener was added before this one: it has taken the message then. (A timer may come before the message.)
        addEventListener("message", () => requestAnimationFrame(() => setTimeout(drawn)), { once: true });
        // What observers of the page set in the first frame is drawn in the second.
        const drawn = () => requestAnimationFrame(() => setTimeout(resolve));
        postMessage(${JSON.stringify(message)}, "*");
      })`,
    );
  }

  async snapshot(status: Partial<ChatPageStatus> = {}): Promise<void> {
    this.#status = { ...this.#status, ...status };
    const snapshot = { chat: this.#chat, status: this.#status };
    const message: ChatPageMessage = { type: "snapshot", revision: this.#revision, snapshot };
    await this.post(message);
  }

  /** The host's events: reduced here as the host does, and posted. */
  async events(...events: readonly SessionEvent[]): Promise<void> {
    const message: ChatPageMessage = { type: "events", after: this.#revision, events };
    this.advance(...events);
    await this.post(message);
  }

  /** Events that happen while the page does not hear. */
  advance(...events: readonly SessionEvent[]): void {
    this.#chat = events.reduce(reduceChat, this.#chat);
    this.#revision += events.length;
  }

  /** Replaces the chat by the one that these events make. */
  async show(events: readonly SessionEvent[], status: Partial<ChatPageStatus> = {}): Promise<void> {
    this.#chat = emptyChat("chat-1");
    this.#status = readyStatus;
    this.advance(...events);
    await this.snapshot(status);
  }

  /** Shows the same page in another theme, as VS Code does without loading it again. */
  async setTheme(theme: Theme): Promise<void> {
    await setThemeOf(this.page, theme);
  }

  /** Resizes the page, and waits until what follows its size has been drawn. */
  async setSize(size: { readonly width: number; readonly height: number }): Promise<void> {
    await this.page.setViewportSize(size);
    await this.settled();
  }

  /** Until two more frames were drawn: what an observer of the page does in the first is drawn in the second. */
  async settled(): Promise<void> {
    await this.page.evaluate(
      "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))",
    );
  }

  /** Opens every row that can be opened. */
  async openAll(): Promise<void> {
    await this.page.evaluate("document.querySelectorAll('details').forEach((row) => (row.open = true))");
  }

  get chat(): Chat {
    return this.#chat;
  }

  get status(): ChatPageStatus {
    return this.#status;
  }

  get revision(): number {
    return this.#revision;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** As VS Code changes the theme of a webview: other variables, another class of the body. */
export async function setThemeOf(page: Page, theme: Theme): Promise<void> {
  // A sheet that is set to the address that it has is not loaded again, and fires no event.
  await page.evaluate(
    `new Promise((resolve) => {
      if (document.body.className === "vscode-${theme}") return resolve();
      const sheet = document.querySelector("link");
      sheet.onload = () => resolve();
      sheet.href = "${theme}.css";
      document.body.className = "vscode-${theme}";
    })`,
  );
}

function themeSheet(theme: Theme): string {
  const variables = Object.entries(themes[theme]).map(([name, value]) => `${name}: ${value};`);
  const fonts =
    "--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px; --vscode-editor-font-family: monospace; --vscode-editor-font-size: 12px;";
  const light = theme.endsWith("light") ? "light" : "dark";
  return `:root { color-scheme: ${light}; ${fonts} ${variables.join(" ")} }${defaultStyles}`;
}

/** Serves a page of ours as VS Code does, and `media` as the files of the results folder. */
export async function serve(
  theme: Theme,
  words: PanelOptions["words"],
  {
    bundle = "chat",
    media = {},
  }: { bundle?: string; media?: Readonly<Record<string, readonly [string, Buffer]>> } = {},
): Promise<Server> {
  const bundled = JSON.stringify(words ?? {})
    .replaceAll("&", "&amp;")
    .replaceAll("'", "&#39;");
  const l10n = words === undefined ? "" : ` data-l10n='${bundled}'`;
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Chat</title>
<link rel="stylesheet" href="${theme}.css"><link rel="stylesheet" href="shared.css"><link rel="stylesheet" href="${bundle}.css"></head>
<body class="vscode-${theme}"><div id="app"${l10n}></div>
<script nonce="${nonce}" src="host.js"></script><script type="module" nonce="${nonce}" src="${bundle}.mjs"></script></body></html>`;
  const made: Readonly<Record<string, readonly [string, string | Buffer]>> = {
    "/": ["text/html", page],
    ...Object.fromEntries(themeNames.map((name) => [`/${name}.css`, ["text/css", themeSheet(name)]])),
    "/host.js": ["text/javascript", hostScript],
  };
  const files: Readonly<Record<string, string>> = { ".mjs": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const [type, text] = media[path.basename(pathname)] ?? made[pathname] ?? [files[path.extname(pathname)], undefined];
    if (type === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-security-policy", policyOf(bundle));
    response.setHeader("content-type", type);
    if (text !== undefined) {
      response.end(text);
      return;
    }
    readFile(path.join(built, path.basename(pathname))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** The chat page alone in a real browser: served with the host's policy, with a host that the test plays. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { reduceChat } from "../../../src/domain/chat/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../../../src/domain/chat/chat";
import type { ChatPageStatus, ChatPageToHost, ChatPageMessage } from "../../../src/chat/contract/chatPageContract";
import { isFullRun } from "../../support/runs";
import { type OpenedPage, openPage, type PageOptions } from "./openPage";
import type { ServedPage, Theme } from "./pageServer";

export const readyStatus: ChatPageStatus = {
  connection: "ready",
  gateway: "Local gateway",
  model: "demo-chat",
  modelFacts: "tools · images · 128,000 tokens",
  demoModel: true,
  trusted: true,
  suggestions: [
    { kind: "read", text: "Explain what src/app.ts does" },
    { kind: "read", text: "Find every TODO and list it" },
    { kind: "edit", text: "Rename greet to welcome in src/app.ts" },
  ],
};

export interface PanelOptions
  extends PageOptions, Partial<Pick<ServedPage, "theme" | "words" | "direction" | "media" | "kept">> {}

export interface PanelScene {
  readonly events: readonly SessionEvent[];
  readonly status?: Partial<ChatPageStatus>;
  /** Opens every row that can be opened. */
  readonly opened?: true;
  /** What happens on the page. */
  readonly act?: (panel: PanelPage) => Promise<void>;
  /** What the host posts after the snapshot. */
  readonly posted?: readonly unknown[];
}

/** The page and the test's half of the protocol. */
export class PanelPage {
  readonly page: Page;
  #chat: Chat = emptyChat("chat-1");
  #revision = 0;
  #status: ChatPageStatus = readyStatus;
  #isTouched = false;

  readonly #opened: OpenedPage;

  private constructor(opened: OpenedPage) {
    this.page = opened.page;
    this.#opened = opened;
  }

  static async open({
    theme = "dark",
    words,
    direction,
    media = {},
    kept,
    ...options
  }: PanelOptions = {}): Promise<PanelPage> {
    return new PanelPage(await openPage({ bundle: "chat", theme, words, direction, media, kept }, options));
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

  /** Waits until the expression holds in the page. */
  async until(expression: string): Promise<void> {
    await untilIn(this.page, expression);
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

  /**
   * Shows a scene on the page that has shown others: a snapshot makes it new. It is loaded again before and after what is done by hand, which
   * the page keeps, and in a full run for each scene.
   */
  async showScene(scene: PanelScene): Promise<void> {
    const isTouched = scene.act !== undefined || scene.posted !== undefined;
    if (isFullRun || this.#isTouched || isTouched) {
      await this.page.evaluate("sessionStorage.removeItem('state')");
      await this.page.reload();
    }
    this.#isTouched = isTouched;
    await this.show(scene.events, scene.status);
    for (const message of scene.posted ?? []) await this.post(message);
    if (scene.opened) await this.openAll();
    await scene.act?.(this);
    await this.coloured();
  }

  /** Until the code that is shown has its colours, which it gets when the page is idle. */
  async coloured(): Promise<void> {
    await this.page.evaluate(
      // Chromium sees no idle time while an animation is drawn by the compositor alone.
      "new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(() => resolve(), { timeout: 500 }), { timeout: 500 }))",
    );
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
    await this.#opened.close();
  }
}

/** Milliseconds after which a test fails that waits for a state of the page. */
const limit = 60_000;

/**
 * Looks at each frame whether the expression holds: what a test waits for may be a style, a place or a highlight, which fire no event.
 * Playwright's own `waitForFunction` evaluates in the page, which the policy forbids.
 */
export async function untilIn(page: Page, expression: string): Promise<void> {
  const holds = await page.evaluate<boolean>(`new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), ${limit});
    const look = () => {
      if (!(${expression})) return requestAnimationFrame(look);
      clearTimeout(late);
      resolve(true);
    };
    look();
  })`);
  assert.ok(holds, `not within ${limit / 1000} s: ${expression}`);
}

/** As VS Code changes the theme of a webview: other variables, another class of the body. */
export async function setThemeOf(page: Page, theme: Theme): Promise<void> {
  // A sheet that is set to the address that it has is not loaded again, and fires no event.
  await page.evaluate(
    `new Promise((resolve) => {
      if (document.body.className === "vscode-${theme}") return resolve();
      const sheet = document.querySelector("link");
      sheet.onload = () => resolve();
      sheet.href = "/${theme}.css";
      document.body.className = "vscode-${theme}";
    })`,
  );
}

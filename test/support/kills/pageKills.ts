/** Seeded ends of the chat's page in mid-answer, as VS Code ends a hidden one or a crash does: the next page has all that the last one showed. */
import { isDeepStrictEqual } from "node:util";
import type { Event } from "../../../src/base/event";
import { systemClock } from "../../../src/base/async/systemClock";
import { mergeSessionEvents } from "../../../src/domain/chat/mergeSessionEvents";
import type { Chat, SessionEvent } from "../../../src/domain/chat/chat";
import {
  entriesPage,
  type ChatPageSnapshot,
  type ChatPageStatus,
  type ChatPageMessage,
} from "../../../src/chat/contract/chatPageContract";
import { Projector } from "../../../src/base/projector";
import { applyMessage, type ChatPageState, type StateMessage } from "../../../src/chat/page/chatPageState";
import { until } from "../builders";
import { type ChatKillVerdict, goOn, type KillScene, measureChat, withKillScene } from "./chatKills";
import { chooseFamily, openProgramApp } from "./programApp";

const status: ChatPageStatus = {
  connection: "ready",
  gateway: "Local gateway",
  model: "demo",
  demoModel: true,
  trusted: true,
  suggestions: [],
};

/** Pages of one run. */
const maxPages = 8;

export function runPageKills(seed: number, folder: string): Promise<ChatKillVerdict> {
  return withKillScene(seed, folder, async ({ family, gateway, random }) => {
    const address = { url: gateway.url, key: gateway.key };
    const app = await openProgramApp({ folder, gateway: address, clock: systemClock });
    try {
      await chooseFamily(app, family);
      const { current: session } = (await app.openChats()).shown;
      const pages = new Pages(session, random);
      const turns = session.submit("Read notes.md").then(() => session.submit("Think, and write 80 paragraphs"));
      const after = await pages.run();
      session.stop();
      await turns;
      const faults = [...pages.faults, ...(await pages.compare()), ...(await goOn(session))];
      faults.push(...(await pages.compare()));
      pages.close();
      return { after, lost: pages.lost, took: pages.slowest, faults };
    } finally {
      await app.close();
    }
  });
}

interface ShownSession {
  readonly chat: Chat;
  readonly onDidEmit: Event<SessionEvent>;
}

/** The pages of one view, one after the other, over the host's projector. */
class Pages {
  readonly faults: string[] = [];
  /** Characters that a page had shown and the next one began without. */
  lost = 0;
  /** Milliseconds until a new page showed the chat. */
  slowest = 0;
  readonly #session: ShownSession;
  readonly #random: KillScene["random"];
  readonly #projector: Projector<ChatPageSnapshot, SessionEvent>;
  /** Messages cross one by one, in order. */
  #crossing: Promise<unknown> = Promise.resolve();
  #page = 0;
  #state: ChatPageState = { type: "empty" };

  constructor(session: ShownSession, random: KillScene["random"]) {
    this.#session = session;
    this.#random = random;
    this.#projector = new Projector({
      source: {
        get snapshot() {
          const { entries } = entriesPage(session.chat);
          return { chat: { ...session.chat, entries }, status };
        },
        onDidEmit: session.onDidEmit,
      },
      clock: systemClock,
      post: (message) => this.#post(message),
      merge: mergeSessionEvents,
    });
  }

  /** Resolves with the milliseconds until the first page ended. */
  async run(): Promise<number> {
    const first = 50 + this.#random(600);
    await this.#open();
    for (let count = 1; count < maxPages; count += 1) {
      await systemClock.delay(count === 1 ? first : 50 + this.#random(600));
      const before = measureChat(this.#chat);
      this.#end();
      await systemClock.delay(this.#random(300));
      await this.#open();
      const now = measureChat(this.#chat);
      this.lost = Math.max(this.lost, before.characters - now.characters);
      for (const what of ["prompts", "characters", "results"] as const)
        if (now[what] < before[what]) this.faults.push(`${what}: the next page has ${now[what]} of ${before[what]}`);
    }
    return first;
  }

  /** Waits until the page has all that the host has. */
  async compare(): Promise<readonly string[]> {
    const isEqual = (): boolean => isDeepStrictEqual(this.#chat, JSON.parse(JSON.stringify(this.#session.chat)));
    const deadline = systemClock.now() + 50_000;
    await until(() => isEqual() || systemClock.now() > deadline);
    return isEqual() ? [] : ["the page's chat is not the host's"];
  }

  close(): void {
    this.#projector.dispose();
  }

  get #chat(): Chat {
    return this.#state.type === "empty" ? { id: "", entries: [], running: false } : this.#state.snapshot.chat;
  }

  /** VS Code reports that it ends a hidden page; the host does not learn of a crash. */
  #end(): void {
    this.#page += 1;
    this.#state = { type: "empty" };
    if (this.#random(2) === 0) this.#projector.pause();
  }

  async #open(): Promise<void> {
    const began = systemClock.now();
    this.#projector.sendSnapshot();
    await until(() => this.#state.type !== "empty");
    this.slowest = Math.max(this.slowest, systemClock.now() - began);
  }

  #post(message: ChatPageMessage): void {
    const text = JSON.stringify(message);
    const page = this.#page;
    const pause = this.#random(4) === 0 ? this.#random(40) : 0;
    this.#crossing = this.#crossing.then(async () => {
      await systemClock.delay(pause);
      // A message for a page that has ended is lost, or reaches the next one while that loads.
      if (page !== this.#page && (message.type === "snapshot" || this.#random(2) === 0)) return;
      this.#receive(text);
    });
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as StateMessage;
    const { projection, lost } = applyMessage(this.#state, message);
    this.#state = projection;
    if (lost) this.#projector.sendSnapshot();
  }
}

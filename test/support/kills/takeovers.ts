/** Seeded kills of the window that writes a chat while a second one follows it: that one takes over and goes on. */
import { systemClock } from "../../../src/base/async/systemClock";
import type { ChatSessions } from "../../../src/chat/storage/chatSessions";
import { type ChatKillVerdict, goOn, lossesOf, measureChat, startWindow, withKillScene } from "./chatKills";
import { openProgramApp } from "./programApp";

/** Milliseconds that a takeover may need. */
const maxTakeoverLength = 15_000;

/** `program`: the bundle of `chatProgram.ts`. */
export function runTakeover(seed: number, folder: string, program: string): Promise<ChatKillVerdict> {
  return withKillScene(seed, folder, async ({ family, gateway, random }) => {
    const address = { url: gateway.url, key: gateway.key };
    const window = startWindow({ folder, gateway: address, family }, program);
    await window.begun(1);
    const id = window.shown.at(-1)?.id ?? "";
    // Half of them show the chat and press the button; the others were reloaded and take over without a click.
    const isReload = random(2) === 0;
    const shownChat = { read: () => (isReload ? id : undefined), write: () => undefined };
    const app = await openProgramApp({ folder, gateway: address, clock: systemClock, shownChat });
    try {
      await app.models.load();
      const chats = await openWhenStored(() => app.openChats(), id);
      const stored = chats.current;
      const isTaken = (): boolean => stored.isWritable;
      if (isTaken()) return { after: 0, lost: 0, faults: ["two windows write the chat"] };
      const after = await window.killIn(random);
      const killed = systemClock.now();
      while (!isTaken() && systemClock.now() - killed < maxTakeoverLength) {
        const { current } = stored.access;
        // The button of the notice does the same.
        if (current.state === "following" && current.isWriterGone) await stored.takeOver();
        else await systemClock.delay(20);
      }
      const took = systemClock.now() - killed;
      if (!isTaken()) return { after, lost: 0, took, faults: ["it was not taken over"] };
      const there = measureChat(stored.session.chat);
      const faults = [...lossesOf(window.shown, there, "were taken over"), ...(await goOn(stored.session))];
      return { after, took, lost: Math.max(0, (window.shown.at(-1)?.characters ?? 0) - there.characters), faults };
    } finally {
      await app.close();
    }
  });
}

/** The file is there a moment after the page has the prompt. */
async function openWhenStored(open: () => Promise<ChatSessions>, id: string): Promise<ChatSessions> {
  const chats = await open();
  while (chats.current.id !== id) {
    await systemClock.delay(50);
    await chats.show(id).catch(() => undefined);
  }
  return chats;
}

/** Seeded kills of a window in mid-answer: what it had shown a second before is in the file, and the chat goes on. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/base/async/systemClock";
import { readSession } from "../../../src/chat/storage/records";
import { SessionFolder } from "../../../src/chat/storage/sessionFolder";
import { families, type Family } from "../../../src/domain/chat/family";
import type { ChatSession } from "../../../src/chat/session/session";
import { type Chat, emptyChat, toolCalls } from "../../../src/domain/chat/chat";
import { type LocalGateway, startLocalGateway } from "../../../src/localGateway/server";
import { until } from "../builders";
import { seeded } from "../seeded";
import { openProgramApp } from "./programApp";

/** Given to the program as JSON in its first argument. */
export interface ChatProgramOptions {
  readonly folder: string;
  readonly gateway: { readonly url: string; readonly key: string };
  readonly family: Family;
}

/** The chat as the page of the window showed it at a moment. */
export interface ShownChat {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly id: string;
  readonly prompts: number;
  readonly characters: number;
  readonly results: number;
}

export interface ChatKillVerdict {
  readonly seed: number;
  readonly family: Family;
  /** Milliseconds from the prompt to the kill. */
  readonly after: number;
  /** Characters that were shown and are gone. */
  readonly lost: number;
  /** Milliseconds until the chat could go on, where another window or page took over. */
  readonly took?: number;
  readonly faults: readonly string[];
}

/** Milliseconds of text that a kill may take. */
const maxLost = 1000;

export function measureChat(chat: Chat): Omit<ShownChat, "at" | "id"> {
  const answers = chat.entries.filter((entry) => entry.type === "answer");
  const texts = answers.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])));
  const calls = answers.flatMap((answer) => [...toolCalls(answer)]);
  return {
    prompts: chat.entries.length - answers.length,
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    results: calls.filter(({ progress }) => progress.state === "done").length,
  };
}

export interface KillScene {
  readonly seed: number;
  readonly family: Family;
  readonly folder: string;
  readonly gateway: LocalGateway;
  readonly random: (bound: number) => number;
}

/** Sets a gateway and a folder with a file up, and adds what the gateway noticed. `folder`: empty, of this run alone. */
export async function withKillScene(
  seed: number,
  folder: string,
  work: (scene: KillScene) => Promise<Omit<ChatKillVerdict, "seed" | "family">>,
): Promise<ChatKillVerdict> {
  const family = families[seed % families.length] ?? "messages";
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "notes.md"), "The harbour holds back what the river brings.\n".repeat(3));
  const stateDir = join(folder, "gateway");
  const gateway = await startLocalGateway({ stateDir, tokensPerSecond: 400, firstTokenMs: 20 });
  try {
    const verdict = await work({ seed, family, folder, gateway, random: seeded(seed * 104_729) });
    const findings = gateway.clientReport.findings.map(({ rule, detail }) => `clientReport: ${rule}: ${detail}`);
    return { seed, family, ...verdict, faults: [...verdict.faults, ...findings] };
  } finally {
    await gateway.close();
  }
}

/** `program`: the bundle of `chatProgram.ts`. */
export function runChatKill(seed: number, folder: string, program: string): Promise<ChatKillVerdict> {
  return withKillScene(seed, folder, async ({ family, gateway, random }) => {
    const window = startWindow({ folder, gateway: { url: gateway.url, key: gateway.key }, family }, program);
    const after = await window.killIn(random);
    const last = window.shown.at(-1);
    if (!last) return { after, lost: 0, faults: ["it showed nothing"] };
    const stored = await readStored(new SessionFolder(join(folder, "chats")), last.id);
    const faults = lossesOf(window.shown, stored, "are stored");
    const asked = gateway.requests.some(({ path: route }) => /messages|completions|Content/i.test(route));
    if (asked && stored.prompts === 0) faults.push("a request was sent, and its prompt is not stored");
    if (stored.prompts > 0) faults.push(...(await reopen(folder, gateway, last.id)));
    return { after, lost: Math.max(0, last.characters - stored.characters), faults };
  });
}

/** Names what was shown a second before the last moment, and is not there. A pause of the machine counts as 300 ms: it stores nothing either. */
export function lossesOf(shown: readonly ShownChat[], there: ReturnType<typeof measureChat>, words: string): string[] {
  let ran = 0;
  const kept = shown.findLast((_, index) => {
    ran += Math.min((shown[index + 1]?.at ?? shown[index]!.at) - shown[index]!.at, 300);
    return ran >= maxLost;
  });
  if (kept === undefined) return [];
  return (["prompts", "characters", "results"] as const)
    .filter((what) => there[what] < kept[what])
    .map((what) => `${what}: ${there[what]} of ${kept[what]} ${words}`);
}

/** Measures what is stored of the chat: nothing where the window was killed before its first write. */
async function readStored(files: SessionFolder, id: string): Promise<ReturnType<typeof measureChat>> {
  if ((await files.list()).length === 0) return measureChat(emptyChat(id));
  const { session } = await readSession(files.fileOf(id), id, new AbortController().signal);
  return measureChat(session.chat);
}

export interface KilledWindow {
  /** The chat as its page showed it, from moment to moment. */
  readonly shown: readonly ShownChat[];
  /** Resolves when it has sent that prompt, or has ended. */
  readonly begun: (prompt: number) => Promise<void>;
  /** Kills it among tools in one of four cases, otherwise while a long text arrives. Resolves with the milliseconds from the prompt. */
  readonly killIn: (random: KillScene["random"]) => Promise<number>;
}

export function startWindow(options: ChatProgramOptions, program: string): KilledWindow {
  const child = fork(program, [JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const shown: ShownChat[] = [];
  const ended = once(child, "exit");
  child.on("message", (message: ShownChat) => shown.push(message));
  const begun = async (prompt: number): Promise<void> => {
    const isBegun = (): boolean => shown.some(({ prompts }) => prompts === prompt);
    const begins = new Promise<void>((resolve) => {
      child.on("message", () => {
        if (isBegun()) resolve();
      });
    });
    if (!isBegun()) await Promise.race([begins, ended]);
  };
  return {
    shown,
    begun,
    async killIn(random) {
      await begun(random(4) === 0 ? 1 : 2);
      const after = random(2500);
      await systemClock.delay(after);
      child.kill("SIGKILL");
      await ended;
      return after;
    },
  };
}

/** Opens the chat as the next window does and sends a request with its history. */
async function reopen(
  folder: string,
  { url, key }: { readonly url: string; readonly key: string },
  id: string,
): Promise<readonly string[]> {
  const shownChat = { read: () => id, write: () => undefined };
  const app = await openProgramApp({ folder, gateway: { url, key }, clock: systemClock, shownChat });
  try {
    const chats = await app.openChats();
    const session = chats.shown.current;
    if (session.chat.id !== id) return ["the window shows another chat"];
    await app.models.load();
    return await goOn(session);
  } finally {
    await app.close();
  }
}

/** Sends a request with the history of the chat: the gateway judges it. */
export async function goOn(session: ChatSession): Promise<readonly string[]> {
  const before = session.chat.entries.length;
  const turn = session.chat.interrupted === true ? session.continueTurn() : session.submit("Hello again");
  await until(() => {
    const last = session.chat.entries.at(-1);
    const isNew = session.chat.entries.length > before && last?.type === "answer";
    return isNew && (last.state !== "streaming" || last.blocks.length > 0);
  });
  session.stop();
  if (!(await turn)) return ["it did not go on"];
  const failed = session.chat.entries
    .slice(before)
    .find((entry) => entry.type === "answer" && entry.state === "failed");
  return failed?.type === "answer" ? [`the history was refused: ${JSON.stringify(failed.failure)}`] : [];
}

/** Seeded kills of a window in mid-answer: what it had shown a second before is in the file, and the chat goes on. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../../src/base/systemClock";
import { readSession } from "../../../src/chat/sessions/readSession";
import { SessionFolder } from "../../../src/chat/sessions/sessionFolder";
import { families, type Family } from "../../../src/domain/family";
import { type Chat, emptyChat, toolCalls } from "../../../src/domain/transcript";
import { startLocalGateway } from "../../../src/localGateway/server";
import { until } from "../builders";
import { seeded } from "../seeded";
import { openProgramApp } from "./programApp";

/** Given to the program as JSON in its first argument. */
export interface ChatProgramOptions {
  readonly folder: string;
  readonly gateway: { readonly url: string; readonly key: string };
  readonly family: Family;
}

/** What the page of the window had at a moment. */
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
  /** Characters that were shown and are not in the file. */
  readonly lost: number;
  readonly faults: readonly string[];
}

/** Milliseconds of text that a kill may take. */
const mostLost = 1000;

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

/** `folder`: empty, of this run alone. `program`: the bundle of `chatProgram.ts`. */
export async function runChatKill(seed: number, folder: string, program: string): Promise<ChatKillVerdict> {
  const random = seeded(seed * 104_729);
  const family = families[seed % families.length] ?? "messages";
  // One in four is killed among tools, the others while a long text arrives.
  const begins = random(4) === 0 ? 1 : 2;
  const after = random(2500);
  const faults: string[] = [];
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "notes.md"), "The harbour holds back what the river brings.\n".repeat(3));
  const stateDir = join(folder, "gateway");
  const gateway = await startLocalGateway({ stateDir, tokensPerSecond: 400, firstTokenMs: 20 });
  try {
    const shown = await killWindow(
      { folder, gateway: { url: gateway.url, key: gateway.key }, family },
      program,
      begins,
      after,
    );
    const last = shown.at(-1);
    if (!last) return { seed, family, after, lost: 0, faults: ["it showed nothing"] };
    const files = new SessionFolder(join(folder, "chats"));
    const stored = await readStored(files, last.id);
    const kept = shown.findLast(({ at }) => at <= last.at - mostLost);
    for (const what of ["prompts", "characters", "results"] as const)
      if (kept && stored[what] < kept[what]) faults.push(`${what}: ${stored[what]} of ${kept[what]} are stored`);
    const asked = gateway.requests.some(({ path: route }) => /messages|completions|Content/i.test(route));
    if (asked && stored.prompts === 0) faults.push("a request was sent, and its prompt is not stored");
    if (stored.prompts > 0) faults.push(...(await goOn(folder, gateway, last.id)));
    for (const { rule, detail } of gateway.conduct.findings) faults.push(`conduct: ${rule}: ${detail}`);
    return { seed, family, after, lost: Math.max(0, last.characters - stored.characters), faults };
  } finally {
    await gateway.close();
  }
}

/** Nothing where the window was killed before its first write. */
async function readStored(files: SessionFolder, id: string): Promise<ReturnType<typeof measureChat>> {
  if ((await files.list()).length === 0) return measureChat(emptyChat(id));
  const { session } = await readSession(files.fileOf(id), id, new AbortController().signal);
  return measureChat(session.chat);
}

async function killWindow(
  options: ChatProgramOptions,
  program: string,
  begins: number,
  after: number,
): Promise<readonly ShownChat[]> {
  const child = fork(program, [JSON.stringify(options)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const shown: ShownChat[] = [];
  const ended = once(child, "exit");
  const begun = new Promise<void>((resolve) => {
    child.on("message", (message: ShownChat) => {
      shown.push(message);
      if (message.prompts === begins) resolve();
    });
  });
  await Promise.race([begun, ended]);
  await systemClock.delay(after);
  child.kill("SIGKILL");
  await ended;
  return shown;
}

/** Opens the chat as the next window does and sends a request with its history. */
async function goOn(
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
  } finally {
    await app.close();
  }
}

/** Windows that share a folder of chats, for suites on them: without VS Code, with a scripted model. */
import { existsSync, readFileSync } from "node:fs";
import { ChatSession } from "../../src/chat/session/session";
import { ChatSessions } from "../../src/chat/storage/chatSessions";
import type { SessionOptions } from "../../src/chat/session/sessionOptions";
import { SessionFolder } from "../../src/chat/storage/sessionFolder";
import type { Gateway } from "../../src/domain/ports";
import { connectTo, keptLog, makeGateway } from "./builders";
import { model } from "./chatSessions";
import { eventually } from "./eventually";
import { createFastClock } from "./fastClock";
import { createTemporaryFolder, type TemporaryFolder } from "./temporaryFolder";
import { plainSessionOptions } from "./plainOptions";

/** The shown chat and what prompts quote, as they are kept for the next window. */
export interface WindowMemory {
  shown?: string;
  quoted?: unknown;
}

export interface ChatWindows {
  readonly openWindow: (
    streamChat: Gateway["streamChat"],
    memory?: WindowMemory,
    more?: Partial<SessionOptions>,
    isInUse?: (chat: string) => boolean,
  ) => Promise<ChatSessions>;
  /** Resolves when the file of the chat that the window shows has the text. `settle` alone gives up after 5 s, which are 0.1 s by the windows' clock. */
  readonly untilStored: (chats: ChatSessions, text: string) => Promise<void>;
  /** The folder of the chats, a new one for each test. */
  readonly folder: () => SessionFolder;
}

/** Closes the windows and removes their folder after each test. */
export function useChatWindows(): ChatWindows {
  let temporary: TemporaryFolder;
  let folder: SessionFolder;
  const opened: ChatSessions[] = [];
  beforeEach(async () => {
    temporary = await createTemporaryFolder();
    folder = new SessionFolder(`${temporary.path}/chats`);
  });
  afterEach(async () => {
    for (const chats of opened.splice(0)) await chats.close();
    await temporary.remove();
  });
  const openWindow = async (
    streamChat: Gateway["streamChat"],
    memory: WindowMemory = {},
    more: Partial<SessionOptions> = {},
    isInUse: (chat: string) => boolean = () => false,
  ): Promise<ChatSessions> => {
    const connections = connectTo(makeGateway({ streamChat }));
    const clock = createFastClock(Date.now(), 50);
    const chats = await ChatSessions.open({
      folder,
      clock,
      log: keptLog(),
      workspace: () => "/work",
      isInUse,
      quotedMemory: {
        read: () => memory.quoted,
        write: (kept) => void (memory.quoted = JSON.parse(JSON.stringify(kept))),
      },
      shownMemory: { read: () => memory.shown, write: (id) => void (memory.shown = id) },
      createSession: (stored, storage) =>
        new ChatSession(
          {
            ...plainSessionOptions,
            connections,
            clock,
            log: keptLog(),
            storage,
            model: () => Promise.resolve(model),
            ...more,
          },
          stored,
        ),
    });
    opened.push(chats);
    return chats;
  };
  const untilStored = async ({ current }: ChatSessions, text: string): Promise<void> => {
    const file = folder.fileOf(current.id);
    await eventually(`"${text}" on the disk`, async () => {
      await current.flush(new AbortController().signal);
      return existsSync(file) && readFileSync(file, "utf8").includes(text);
    });
  };
  return { openWindow, untilStored, folder: () => folder };
}

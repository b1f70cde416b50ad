/** Reads and writes the lines of a session file: a header, the events of the chat, its title and whether it is pinned. */
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import { momentSchema } from "../../base/momentSchema";
import { reduceChat } from "../../domain/chat/reduceChat";
import { type Chat, emptyChat, type SessionEvent } from "../../domain/chat/chat";
import { sessionEventSchema } from "../../domain/chat/chatSchema";
import { readLines } from "../../base/text/readLines";
import { mergeSessionEvents } from "../../domain/chat/mergeSessionEvents";
import { cutText } from "../../base/text/cutText";

/** A file of a higher version is only read, as far as it can be. New kinds of records need no new version: a reader skips unknown ones. */
export const sessionFileVersion = 1;

const headerSchema = z.object({
  type: z.literal("session"),
  version: z.number(),
  id: z.string(),
  createdAt: momentSchema,
  /** The folder in which the chat began. */
  workspace: z.exactOptional(z.string()),
});
/** An empty title means that there is none, and the first prompt gives the title. */
const titleSchema = z.object({ type: z.literal("title-set"), title: z.string() });
const pinSchema = z.object({ type: z.literal("pin-set"), pinned: z.boolean() });

const recordSchema = z.discriminatedUnion("type", [headerSchema, titleSchema, pinSchema, sessionEventSchema]);

export type SessionHeader = Immutable<z.infer<typeof headerSchema>>;
export type MetaRecord = Immutable<z.infer<typeof titleSchema> | z.infer<typeof pinSchema>>;
export type SessionRecord = SessionHeader | MetaRecord | SessionEvent;

/** A session after its records were applied. */
export interface SessionState {
  readonly chat: Chat;
  readonly version: number;
  readonly createdAt: number;
  readonly workspace?: string;
  /** The title that the person or the model gave. */
  readonly title?: string;
  readonly pinned: boolean;
}

export function emptySession(id: string, createdAt: number, workspace?: string): SessionState {
  return {
    chat: emptyChat(id),
    version: sessionFileVersion,
    createdAt,
    ...(workspace === undefined ? {} : { workspace }),
    pinned: false,
  };
}

/** Writes a record with its line end. */
export function writeRecord(record: SessionRecord): string {
  return `${JSON.stringify(record)}\n`;
}

export function headerOf({ chat, createdAt, workspace }: SessionState): SessionHeader {
  const header = { type: "session", version: sessionFileVersion, id: chat.id, createdAt } as const;
  return { ...header, ...(workspace === undefined ? {} : { workspace }) };
}

/** `undefined` for a line that is damaged or of a kind that only a newer version reads. */
export function readRecord(line: string): SessionRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

export function isEvent(record: SessionRecord): record is SessionEvent {
  return record.type !== "session" && record.type !== "title-set" && record.type !== "pin-set";
}

/** Applies a record to a session, whose id stays that of the file's name. */
export function reduceSession(session: SessionState, record: SessionRecord): SessionState {
  if (isEvent(record)) return { ...session, chat: reduceChat(session.chat, record) };
  switch (record.type) {
    case "session": {
      const { version, createdAt, workspace } = record;
      return { ...session, version, createdAt, ...(workspace === undefined ? {} : { workspace }) };
    }
    case "title-set": {
      const { title: _before, ...untitled } = session;
      return record.title === "" ? untitled : { ...untitled, title: record.title };
    }
    case "pin-set":
      return { ...session, pinned: record.pinned };
  }
}

/** The result of reading a session file. */
export interface ReadSession {
  readonly session: SessionState;
  /** Lines that this version could not read. */
  readonly unreadable: number;
  /** The offset after the last whole line. */
  readonly end: number;
}

/** Rejects with the error of the file system, `ENOENT` where there is no such session, or with the signal's reason. */
export async function readSession(path: string, id: string, signal: AbortSignal): Promise<ReadSession> {
  let session = emptySession(id, 0);
  let unreadable = 0;
  // An answer comes in many records, and each that is reduced makes a new list of all entries: adjacent ones are joined first.
  let last: SessionRecord | undefined;
  const reduceLast = (): void => {
    if (last !== undefined) session = reduceSession(session, last);
  };
  const end = await readRecords(path, 0, signal, (record) => {
    if (record === undefined) {
      unreadable += 1;
      return true;
    }
    const joined = joinRecords(last, record);
    if (joined === undefined) reduceLast();
    last = joined ?? record;
    return true;
  });
  reduceLast();
  return { session, unreadable, end };
}

/** Puts a record at the end of a list, joined with the last one where both are deltas of one answer. */
export function addRecord(records: SessionRecord[], record: SessionRecord): void {
  const joined = joinRecords(records.at(-1), record);
  if (joined === undefined) records.push(record);
  else records[records.length - 1] = joined;
}

function joinRecords(last: SessionRecord | undefined, next: SessionRecord): SessionRecord | undefined {
  return last && isEvent(last) && isEvent(next) ? mergeSessionEvents(last, next) : undefined;
}

/** `take` gets `undefined` for an unreadable line, and ends the reading with false. Returns the offset after the last line that was taken. */
export function readRecords(
  path: string,
  from: number,
  signal: AbortSignal,
  take: (record: SessionRecord | undefined, start: number, end: number) => boolean,
): Promise<number> {
  return readLines(path, from, (line, start, end) => take(readRecord(line), start, end), signal);
}

/** Characters. */
export const maxTitleLength = 80;

/** The title of a chat: its name, or else made from the first prompt. Empty while there is no prompt. */
export function titleOf({ title, chat }: Pick<SessionState, "title" | "chat">): string {
  if (title !== undefined) return title;
  const first = chat.entries.find((entry) => "text" in entry);
  return first === undefined ? "" : titleOfPrompt(first.text);
}

/** The first line of a prompt, cut at a word. If the prompt begins with a block of code, it is the first line of the code. */
export function titleOfPrompt(prompt: string): string {
  const lines = prompt.trimStart().replace(/^(?:```|~~~).*\n/, "");
  const line = /\S.*/.exec(lines)?.[0].trim() ?? "";
  if (line.length <= maxTitleLength) return line;
  const cut = line.slice(0, maxTitleLength - 1);
  const space = cut.lastIndexOf(" ");
  return `${cutText(space > maxTitleLength / 2 ? cut.slice(0, space) : cut, maxTitleLength)}…`;
}

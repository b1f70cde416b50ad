/** Reads a session file, whole or from an offset on, without holding the thread. */
import { readLines } from "../../base/text/readLines";
import { mergeSessionEvents } from "../../domain/chat/mergeSessionEvents";
import { emptySession, isEvent, readRecord, reduceSession, type SessionRecord, type SessionState } from "./records";

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
    const joined = last && isEvent(last) && isEvent(record) ? mergeSessionEvents(last, record) : undefined;
    if (joined === undefined) reduceLast();
    last = joined ?? record;
    return true;
  });
  reduceLast();
  return { session, unreadable, end };
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

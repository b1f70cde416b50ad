/** Reads a session file, whole or from an offset on, without holding the thread. */
import { readLines } from "../../base/text/readLines";
import { emptySession, readRecord, reduceSession, type SessionRecord, type SessionState } from "./records";

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
  const end = await readRecords(path, 0, signal, (record) => {
    if (record === undefined) unreadable += 1;
    else session = reduceSession(session, record);
    return true;
  });
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

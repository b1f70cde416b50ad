/** Reads the first prompt of a chat from its file, for the title of a chat that nobody has named, without the entries between. */
import { readLines } from "../../base/text/readLines";
import type { SessionEvent } from "../../domain/chat/chat";
import { readRecord, type SessionRecord } from "./records";

/** Matches the records by which the first prompt can change. The others are not parsed, because they may be large. */
const mayChange = /^\{"type":"(?:prompt-added|task-added|entries-replaced|branch-switched)"/;

export interface FirstPrompt {
  /** The first prompt of the branch that is shown; after a rewind to the beginning, that of the branch that the rewind took back. */
  readonly prompt: string;
  /** The last name that the person or the model gave the chat; empty for none. */
  readonly named: string;
}

interface Prompt {
  readonly id: string;
  readonly text: string;
}

/** Rejects with the error of the file system or the signal's reason. */
export async function readFirstPrompt(path: string, signal: AbortSignal): Promise<FirstPrompt> {
  let named = "";
  /** The first prompt of either branch, as `reduceChat` has them: an edited first prompt begins another branch. */
  const first: { shown?: Prompt | undefined; other?: Prompt | undefined } = {};
  const replace = (id: string | undefined): void => {
    first.other = first.shown;
    if (first.shown?.id === id) first.shown = undefined;
  };
  const take = (record: SessionRecord | undefined): void => {
    if (record?.type === "title-set") named = record.title;
    else if (record?.type === "prompt-added") {
      replace(record.replaces);
      first.shown ??= record;
    } else if (record?.type === "task-added") first.shown ??= record;
    else if (record?.type === "entries-replaced") replace(record.from);
    else if (record?.type === "branch-switched") [first.shown, first.other] = [first.other, first.shown];
  };
  const takeLine = (line: string): boolean => {
    if (mayChange.test(line) || line.startsWith('{"type":"title-set"')) take(readRecord(line));
    return true;
  };
  await readLines(path, 0, takeLine, signal);
  return { prompt: (first.shown ?? first.other)?.text ?? "", named };
}

/** Whether the chat may have another first prompt after the event. */
export function changesBranch(event: SessionEvent): boolean {
  return (
    event.type === "entries-replaced" ||
    event.type === "branch-switched" ||
    (event.type === "prompt-added" && event.replaces !== undefined)
  );
}

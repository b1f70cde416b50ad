/** What the Tasks view says above its rows: only what concerns all of them, and only the most important of it. */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import { describeUnwritten } from "../../domain/words/describeError";
import { describeReplacedFile, describeUnreadable } from "../../domain/words/describeStorage";
import type { UnwrittenRecords } from "../board/unwrittenRecords";
import type { PollerStatus } from "../polling/pollingStatus";
import type { TaskCounts } from "./taskCounts";
import type { TaskFileState } from "../board/taskFileNotes";
import { createTimes, type Times } from "../../domain/words/timeFormats";

export interface ViewState {
  readonly unwritten: UnwrittenRecords | undefined;
  readonly status: PollerStatus;
  readonly file: Pick<TaskFileState, "unreadable" | "replaced">;
  readonly counts: TaskCounts;
}

/** `undefined` when there is nothing to say. `now` in milliseconds since 1970. */
export function viewMessage(state: ViewState, now: number, locale: string): string | undefined {
  const { unreadable, replaced } = state.file;
  const sentences = [
    mostImportant(state, createTimes(locale, now)),
    replaced && describeReplacedFile(replaced),
    unreadable > 0 ? describeUnreadable(unreadable) : undefined,
  ].filter((sentence) => sentence !== undefined);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function mostImportant({ unwritten, status, counts }: ViewState, times: Times): string | undefined {
  const { pausedUntil, offlineSince, oldestRead } = status;
  if (unwritten) {
    const { title, meaning } = describeUnwritten(unwritten.accepted, unwritten.error);
    return `${title} ${meaning}`;
  }
  if (counts.withoutKey > 0) {
    return plural(counts.withoutKey, {
      one: "1 running task can't be read: the key of its account is not set or refused.",
      other: "{0} running tasks can't be read: the key of their account is not set or refused.",
    });
  }
  if (pausedUntil !== undefined) return t("Paused by the gateway until {0} (rate limit).", times.short(pausedUntil));
  if (offlineSince !== undefined) {
    return t("Offline since {0}. Rows show the last known state.", times.short(offlineSince));
  }
  if (oldestRead !== undefined) {
    return t("So many tasks run that each is read seldom: one of them was last read at {0}.", times.short(oldestRead));
  }
  return undefined;
}

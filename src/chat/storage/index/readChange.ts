/** What has changed in a session file since the index read it. */
import { cutText } from "../../../base/text/cutText";
import type { IndexedSession, SessionChange } from "./rows";
import { readFirstPrompt } from "../firstPrompt";
import { type IndexedTurn, readTurns, tokenCount } from "./sessionTurns";
import { stat } from "node:fs/promises";

/** Of the first prompt, in characters: more than a title needs. */
const maxPromptLength = 500;

/** `before`: what the index has. Rejects with the error of the file system. */
export async function readChange(
  path: string,
  id: string,
  before: IndexedSession | undefined,
  signal: AbortSignal,
): Promise<SessionChange> {
  const { size, mtimeMs } = await stat(path);
  // A file that has shrunk is another one.
  const known = before && before.size <= size ? before : undefined;
  const empty = { id, size: 0, settled: 0, settledTokens: 0, named: "", firstPrompt: "", model: "", tokens: 0 };
  let session: IndexedSession = known ?? { ...empty, createdAt: mtimeMs, updatedAt: 0, pinned: false };
  let turns: IndexedTurn[] = [];
  let hasBranched = false as boolean;
  await readTurns(path, session.settled, signal, {
    meta(record) {
      if (record.type === "title-set") session = { ...session, named: record.title };
      else if (record.type === "pin-set") session = { ...session, pinned: record.pinned };
      else {
        const { createdAt, workspace } = record;
        session = { ...session, createdAt, ...(workspace === undefined ? {} : { workspace }) };
      }
    },
    imported() {
      turns = turns.map((turn) => ({ ...turn, usages: [] }));
    },
    branched() {
      hasBranched = true;
    },
    turn(turn) {
      turns.push(turn);
      return true;
    },
  });
  const last = turns.at(-1);
  const tokens = tokenCount(session.settledTokens + turns.reduce((sum, turn) => sum + turn.tokens, 0));
  const first = known && known.settled > 0 ? known.firstPrompt : (turns[0]?.prompt ?? "");
  // An edited first prompt gives the chat another title. The index does not keep which prompt of which branch was the first.
  const firstPrompt = hasBranched ? (await readFirstPrompt(path, signal)).prompt : first;
  const changed: IndexedSession = {
    ...session,
    size,
    settled: last?.start ?? session.settled,
    settledTokens: tokens - (last?.tokens ?? 0),
    tokens,
    firstPrompt: cutText(firstPrompt, maxPromptLength),
    model: turns.findLast(({ model }) => model !== "")?.model ?? session.model,
    updatedAt: Math.max(session.updatedAt, session.createdAt, last?.updatedAt ?? 0),
  };
  return { session: changed, before, turns };
}

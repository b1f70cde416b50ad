/** The tables of the chat index, and how the rows of one session are written. */
import { type Migration, numberIn, type SqlConnection } from "../../../base/database/sqlConnection";
import type { ChatSummary } from "./chatIndex";
import { spacedText } from "./searchText";
import type { IndexedTurn } from "./sessionTurns";
import type { TokenUsage } from "../../../domain/prices/tokenDays";

/**
 * `size`: bytes of the file that are in the index. The last turn may still grow: what comes after `settled` is read and written
 * again, and `settled_tokens` are those before it.
 */
const createTables: Migration = (connection) =>
  connection.exec(`
      CREATE TABLE session (
        key INTEGER PRIMARY KEY,
        id TEXT UNIQUE NOT NULL,
        size INTEGER NOT NULL,
        settled INTEGER NOT NULL,
        settled_tokens INTEGER NOT NULL,
        title TEXT NOT NULL,
        first_prompt TEXT NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        model TEXT NOT NULL,
        tokens INTEGER NOT NULL,
        pinned INTEGER NOT NULL,
        workspace TEXT
      ) STRICT;
      CREATE TABLE entry (
        key INTEGER PRIMARY KEY,
        session INTEGER NOT NULL,
        id TEXT NOT NULL,
        turn INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX entry_session ON entry (session, turn);
      CREATE TABLE usage (
        session INTEGER NOT NULL,
        turn INTEGER NOT NULL,
        at REAL NOT NULL,
        model TEXT NOT NULL,
        input INTEGER NOT NULL,
        output INTEGER NOT NULL,
        cached INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX usage_at ON usage (at);
      CREATE INDEX usage_session ON usage (session, turn);
    `);

export const indexMigrations: readonly Migration[] = [createTables];

/**
 * The words lie in the index alone, without the texts: those are in the files. Beginnings of words have no index of their own: it made
 * the file 2.6 times as large and as slow to make, and searches no faster. Throws where this SQLite has no
 * FTS5.
 */
export function createWords(connection: SqlConnection): void {
  if (connection.get("SELECT 1 FROM sqlite_master WHERE name = 'words'")) return;
  connection.exec(`
    CREATE VIRTUAL TABLE words
    USING fts5(text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');
    INSERT INTO words (words, rank) VALUES ('hashsize', ${hashSize}), ('automerge', ${mergedSegments});
  `);
}

/**
 * Bytes of words that SQLite collects before it writes them as a segment, and how many segments of a level it merges into one. With its
 * own values, 1 MB and 4, it merges eight times as many, which is half of the CPU time of making the index.
 */
const hashSize = 8 * 1024 * 1024;
const mergedSegments = 16;

/** What the index has of a session. */
export interface IndexedSession extends Omit<ChatSummary, "title"> {
  readonly size: number;
  readonly settled: number;
  readonly settledTokens: number;
  /** As the person has named it; empty where it has no name. */
  readonly named: string;
  readonly firstPrompt: string;
}

const columns = `id, size, settled, settled_tokens AS settledTokens, title AS named, first_prompt AS firstPrompt,
  created_at AS createdAt, updated_at AS updatedAt, model, tokens, pinned, workspace`;

type SessionRow = Omit<IndexedSession, "pinned" | "workspace"> & { pinned: number; workspace: string | null };

/** Newest first. */
export function readSessions(connection: SqlConnection): readonly IndexedSession[] {
  return connection.all(`SELECT ${columns} FROM session ORDER BY updated_at DESC, id`).map((row) => {
    // The columns are those of the table, which is STRICT.
    const { pinned, workspace, ...rest } = row as unknown as SessionRow;
    return { ...rest, pinned: pinned === 1, ...(workspace === null ? {} : { workspace }) };
  });
}

/** Of the turns that began at that moment or later. */
export function readUsage(connection: SqlConnection, since: number): readonly TokenUsage[] {
  const rows = connection.all("SELECT at, model, input, output, cached FROM usage WHERE at >= :since", { since });
  // The columns are those of the table, which is STRICT.
  return rows.map((row) => ({ ...row }) as unknown as TokenUsage);
}

/** What was read of a session's file after the settled part. */
export interface SessionChange {
  readonly session: IndexedSession;
  /** What the row was when the file was read. */
  readonly before: IndexedSession | undefined;
  readonly turns: readonly IndexedTurn[];
}

/** Nothing is written when another window has written the row meanwhile: it read the same file. */
export function writeChange(connection: SqlConnection, change: SessionChange, hasFullText: boolean): void {
  const { session, before, turns } = change;
  const row = connection.get("SELECT key, size FROM session WHERE id = :id", { id: session.id });
  if (row?.["size"] !== before?.size) return;
  const { pinned, workspace, ...rest } = session;
  connection.run(writeSession, { ...rest, pinned: pinned ? 1 : 0, workspace: workspace ?? null });
  const key = row === undefined ? keyOf(connection, session.id) : numberIn(row["key"]);
  if (before) dropEntries(connection, key, before.size <= session.size ? before.settled : 0, hasFullText);
  for (const { entries, usages, start } of turns) {
    for (const usage of usages) connection.run(writeUsage, { ...usage, key, start });
    for (const { id, text } of entries) {
      connection.run("INSERT INTO entry (session, id, turn) VALUES (:key, :id, :start)", { key, id, start });
      if (!hasFullText) continue;
      connection.run("INSERT INTO words (rowid, text) VALUES (last_insert_rowid(), :text)", { text: spacedText(text) });
    }
  }
}

export function dropSession(connection: SqlConnection, id: string, hasFullText: boolean): void {
  const row = connection.get("SELECT key FROM session WHERE id = :id", { id });
  if (row === undefined) return;
  dropEntries(connection, numberIn(row["key"]), 0, hasFullText);
  connection.run("DELETE FROM session WHERE id = :id", { id });
}

/** Those of the turns that begin at `from` or later. */
function dropEntries(connection: SqlConnection, key: number, from: number, hasFullText: boolean): void {
  const old = { key, from };
  if (hasFullText) {
    const rows = "SELECT key FROM entry WHERE session = :key AND turn >= :from";
    connection.run(`DELETE FROM words WHERE rowid IN (${rows})`, old);
  }
  connection.run("DELETE FROM entry WHERE session = :key AND turn >= :from", old);
  connection.run("DELETE FROM usage WHERE session = :key AND turn >= :from", old);
}

function keyOf(connection: SqlConnection, id: string): number {
  return numberIn(connection.get("SELECT key FROM session WHERE id = :id", { id })?.["key"]);
}

const writeUsage = `
  INSERT INTO usage (session, turn, at, model, input, output, cached)
  VALUES (:key, :start, :at, :model, :input, :output, :cached)
`;

const writeSession = `
  INSERT INTO session (id, size, settled, settled_tokens, title, first_prompt, created_at, updated_at, model, tokens, pinned, workspace)
  VALUES (:id, :size, :settled, :settledTokens, :named, :firstPrompt, :createdAt, :updatedAt, :model, :tokens, :pinned, :workspace)
  ON CONFLICT (id) DO UPDATE SET
    size = excluded.size, settled = excluded.settled, settled_tokens = excluded.settled_tokens, title = excluded.title,
    first_prompt = excluded.first_prompt, created_at = excluded.created_at, updated_at = excluded.updated_at,
    model = excluded.model, tokens = excluded.tokens, pinned = excluded.pinned, workspace = excluded.workspace
`;

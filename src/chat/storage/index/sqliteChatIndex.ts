/** The chat index in SQLite. Before each list it reads on in the files that have grown; a database that is missing or damaged is made again. */
import { rm, stat } from "node:fs/promises";
import { isMissingFile } from "../../../base/systemErrors";
import { readFirstPrompt } from "../firstPrompt";
import type { Clock } from "../../../base/clock";
import { Database } from "../../../base/database/database";
import { DatabaseFailure } from "../../../base/database/failure";
import { numberIn, type SqlConnection, type Migration } from "../../../base/database/sqlConnection";
import { SerialQueue } from "../../../base/async/serialQueue";
import { SessionFolder } from "../sessionFolder";
import { titleOfPrompt } from "../records";
import { priceSchema } from "../../../domain/prices/priceList";
import type { TokenUsage } from "../../../domain/prices/tokenDays";
import { cutText } from "../../../base/text/cutText";
import type { ChatHit, ChatIndex, ChatSummary } from "./chatIndex";
import { hasWords, lineOfHit, matchExpression, queryWords, spacedText } from "./searchText";
import { type IndexedEntry, readTurns, type IndexedTurn, tokenCount } from "./sessionTurns";

export interface SqliteChatIndexOptions {
  /** The path of the database. */
  readonly path: string;
  /** The folder of the session files. */
  readonly sessions: string;
  readonly clock: Clock;
  /** Called once for each session that can't be written into the index, so that it is not listed as it is now. */
  readonly onSkip: (failure: unknown) => void;
  /** Called with the path to which a damaged database was moved, when a new one was begun. */
  readonly onSetAside: (file: string) => void;
  /** False makes searches read the files, as where SQLite has no full-text search. */
  readonly fullText?: boolean;
}

/** Chats that a search names at most. */
const maxHits = 40;
/** Milliseconds after which hits are named without their line, and a search without full text ends. */
const lineTime = 100;
const scanTime = 10_000;
/** Characters of text that are written in one transaction. */
const batchSize = 8_000_000;

export class SqliteChatIndex implements ChatIndex {
  readonly #options: SqliteChatIndexOptions;
  readonly #folder: SessionFolder;
  readonly #syncing = new SerialQueue();
  readonly #ended = new AbortController();
  readonly #skipped = new Set<string>();
  readonly #database: Database;
  readonly #hasFullText: boolean;

  private constructor(options: SqliteChatIndexOptions, { database, hasFullText }: OpenedIndex) {
    this.#options = options;
    this.#folder = new SessionFolder(options.sessions);
    this.#database = database;
    this.#hasFullText = hasFullText;
  }

  /** Rejects with a `DatabaseFailure`. */
  static async open(options: SqliteChatIndexOptions): Promise<SqliteChatIndex> {
    return new SqliteChatIndex(options, await openIndex(options));
  }

  list(): Promise<readonly ChatSummary[]> {
    return this.#syncing.run(async () => {
      await this.#renew();
      const sessions = await this.#sync();
      return [...sessions.filter(({ pinned }) => pinned), ...sessions.filter(({ pinned }) => !pinned)].map(summaryOf);
    });
  }

  async search(query: string): Promise<readonly ChatHit[]> {
    const match = matchExpression(query);
    if (match === undefined) return [];
    return this.#hasFullText ? this.#findIndexed(match, queryWords(query)) : this.#scan(queryWords(query));
  }

  usage(since: number): Promise<readonly TokenUsage[]> {
    return this.#syncing.run(async () => {
      await this.#renew();
      await this.#sync();
      return this.#database.read((connection) => readUsage(connection, since));
    });
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#syncing.idle();
    await this.#database.close();
  }

  /** Reopens the file where it was deleted, or another one is in its place. The table of words is made here, because no migration makes it. */
  async #renew(): Promise<void> {
    await this.#database.dataVersion();
    if (this.#hasFullText) await this.#database.write(createWords);
  }

  /** Returns all sessions, newest first. */
  async #sync(): Promise<readonly IndexedSession[]> {
    const known = new Map((await this.#database.read(readSessions)).map((session) => [session.id, session]));
    const files = await this.#folder.list();
    const there = new Set(files.map(({ id }) => id));
    const gone = [...known.keys()].filter((id) => !there.has(id));
    const grown = files.filter(({ id, size }) => known.get(id)?.size !== size);
    if (gone.length === 0 && grown.length === 0) return [...known.values()];
    const hasFullText = this.#hasFullText;
    await this.#database.write((connection) => gone.forEach((id) => dropSession(connection, id, hasFullText)));
    let changes: SessionChange[] = [];
    let characters = 0;
    const write = async (): Promise<void> => {
      const batch = changes;
      changes = [];
      characters = 0;
      await this.#write(batch);
    };
    for (const { id } of grown) {
      const change = await readChange(this.#folder.fileOf(id), id, known.get(id), this.#ended.signal).catch(ignoreGone);
      if (change === undefined) continue;
      changes.push(change);
      for (const { entries } of change.turns) for (const { text } of entries) characters += text.length;
      if (characters >= batchSize) await write();
    }
    if (changes.length > 0) await write();
    return this.#database.read(readSessions);
  }

  /** Writes all changes at once, or one by one if the row of a session is refused, so that the others are written. */
  async #write(batch: readonly SessionChange[]): Promise<void> {
    const hasFullText = this.#hasFullText;
    try {
      await this.#database.write((connection) => batch.forEach((each) => writeChange(connection, each, hasFullText)));
    } catch (failure) {
      if (!concernsRow(failure)) throw failure;
      const [only] = batch;
      if (batch.length > 1) for (const each of batch) await this.#write([each]);
      else if (only && !this.#skipped.has(only.session.id)) {
        this.#skipped.add(only.session.id);
        this.#options.onSkip(failure);
      }
    }
  }

  async #findIndexed(match: string, words: readonly string[]): Promise<readonly ChatHit[]> {
    const found = await this.#database.read((connection) => {
      const hits = new Map<string, { readonly entry: string; readonly turn: number }>();
      for (const row of connection.iterate(findWords, { match })) {
        const id = String(row["session"]);
        if (!hits.has(id)) hits.set(id, { entry: String(row["entry"]), turn: numberIn(row["turn"]) });
        if (hits.size >= maxHits) break;
      }
      return hits;
    });
    const until = this.#options.clock.now() + lineTime;
    const hits: ChatHit[] = [];
    for (const [id, { entry, turn }] of found) {
      const text = this.#options.clock.now() < until ? await this.#textOf(id, turn, entry) : undefined;
      hits.push({ id, entry, ...(text === undefined ? {} : { line: lineOfHit(text, words) }) });
    }
    return hits;
  }

  async #textOf(id: string, turn: number, entry: string): Promise<string | undefined> {
    const texts: string[] = [];
    await readTurns(this.#folder.fileOf(id), turn, this.#ended.signal, {
      meta: () => undefined,
      turn({ entries }) {
        for (const one of entries) if (one.id === entry) texts.push(one.text);
        return false;
      },
    }).catch(() => undefined);
    return texts[0];
  }

  /** Searches the files themselves, newest first, where there is no full-text search. */
  async #scan(words: readonly string[]): Promise<readonly ChatHit[]> {
    const until = this.#options.clock.now() + scanTime;
    const hits: ChatHit[] = [];
    for (const { id } of await this.#database.read(readSessions)) {
      if (hits.length >= maxHits || this.#options.clock.now() >= until) break;
      let newest: IndexedEntry | undefined;
      await readTurns(this.#folder.fileOf(id), 0, this.#ended.signal, {
        meta: () => undefined,
        turn({ entries }) {
          newest = entries.findLast(({ text }) => hasWords(text, words)) ?? newest;
          return true;
        },
      }).catch(ignoreGone);
      hits.push(...hitsIn(id, newest, words));
    }
    return hits;
  }
}

const findWords = `
  SELECT session.id AS session, entry.id AS entry, entry.turn AS turn
  FROM words JOIN entry ON entry.key = words.rowid JOIN session ON session.key = entry.session
  WHERE words MATCH :match ORDER BY words.rowid DESC
`;

interface OpenedIndex {
  readonly database: Database;
  readonly hasFullText: boolean;
}

/** Opens the database. The session files have all of its data, so a damaged one is set aside, and one of a later version is deleted. */
async function openIndex(options: SqliteChatIndexOptions): Promise<OpenedIndex> {
  const { path, clock, fullText = true } = options;
  const open = (): Promise<Database> => Database.open({ path, migrations: indexMigrations, clock, isDisposable: true });
  let database = await open();
  if (database.access.state === "newer") {
    await database.close();
    await rm(path, { force: true });
    await rm(`${path}-journal`, { force: true });
    database = await open();
  }
  if (database.replacement) options.onSetAside(database.replacement.setAside);
  database.onDidReplace((replacement) => {
    if (replacement) options.onSetAside(replacement.setAside);
  });
  const hasFullText =
    fullText &&
    (await database.write(createWords).then(
      () => true,
      () => false,
    ));
  return { database, hasFullText };
}

function hitsIn(id: string, entry: IndexedEntry | undefined, words: readonly string[]): readonly ChatHit[] {
  return entry === undefined ? [] : [{ id, entry: entry.id, line: lineOfHit(entry.text, words) }];
}

function summaryOf(session: IndexedSession): ChatSummary {
  const { named, firstPrompt, settled: _settled, settledTokens: _tokens, size: _size, ...rest } = session;
  return { ...rest, title: named === "" ? titleOfPrompt(firstPrompt) : named };
}

/** Ignores the error of a session that was deleted meanwhile. */
function ignoreGone(error: unknown): undefined {
  if (!isMissingFile(error)) throw error;
  return undefined;
}

/** Whether SQLite has refused a value. Every other failure concerns the database as a whole. */
function concernsRow(failure: unknown): boolean {
  return !(failure instanceof DatabaseFailure) || failure.kind === "constraint";
}

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

/** Adds the cost of the tokens of a row, where it was stated. Earlier rows have none, because no answer had one then. */
const addCosts: Migration = (connection) =>
  connection.exec(`
      ALTER TABLE usage ADD COLUMN amount REAL;
      ALTER TABLE usage ADD COLUMN currency TEXT;
      ALTER TABLE usage ADD COLUMN source TEXT;
    `);

/** Has each session read again from its beginning. */
const readAgain = "UPDATE session SET size = 0, settled = 0, settled_tokens = 0;";

/** Adds a column for tokens of the local gateway, which are free. Earlier rows don't say where their tokens were used, so all are read again. */
const addFree: Migration = (connection) =>
  connection.exec(`ALTER TABLE usage ADD COLUMN is_free INTEGER NOT NULL DEFAULT 0; ${readAgain}`);

/** Earlier rows lack what was regenerated or rewound. */
const countReplaced: Migration = (connection) => connection.exec(readAgain);

const indexMigrations: readonly Migration[] = [createTables, addCosts, addFree, countReplaced];

/**
 * Creates the full-text table. It has the words without the texts, which are in the files. Beginnings of words have no index of their own: it
 * made the file 2.6 times as large and as slow to make, and searches no faster. Throws where this SQLite has no FTS5.
 */
function createWords(connection: SqlConnection): void {
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

/** The row of a session in the index. */
interface IndexedSession extends Omit<ChatSummary, "title"> {
  readonly size: number;
  readonly settled: number;
  readonly settledTokens: number;
  /** The name that the person or the model gave; empty where there is none. */
  readonly named: string;
  readonly firstPrompt: string;
}

const columns = `id, size, settled, settled_tokens AS settledTokens, title AS named, first_prompt AS firstPrompt,
  created_at AS createdAt, updated_at AS updatedAt, model, tokens, pinned, workspace`;

type SessionRow = Omit<IndexedSession, "pinned" | "workspace"> & { pinned: number; workspace: string | null };

/** Newest first. */
function readSessions(connection: SqlConnection): readonly IndexedSession[] {
  return connection.all(`SELECT ${columns} FROM session ORDER BY updated_at DESC, id`).map((row) => {
    // The columns are those of the table, which is STRICT.
    const { pinned, workspace, ...rest } = row as unknown as SessionRow;
    return { ...rest, pinned: pinned === 1, ...(workspace === null ? {} : { workspace }) };
  });
}

/** Reads the usage of the turns that began at that moment or later. */
function readUsage(connection: SqlConnection, since: number): readonly TokenUsage[] {
  const rows = connection.all(
    "SELECT at, model, input, output, cached, amount, currency, source, is_free FROM usage WHERE at >= :since",
    { since },
  );
  // The columns are those of the table, which is STRICT.
  return rows.map(({ amount, currency, source, is_free: isFree, ...tokens }): TokenUsage => {
    const cost = priceSchema.safeParse({ amount, currency, source });
    return {
      ...(tokens as unknown as TokenUsage),
      ...(cost.success ? { cost: cost.data } : {}),
      ...(isFree === 1 ? { isFree: true } : {}),
    };
  });
}

/** The part of a session's file after `settled`, as it was read. */
interface SessionChange {
  readonly session: IndexedSession;
  /** The row as it was when the file was read. */
  readonly before: IndexedSession | undefined;
  readonly turns: readonly IndexedTurn[];
}

/** Writes nothing if another window has written the row meanwhile, because that window read the same file. */
function writeChange(connection: SqlConnection, change: SessionChange, hasFullText: boolean): void {
  const { session, before, turns } = change;
  const row = connection.get("SELECT key, size FROM session WHERE id = :id", { id: session.id });
  if (row?.["size"] !== before?.size) return;
  const { pinned, workspace, ...rest } = session;
  connection.run(writeSession, { ...rest, pinned: pinned ? 1 : 0, workspace: workspace ?? null });
  const key = row === undefined ? keyOf(connection, session.id) : numberIn(row["key"]);
  if (before) dropEntries(connection, key, before.size <= session.size ? before.settled : 0, hasFullText);
  for (const { entries, usages, start } of turns) {
    for (const { cost, isFree, ...tokens } of usages) {
      const { amount = null, currency = null, source = null } = cost ?? {};
      connection.run(writeUsage, { ...tokens, amount, currency, source, isFree: isFree ? 1 : 0, key, start });
    }
    for (const { id, text } of entries) {
      connection.run("INSERT INTO entry (session, id, turn) VALUES (:key, :id, :start)", { key, id, start });
      if (!hasFullText) continue;
      connection.run("INSERT INTO words (rowid, text) VALUES (last_insert_rowid(), :text)", { text: spacedText(text) });
    }
  }
}

function dropSession(connection: SqlConnection, id: string, hasFullText: boolean): void {
  const row = connection.get("SELECT key FROM session WHERE id = :id", { id });
  if (row === undefined) return;
  dropEntries(connection, numberIn(row["key"]), 0, hasFullText);
  connection.run("DELETE FROM session WHERE id = :id", { id });
}

/** Deletes what the index has of the turns that begin at `from` or later. */
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
  INSERT INTO usage (session, turn, at, model, input, output, cached, amount, currency, source, is_free)
  VALUES (:key, :start, :at, :model, :input, :output, :cached, :amount, :currency, :source, :isFree)
`;

const writeSession = `
  INSERT INTO session (id, size, settled, settled_tokens, title, first_prompt, created_at, updated_at, model, tokens, pinned, workspace)
  VALUES (:id, :size, :settled, :settledTokens, :named, :firstPrompt, :createdAt, :updatedAt, :model, :tokens, :pinned, :workspace)
  ON CONFLICT (id) DO UPDATE SET
    size = excluded.size, settled = excluded.settled, settled_tokens = excluded.settled_tokens, title = excluded.title,
    first_prompt = excluded.first_prompt, created_at = excluded.created_at, updated_at = excluded.updated_at,
    model = excluded.model, tokens = excluded.tokens, pinned = excluded.pinned, workspace = excluded.workspace
`;

/** Characters of the first prompt that are kept: more than a title needs. */
const maxPromptLength = 500;

/** `before`: the row in the index. Rejects with the error of the file system. */
export async function readChange(
  path: string,
  id: string,
  before: IndexedSession | undefined,
  signal: AbortSignal,
): Promise<SessionChange> {
  const { size, mtimeMs } = await stat(path);
  // A file that has shrunk is not the file that was indexed, so it is read from the beginning.
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

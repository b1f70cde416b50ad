/** The chat index in SQLite. Before each list it reads on in the files that have grown; a database that is missing or damaged is made again. */
import { rm } from "node:fs/promises";
import { isMissingFile } from "../../../base/systemErrors";
import type { Clock } from "../../../base/clock";
import { Database } from "../../../base/database/database";
import { DatabaseFailure } from "../../../base/database/failure";
import { numberIn } from "../../../base/database/sqlConnection";
import { SerialQueue } from "../../../base/async/serialQueue";
import { SessionFolder } from "../sessionFolder";
import { titleOfPrompt } from "../promptTitle";
import type { ChatHit, ChatIndex, ChatSummary } from "./chatIndex";
import {
  createWords,
  dropSession,
  type IndexedSession,
  indexMigrations,
  readSessions,
  readUsage,
  type SessionChange,
  writeChange,
} from "./rows";
import { readChange } from "./readChange";
import { hasWords, lineOfHit, matchExpression, wordsOf } from "./searchText";
import { type IndexedEntry, readTurns } from "./sessionTurns";
import { type TokenUsage } from "../../../domain/prices/tokenDays";

export interface SqliteChatIndexOptions {
  /** Of the database. */
  readonly path: string;
  /** Of the session files. */
  readonly sessions: string;
  readonly clock: Clock;
  /** A session can't be written into the index, so it is not listed as it is now. Called once for each. */
  readonly onSkip: (failure: unknown) => void;
  /** A damaged database was moved there, and a new one begun. */
  readonly onSetAside: (file: string) => void;
  /** False: as where SQLite has no full-text search, and the files are read. */
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
    return this.#hasFullText ? this.#findIndexed(match, wordsOf(query)) : this.#scan(wordsOf(query));
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

  /** Reopens the file where it was deleted, or another one is in its place. The words are no table that a migration has made. */
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

  /** All at once; one by one where the row of a session is refused, so that the others are written. */
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

  /** Without full text: the files themselves, newest first. */
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

/** The sessions have everything: a damaged file is set aside whole, and one of a later version makes place for one of this version. */
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

/** A session that was deleted meanwhile. */
function ignoreGone(error: unknown): undefined {
  if (!isMissingFile(error)) throw error;
  return undefined;
}

/** SQLite has refused a value. Every other failure concerns the database as a whole. */
function concernsRow(failure: unknown): boolean {
  return !(failure instanceof DatabaseFailure) || failure.kind === "constraint";
}

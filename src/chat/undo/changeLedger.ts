/**
 * The undo ledger of one chat (A5): each change of a file by a tool, with the content before it. A change is in the ledger
 * and on the disk before the file is touched; files that no tool has written are never touched.
 */
import { randomUUID, createHash } from "node:crypto";
import { dirname } from "node:path";
import { Emitter, type Event } from "../../base/event";
import { definedFields } from "../../base/definedFields";
import { TimeSlices } from "../../base/async/timeSlices";
import { SerialQueue } from "../../base/async/serialQueue";
import { ChangeInterrupted, ToolRefusal, type SeenTexts } from "../../domain/tools/tool";
import type { CopiedFile, FileChanges, Workspace } from "../../domain/tools/workspace";
import type { Clock } from "../../base/clock";
import type { Log } from "../../domain/ports";
import type { SessionChanges } from "../session/sessionOptions";
import { BoundedMap } from "../../base/boundedMap";
import {
  bytesOf,
  type FileContent,
  isSameContent,
  isText,
  readContent,
  realPathOf,
  textOf,
  type ChangeCause,
  type ChangeRecord,
  type FileChange,
  type KeptContent,
  type LedgerRecord,
  liveChanges,
  readLedger,
  reduceLedger,
  writeLedgerRecord,
} from "./changeRecords";
import type { LedgerStore } from "./ledgerFiles";
import { mergeTexts } from "./mergeTexts";
import type { RowCounts } from "./reviewRows";

export interface LedgerOptions {
  readonly store: LedgerStore;
  readonly workspace: Workspace;
  readonly now: () => number;
  /** The path as it is named in the chat. */
  readonly labelOf: (path: string) => string;
}

/** A change before it has an id. A missing `before` or `after` means that there is no file. */
export interface PlannedFileChange {
  readonly path: string;
  readonly to?: string;
  readonly before?: FileContent;
  readonly after?: FileContent;
}

interface ChangeLists {
  readonly all: readonly FileChange[];
  readonly liveIds: ReadonlySet<string>;
  readonly live: readonly FileChange[];
}

export class ChangeLedger {
  readonly workspace: Workspace;
  readonly #options: LedgerOptions;
  readonly #changed = new Emitter<void>();
  readonly #queue = new SerialQueue();
  #changes = new Map<string, FileChange>();
  #isLoaded = false;
  /** The lists made from `#changes`. They are made on first use, and dropped with each record. */
  #lists: ChangeLists | undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.workspace = options.workspace;
  }

  /** Fires when a change was recorded, made, undone or kept. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Whether the ledger was read from the disk. Until then it lacks the changes of earlier windows. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** The oldest first. */
  get changes(): readonly FileChange[] {
    return this.#list().all;
  }

  /** The changes in effect that are no undos: those by tools, and those by a person who took back a hunk. */
  get live(): readonly FileChange[] {
    return this.#list().live;
  }

  /** The ids of the changes and undos that are in effect. */
  get liveIds(): ReadonlySet<string> {
    return this.#list().liveIds;
  }

  #list(): ChangeLists {
    if (this.#lists) return this.#lists;
    const all = [...this.#changes.values()];
    const liveIds = liveChanges(all);
    const live = all.filter(({ id, cause }) => cause.type !== "undo" && liveIds.has(id));
    return (this.#lists = { all, liveIds, live });
  }

  /** Reads the ledger from the disk, where another window may have written it. Rejects with the error of the file system. */
  load(): Promise<void> {
    // A change that is recorded while the file is read would be missing from what was read.
    return this.#queue.run(async () => {
      const changes = new Map<string, FileChange>();
      for (const record of await readLedger(await this.#options.store.read())) reduceLedger(changes, record);
      this.#changes = changes;
      this.#isLoaded = true;
      this.#tellChanged();
    });
  }

  /** Loads the ledger for a window that writes the chat. Whether a change that was left open was made is decided by what its file holds. */
  async recover(): Promise<void> {
    await this.load();
    for (const change of this.changes) {
      // If the file can't be read now, the change stays open, and an undo compares the file again.
      if (change.isOpen) await this.#queue.run(() => this.#settleOpen(change.id)).catch(() => undefined);
    }
  }

  /**
   * Reads the change again by its id, because another operation in the queue may have ended it or changed its file. A change stays open if its file has
   * neither content. An undo is dropped then, so that what it was to take back counts as made, and the former text is offered again.
   */
  async #settleOpen(id: string): Promise<void> {
    const change = this.#changes.get(id);
    if (change?.isOpen !== true) return;
    const { path, to, after, cause } = change;
    const paths = [path, to];
    const later = this.changes.slice(this.changes.indexOf(change) + 1);
    // A later change of the same path overwrote the state by which this one could be judged.
    if (later.some((one) => paths.includes(one.path) || (one.to !== undefined && paths.includes(one.to)))) return;
    if (await this.isUnmade(change)) await this.#append({ type: "dropped", id });
    else if (to !== undefined || (await this.#reads(after, await readContent(this.workspace, path)))) {
      await this.#append({ type: "settled", id, ...definedFields({ after }) });
    } else if (cause.type === "undo" && (await this.contentOf(after)) !== "lost") {
      await this.#append({ type: "dropped", id });
    }
  }

  /** Whether changes of this chat created the file, nothing else changed it between two of them, and it reads as the last one left it. */
  async wrote(path: string): Promise<boolean> {
    const changes = this.live.filter((one) => (one.to ?? one.path) === path);
    const isOwn = changes.every(
      ({ to, before }, at) => to === undefined && before?.hash === changes[at - 1]?.after?.hash,
    );
    const left = changes.at(-1)?.after;
    if (!isOwn || left === undefined) return false;
    // A file that can't be read now counts as changed.
    return readContent(this.workspace, path).then(
      (now) => this.#reads(left, now),
      () => false,
    );
  }

  /** The methods with which one call changes files. Each change is recorded with `cause`. */
  changesOf(cause: ChangeCause): FileChanges {
    const { workspace } = this;
    return {
      write: async (path, before, after) => {
        const now = await readContent(workspace, path);
        if (now === undefined || textOf(now) !== before) {
          throw new ToolRefusal("The file was changed after the edit was shown. Read it again.");
        }
        let text = after;
        const change = { path, before: now, after: { as: "text", text: after } } as const;
        await this.make(cause, change, async () => {
          text = await workspace.write(path, before, after);
          return { as: "text", text };
        });
        return text;
      },
      create: async (path, bytes) => {
        await this.#refuseTaken(path);
        await this.make(cause, { path, after: { as: "file", bytes } }, async () => {
          await workspace.create(path, bytes);
          return undefined;
        });
      },
      rename: async (path, to) => {
        await this.#refuseTaken(to);
        await this.make(cause, { path, to }, async () => {
          await workspace.rename(path, to);
          return undefined;
        });
      },
      remove: async (path, bytes) => {
        const before = { as: "file", bytes } as const;
        if (!isSameContent(await readContent(workspace, path), before)) {
          throw new ToolRefusal("The file was changed meanwhile. It was left as it is.");
        }
        let way: "trash" | "gone" = "gone";
        await this.make(cause, { path, before }, async () => {
          way = await workspace.remove(path, bytes);
          return undefined;
        });
        return way;
      },
      apply: (files) => this.#queue.run(() => this.#applyAll(cause, files)),
      merge: (base, one, other) => {
        const merged = mergeTexts(base, one, other);
        return merged?.overlaps.length === 0 ? merged.text : undefined;
      },
    };
  }

  /** Records all changes before the first file is touched, and in one write, because the disk takes that faster than one write for each. */
  async #applyAll(cause: ChangeCause, files: readonly CopiedFile[]): Promise<readonly (string | undefined)[]> {
    const { now: time, labelOf } = this.#options;
    const plans = await inGroups(files, async (file) => {
      try {
        return await planCopied(file, await readContent(this.workspace, file.path), this.workspace);
      } catch (error) {
        return reasonOf(error);
      }
    });
    const contents = plans.flatMap((plan) => (typeof plan === "string" ? [] : [plan.before, plan.after]));
    const wanted = contents.filter((content) => content !== undefined);
    const hashes = await this.#options.store.keepAll(wanted.map(bytesOf));
    const hashOfContent = new Map(wanted.map((content, at) => [content, hashes[at] ?? ""]));
    const keptOf = (content: FileContent | undefined): KeptContent | undefined =>
      content && { as: content.as, hash: hashOfContent.get(content) ?? "" };
    const begun = await inGroups(plans, async (planned, at) => {
      const file = files[at];
      if (typeof planned === "string") return planned;
      if (file === undefined) return "it is no file";
      try {
        const [before, after] = [keptOf(planned.before), keptOf(planned.after)];
        const madeFolder = before === undefined ? await missingFolder(this.workspace, file.path) : undefined;
        const { path } = file;
        const mode = after === undefined ? await modeOf(this.workspace, path) : undefined;
        const where = { path, label: labelOf(path), ...definedFields({ madeFolder, before, after, mode }) };
        return { planned, record: { type: "change", id: randomUUID(), at: time(), cause, ...where } as const };
      } catch (error) {
        return reasonOf(error);
      }
    });
    await this.#append(...begun.flatMap((each) => (typeof each === "string" ? [] : [each.record])));
    const outcomes: (string | undefined)[] = [];
    const ends: LedgerRecord[] = [];
    const slices = new TimeSlices();
    for (const each of begun) {
      if (slices.isSpent) await slices.next();
      if (typeof each === "string") {
        outcomes.push(each);
        continue;
      }
      const { planned, record } = each;
      const { id, after } = record;
      try {
        await planned.make();
        outcomes.push(undefined);
        ends.push({ type: "settled", id, ...definedFields({ after }) });
      } catch (error) {
        outcomes.push(reasonOf(error));
        ends.push(...(await this.#endsOfFailed(error, id, () => Promise.resolve(true))));
      }
    }
    await this.#append(...ends);
    return outcomes;
  }

  async #refuseTaken(path: string): Promise<void> {
    if ((await readContent(this.workspace, path)) !== undefined) throw new ToolRefusal("Something is there already.");
  }

  /**
   * Records a change, makes it, and records that it was made. `make` resolves with the text that it left where that may
   * differ from what was planned. Resolves with the record. Rejects as `make` does, or with the error of the disk, before anything was changed.
   */
  make(
    cause: ChangeCause,
    planned: PlannedFileChange,
    make: () => Promise<FileContent | undefined>,
  ): Promise<ChangeRecord> {
    return this.#queue.run(() => this.#make(cause, planned, make));
  }

  async #make(
    cause: ChangeCause,
    { path, to, ...contents }: PlannedFileChange,
    make: () => Promise<FileContent | undefined>,
  ): Promise<ChangeRecord> {
    const { now: time, labelOf } = this.#options;
    const id = randomUUID();
    const paths = to === undefined ? [path] : [path, to];
    const places = (): Promise<readonly string[]> => Promise.all(paths.map((one) => realPathOf(this.workspace, one)));
    const known = await places();
    const before = contents.before && (await this.#keep(contents.before));
    const after = contents.after && (await this.#keep(contents.after));
    const made = to ?? (before === undefined ? path : undefined);
    const madeFolder = made && (await missingFolder(this.workspace, made));
    const mode = to === undefined && after === undefined ? await modeOf(this.workspace, path) : undefined;
    const where = { path, label: labelOf(path), ...definedFields({ to, madeFolder, before, after, mode }) };
    const record = { type: "change", id, at: time(), cause, ...where } as const;
    await this.#append(record);
    try {
      const now = await places();
      if (now.some((place, index) => place !== known[index])) throw new ToolRefusal("A link leads elsewhere now.");
      const left = (await make()) ?? contents.after;
      const written = to === undefined ? await this.#readWritten(path, left) : undefined;
      await this.#append({ type: "settled", id, ...definedFields({ after: written && (await this.#keep(written)) }) });
      return record;
    } catch (error) {
      const change = this.#changes.get(id);
      // If the file can't be read now, the change stays open until `recover` decides it.
      const isRefused = async (): Promise<boolean> =>
        change !== undefined && (await this.#isRefused(change).catch(() => false));
      await this.#append(...(await this.#endsOfFailed(error, id, isRefused)));
      throw error;
    }
  }

  /** The records that end a change that failed. None where the file may have a part of it: the change stays open, so that an undo offers the former text. */
  async #endsOfFailed(error: unknown, id: string, isRefused: () => Promise<boolean>): Promise<readonly LedgerRecord[]> {
    if (!(error instanceof ChangeInterrupted)) return (await isRefused()) ? [{ type: "dropped", id }] : [];
    if (error.left === undefined) return [];
    return [{ type: "settled", id, after: await this.#keep({ as: "text", text: error.left }) }];
  }

  /** The bytes on the disk if their text is that of `left`; otherwise `left`, because a person may have typed in between. */
  async #readWritten(path: string, left: FileContent | undefined): Promise<FileContent | undefined> {
    const now = await readContent(this.workspace, path).catch(() => undefined);
    if (left === undefined || now === undefined) return left;
    return textOf(now) === textOf(left) ? now : left;
  }

  /** Whether the files are as they were before an open change. */
  async isUnmade({ path, to, before, after }: FileChange): Promise<boolean> {
    const now = await readContent(this.workspace, path);
    // A file at the new path may be another one, because of which the rename was refused.
    if (to !== undefined) return now !== undefined;
    return (await this.#reads(before, now)) && !(await this.#reads(after, now));
  }

  /** Whether a failed change did not leave the intended content. An edit that only could not be saved did leave it, in the editor. */
  async #isRefused(change: FileChange): Promise<boolean> {
    if (change.to !== undefined) return this.isUnmade(change);
    return !(await this.#reads(change.after, await readContent(this.workspace, change.path)));
  }

  async #reads(kept: KeptContent | undefined, now: FileContent | undefined): Promise<boolean> {
    const content = await this.contentOf(kept);
    return content !== "lost" && isSameContent(content, now);
  }

  /** `"lost"`: the blob is gone. */
  async contentOf(kept: KeptContent | undefined): Promise<FileContent | "lost" | undefined> {
    if (kept === undefined) return undefined;
    const bytes = await this.#options.store.blob(kept.hash);
    if (bytes === undefined) return "lost";
    return kept.as === "file"
      ? { as: "file", bytes }
      : { as: "text", text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
  }

  /**
   * Records a change of a text that arrives piece by piece, before its first piece is written. Until `end` the record has the same content
   * before and after. Resolves with its id. Rejects with a `ToolRefusal` where there is no text, and with the error of the disk.
   */
  begin(cause: ChangeCause, path: string): Promise<string> {
    return this.#queue.run(async () => {
      const now = await readContent(this.workspace, path);
      if (now === undefined) throw new ToolRefusal("The file is not there any more.");
      const before = await this.#keep(now);
      const { now: time, labelOf } = this.#options;
      const id = randomUUID();
      await this.#append({ type: "change", id, at: time(), cause, path, label: labelOf(path), before, after: before });
      return id;
    });
  }

  /**
   * Ends a change after its last piece. `readFormer` returns the text without the change, with what the person has written meanwhile. It is called
   * when the content has been read, because the person may type while the end waits in the queue.
   */
  end(id: string, readFormer: () => string): Promise<void> {
    return this.#queue.run(async () => {
      const change = this.#changes.get(id);
      if (change === undefined) return;
      const now = await readContent(this.workspace, change.path);
      const former = readFormer();
      if (now === undefined || textOf(now) === former) {
        await this.#append({ type: "dropped", id });
        return;
      }
      const left = await this.contentOf(change.before);
      // If the text is the same, the bytes from the beginning stay recorded, so that an undo restores them exactly. Bytes that are no UTF-8 text don't
      // stay, because no undo could write them into the editor, which shows them as `former`.
      const isSame = left !== undefined && left !== "lost" && isText(left) && textOf(left) === former;
      const before = isSame ? change.before : await this.#keep({ as: "text", text: former });
      await this.#append({ type: "settled", id, ...definedFields({ before }), after: await this.#keep(now) });
    });
  }

  /** Records which lines are left to be decided after that change; `former` and `now` as in `ReviewRows`. */
  noteReview(change: string, former: string, now: string, rows: RowCounts): Promise<void> {
    return this.#queue.run(async () => {
      const [before, after] = [
        await this.#keep({ as: "text", text: former }),
        await this.#keep({ as: "text", text: now }),
      ];
      await this.#append({ type: "reviewed", change, before, after, rows: [...rows] });
    });
  }

  /** Records that the person keeps these changes, which takes them off the list. */
  keepChanges(changes: readonly string[]): Promise<void> {
    const at = this.#options.now();
    return this.#queue.run(() => this.#append({ type: "kept", changes: [...changes], at }));
  }

  /** Records that a change was found not to have been made, unless it was made since. Rejects where its file can't be read. */
  drop(id: string): Promise<void> {
    return this.#queue.run(async () => {
      const change = this.#changes.get(id);
      if (change?.isOpen === true && (await this.isUnmade(change))) await this.#append({ type: "dropped", id });
    });
  }

  async #keep(content: FileContent): Promise<KeptContent> {
    if (content.as === "text" && !content.text.isWellFormed()) {
      throw new ToolRefusal("The text has half a character in it and can't be kept for an undo. It was left as it is.");
    }
    return { as: content.as, hash: await this.#options.store.keep(bytesOf(content)) };
  }

  async #append(...records: readonly LedgerRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.#options.store.append(records.map(writeLedgerRecord).join(""));
    for (const record of records) reduceLedger(this.#changes, record);
    this.#tellChanged();
  }

  #tellChanged(): void {
    this.#lists = undefined;
    this.#changed.fire();
  }
}

interface PlannedCopy {
  readonly before?: FileContent;
  readonly after?: FileContent;
  readonly make: () => Promise<void>;
}

/** Rejects with a `ToolRefusal` if an editor has a text other than the command has read, and the two can't be merged. */
async function planCopied(
  { path, before, after, make }: CopiedFile,
  now: FileContent | undefined,
  workspace: Workspace,
): Promise<PlannedCopy> {
  const left = after && ({ as: "file", bytes: after } as const);
  if (now?.as !== "text") return { ...definedFields({ before: now, after: left }), make };
  const bytes = await before();
  if (bytes !== undefined && left !== undefined && isText(left)) {
    const merged = mergeTexts(textOf({ as: "file", bytes }), now.text, textOf(left));
    if (merged?.overlaps.length === 0) {
      const { text } = merged;
      const write = async (): Promise<void> => void (await workspace.write(path, now.text, text));
      return { before: now, after: { as: "text", text }, make: write };
    }
  }
  throw new ToolRefusal("it was changed meanwhile");
}

/** Works on several items at a time: the disk takes several writes together in hardly more time than one. */
async function inGroups<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const size = 32;
  for (let at = 0; at < items.length; at += size)
    results.push(...(await Promise.all(items.slice(at, at + size).map((item, index) => work(item, at + index)))));
  return results;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The permissions of a file; `undefined` where it has none, or is not there. */
function modeOf(workspace: Workspace, path: string): Promise<number | undefined> {
  return workspace.status(path).then(
    ({ mode }) => mode,
    () => undefined,
  );
}

/** The topmost folder of the path that does not exist yet; `undefined` when all do. */
async function missingFolder(workspace: Workspace, path: string): Promise<string | undefined> {
  let missing: string | undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const isThere = await workspace.realPath(folder).then(
      () => true,
      () => folder === dirname(folder),
    );
    if (isThere) return missing;
    missing = folder;
  }
}

/** The number of files. The one that was seen longest ago is forgotten, and must be read again. */
const cap = 2000;

/** The texts of files that the model of one chat has seen: a whole file is replaced only while it still reads as this window has shown it. */
export class SeenTextHashes implements SeenTexts {
  readonly #seen = new BoundedMap<string, SeenText>(cap);

  note(file: string, text: string): void {
    this.#seen.set(file, { hash: hashOf(text), upTo: Infinity });
  }

  noteLines(...[file, text, { first, last, of }]: Parameters<SeenTexts["noteLines"]>): void {
    const hash = hashOf(text);
    const known = this.#seen.get(file);
    const before = known?.hash === hash ? known.upTo : 0;
    const upTo = first <= before + 1 ? Math.max(before, last) : before;
    this.#seen.set(file, { hash, upTo: upTo >= of ? Infinity : upTo });
  }

  has(file: string, text: string): boolean {
    const known = this.#seen.get(file);
    return known?.upTo === Infinity && known.hash === hashOf(text);
  }
}

interface SeenText {
  readonly hash: string;
  /** All lines from the first to this one were shown. */
  readonly upTo: number;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

export interface ChangeLedgersOptions {
  readonly storeOf: (chat: string) => LedgerStore;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly log: Log;
}

export class ChangeLedgers {
  readonly #options: ChangeLedgersOptions;
  readonly #open = new Map<string, ChangeLedger>();
  /** The texts that the model of each chat has seen, by the id of the chat. They outlive a reload of its session. */
  readonly #seen = new Map<string, SeenTexts>();
  readonly #changed = new Emitter<void>();

  constructor(options: ChangeLedgersOptions) {
    this.#options = options;
  }

  /** The ledger of a chat, with the changes that the disk had when it was opened and those of this window. */
  of(chat: string): ChangeLedger {
    const known = this.#open.get(chat);
    if (known) return known;
    const { storeOf, workspace, clock, log } = this.#options;
    const labelOf = (path: string): string => labelIn(workspace, path);
    const opened = new ChangeLedger({ store: storeOf(chat), workspace, now: () => clock.now(), labelOf });
    this.#open.set(chat, opened);
    opened.onDidChange(() => this.#changed.fire());
    opened.load().catch((error: unknown) => {
      log.warn("The changes of a chat could not be read.", { message: String(error) });
    });
    return opened;
  }

  /** The ledgers that were used in this window, by the ids of their chats. */
  get open(): ReadonlyMap<string, ChangeLedger> {
    return this.#open;
  }

  /** Fires when one of the ledgers has recorded or read something. */
  readonly onDidChange: Event<void> = this.#changed.event;

  #seenIn(chat: string): SeenTexts {
    const known = this.#seen.get(chat) ?? new SeenTextHashes();
    this.#seen.set(chat, known);
    return known;
  }

  /** The changes of a chat in the form that its session needs; the ledger is opened on first use. */
  changesIn(chat: string): Omit<SessionChanges, "outcomes"> {
    return {
      filesOf: (answer, call, allowed) => this.of(chat).changesOf({ type: "call", answer, call, allowed }),
      wrote: (path) => this.of(chat).wrote(path),
      seen: this.#seenIn(chat),
    };
  }
}

/** The path relative to its root, with `/`. With several roots it begins with the name of its root. */
function labelIn(workspace: Workspace, path: string): string {
  const roots = workspace.roots();
  const root = roots.find((one) => path.startsWith(one.path) && /^[\\/]/.test(path.slice(one.path.length)));
  if (root === undefined) return path;
  const inRoot = path.slice(root.path.length + 1).replaceAll("\\", "/");
  return roots.length === 1 ? inRoot : `${root.name}/${inRoot}`;
}

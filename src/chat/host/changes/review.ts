/**
 * Review in the editor (A16): marks in each file what a model has changed and the person has not decided, and keeps it or takes it back by hunk or by
 * file. The changes are read from the ledgers of the chats. Those of a document that no ledger can hold, such as an untitled one, are kept in memory.
 */
import { randomUUID } from "node:crypto";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { Coalescer } from "../../../base/async/serialQueue";
import type { Clock } from "../../../base/clock";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { type ReadonlyStore, Store } from "../../../base/store";
import { Emitter, type Event } from "../../../base/event";
import { ToolRefusal } from "../../../domain/tools/tool";
import { isWithoutLinks } from "../../../tools/gate/heldFiles";
import { undecidedChats } from "../../../vscode/ids";
import { notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { replaceText, withPlainLineEnds } from "../../../vscode/replaceText";
import type { ChangeLedger, ChangeLedgers } from "../../undo/changeLedger";
import { isText, readContent, textOf } from "../../undo/changeRecords";
import {
  changedByModel,
  changedByPerson,
  decideAll,
  decidedRows,
  decideHunk,
  textAfterUndo,
  hunksOf,
  nowOf,
  type ReviewHunk,
  type ReviewRows,
} from "../../undo/reviewRows";
import {
  changedFiles,
  type HunkMark,
  indexOfMark,
  marksOf,
  type UndecidedFile,
  UndecidedFiles,
} from "../../undo/undecidedFiles";

export interface ReviewOptions {
  readonly ledgers: ChangeLedgers;
  /** The chat in whose ledger applied code and edited selections are recorded. */
  readonly chat: () => string;
  readonly clock: Clock;
  /** Stores the ids of this workspace's chats with something to decide. A window reads their ledgers at its start. */
  readonly memory: Pick<vscode.Memento, "update">;
  /** The ids that an earlier window has stored. */
  readonly stored: readonly string[];
}

/** A hunk of a document that is to be decided. */
export interface DocumentHunk extends ReviewHunk {
  readonly mark: HunkMark;
  /** The chat whose ledger holds the hunk; missing for a hunk in memory. */
  readonly chat?: string;
  /** The edit that the hunk belongs to, while it is being written. */
  readonly arriving?: ArrivingText;
}

/** A file with something to decide. `chat`: the chat whose ledger holds its changes. */
export interface ListedFile extends UndecidedFile {
  readonly chat: string;
}

/** A text that arrives in a document piece by piece. */
export interface ArrivingText {
  /** Updates the marks. `former`: the text of the document without the arriving text. */
  show(former: string): void;
  /** Ends the arrival and records the change. `readFormer` returns the text like `former` of `show`, at the moment of the record. */
  end(readFormer: () => string): Promise<void>;
}

interface Arriving {
  rows: ReviewRows;
  readonly takeBack: () => void;
  readonly text: ArrivingText;
}

/** Milliseconds in which changes are gathered before an update, so that typing is not delayed. */
const updateDelay = 100;
/** Milliseconds until the files are counted. Counting compares each file with its former text, so it waits longer. */
const countDelay = 300;

export class Review implements Disposable {
  readonly #options: ReviewOptions;
  readonly #store = new DisposableStore();
  readonly #changed = new Emitter<void>();
  readonly #chats = new Map<string, UndecidedFiles>();
  /** The files with something to decide, each with its chats. */
  #files: ReadonlyMap<string, readonly string[]> = new Map();
  /** The rows of documents that no ledger holds, by the URI of the document. */
  readonly #loose = new Map<string, ReviewRows>();
  readonly #arriving = new Map<string, Arriving>();
  #revision = 0;
  readonly #known = new WeakMap<
    vscode.TextDocument,
    { readonly key: string; readonly hunks: Promise<readonly DocumentHunk[]> }
  >();
  #noted = "";
  readonly #count = new Store(0);
  readonly #counts: Coalescer<"count">;
  #counting = 0;

  constructor(options: ReviewOptions) {
    this.#options = options;
    const updates = this.#store.add(
      new Coalescer<"files">({ clock: options.clock, delay: updateDelay, flush: () => this.#update() }),
    );
    this.#counts = this.#store.add(
      new Coalescer<"count">({ clock: options.clock, delay: countDelay, flush: () => void this.#countFiles() }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.has(document)) this.#counts.add(["count"]);
      }),
    );
    this.#store.add(options.ledgers.onDidChange(() => updates.add(["files"])));
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#loose.delete(uri.toString());
        this.#arriving.delete(uri.toString());
      }),
    );
    // Another window may have decided some of the changes.
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused)
          for (const chat of this.#listedChats())
            void options.ledgers
              .of(chat)
              .load()
              .catch(() => undefined);
      }),
    );
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Fires when there is something else to decide, or when the text of an undecided file may have changed. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** How many files have something to decide, compared with their current text. */
  get count(): ReadonlyStore<number> {
    return this.#count;
  }

  /** The paths of files, and of documents that no ledger holds, with something to decide. */
  get paths(): readonly string[] {
    const inMemory = [...this.#loose.keys(), ...this.#arriving.keys()].map((uri) => vscode.Uri.parse(uri).fsPath);
    return [...new Set([...this.#files.keys(), ...inMemory])];
  }

  has({ uri }: vscode.TextDocument): boolean {
    const address = uri.toString();
    return (
      this.#loose.has(address) || this.#arriving.has(address) || (uri.scheme === "file" && this.#files.has(uri.fsPath))
    );
  }

  /** The hunks of the document in the order of their lines. */
  hunksIn(document: vscode.TextDocument): Promise<readonly DocumentHunk[]> {
    const key = `${document.version} ${this.#revision}`;
    const known = this.#known.get(document);
    if (known?.key === key) return known.hunks;
    const hunks = this.has(document) ? this.#readHunks(document) : Promise.resolve([]);
    this.#known.set(document, { key, hunks });
    return hunks;
  }

  /** The text of the file as it would be without the undecided changes of that chat. */
  async formerIn(path: string, chat: string): Promise<string | undefined> {
    const now = await this.#textOf(path);
    const rows = now === undefined ? undefined : await this.#undecided(chat).rowsOf(path, now);
    return rows && textAfterUndo(rows);
  }

  /** All files with something to decide, with their hunks. */
  async list(): Promise<readonly ListedFile[]> {
    const lists = await Promise.all(
      this.#listedChats().map(async (chat) =>
        (await this.#undecided(chat).list((path) => documentOf(path)?.getText())).map((file) => ({ ...file, chat })),
      ),
    );
    return lists.flat();
  }

  /** Keeps the changes of a file that a commit contains. `committed` is `undefined` where the commit has no such file. */
  async keepCommitted(path: string, before: string | undefined, committed: string | undefined): Promise<void> {
    for (const chat of this.#files.get(path) ?? []) await this.#undecided(chat).keepCommitted(path, before, committed);
  }

  /** Updates marks and counts, because git or another program may have changed files, also files that no editor shows. */
  refresh(): void {
    this.#tellChanged();
  }

  /** Resolves with true if the hunk was decided; otherwise a message has said why not. */
  async decide(
    document: vscode.TextDocument,
    { mark, chat, arriving }: DocumentHunk,
    isKept: boolean,
  ): Promise<boolean> {
    const address = document.uri.toString();
    if (arriving !== undefined) {
      if (isKept) void notifyInformation(t("The model is still writing. Undo ends it."));
      else this.#arriving.get(address)?.takeBack();
      return !isKept;
    }
    if (chat === undefined) return this.#decideLoose(document, mark, isKept);
    const undecided = this.#undecided(chat);
    const path = document.uri.fsPath;
    return tellRefusal(path, async () => {
      const isDone = isKept ? await undecided.keepHunk(path, mark) : await undecided.undoHunk(path, mark);
      if (!isDone) tellNoHunk();
      return isDone;
    });
  }

  /** Decides everything undecided in a file. */
  async decideFile(path: string, isKept: boolean): Promise<void> {
    const document = documentOf(path);
    const loose = document && this.#loose.get(document.uri.toString());
    if (document !== undefined && loose !== undefined) {
      const rows = decideAll(changedByPerson(loose, document.getText()), isKept);
      if (isKept || (await replaceOrTell(document, nowOf(rows)))) this.#loose.delete(document.uri.toString());
      this.#tellChanged();
    }
    for (const chat of this.#files.get(path) ?? []) {
      await tellRefusal(path, async () => {
        const undecided = this.#undecided(chat);
        if (isKept) await undecided.keep(path);
        else {
          const outcome = await undecided.undoFile(path);
          const [failed] = outcome?.failed ?? [];
          if (failed) tellLeft(failed.label);
          else if (outcome?.edited.some(({ why }) => why === "lost") === true) tellLost(path);
          else if ((outcome?.edited.length ?? 0) > 0) tellLeft(vscode.workspace.asRelativePath(path));
        }
        return true;
      });
    }
  }

  /** Puts a text into a document, unsaved, to be decided. False after a message that says why not. */
  async land(document: vscode.TextDocument, after: string): Promise<boolean> {
    const before = document.getText();
    const ledger = await this.#ledgerFor(document);
    if (ledger === undefined) {
      if (!(await replaceOrTell(document, after))) return false;
      const address = document.uri.toString();
      this.#loose.set(address, changedByModel(this.#looseRows(address, before), document.getText()));
      this.#tellChanged();
      return true;
    }
    const path = document.uri.fsPath;
    return tellRefusal(path, async () => {
      const read = await readContent(ledger.workspace, path);
      // The text of the editor is recorded where the bytes are another text here, because the editor reads the file in an encoding other than UTF-8,
      // and where they are no text at all, because an undo writes no such bytes into an editor.
      const isOther =
        read !== undefined && (!isText(read) || withPlainLineEnds(textOf(read)) !== withPlainLineEnds(before));
      const now = isOther ? ({ as: "text", text: before } as const) : read;
      const change = { path, ...(now && { before: now }), after: { as: "text", text: after } } as const;
      await ledger.make(newCause(), change, async () => {
        if (document.getText() !== before || !(await replaceOrTell(document, after)))
          throw new ToolRefusal("The document was changed meanwhile.");
        return { as: "text", text: document.getText() };
      });
      return true;
    });
  }

  /**
   * Begins a text that arrives in the document. `takeBack` ends it and removes it from the document. `undefined` after a message that says why not.
   */
  async begin(document: vscode.TextDocument, takeBack: () => void): Promise<ArrivingText | undefined> {
    const ledger = await this.#ledgerFor(document);
    let id: string | undefined;
    const isBegun = await tellRefusal(document.uri.fsPath, async () => {
      id = await ledger?.begin(newCause(), document.uri.fsPath);
      return true;
    });
    if (!isBegun) return undefined;
    const address = document.uri.toString();
    const text: ArrivingText = {
      show: (former) => {
        this.#arriving.set(address, { rows: changedByModel(decidedRows(former), document.getText()), takeBack, text });
        this.#tellChanged();
      },
      end: async (readFormer) => {
        if (ledger !== undefined && id !== undefined) await ledger.end(id, readFormer);
        else {
          const former = readFormer();
          if (document.getText() !== former)
            this.#loose.set(address, changedByModel(this.#looseRows(address, former), document.getText()));
        }
        this.#arriving.delete(address);
        this.#update();
      },
    };
    return text;
  }

  #looseRows(address: string, text: string): ReviewRows {
    const rows = this.#loose.get(address);
    return rows ? changedByPerson(rows, text) : decidedRows(text);
  }

  /** `undefined` for a document that is not a file of the trusted workspace, or whose path contains a link. */
  async #ledgerFor({ uri, isUntitled }: vscode.TextDocument): Promise<ChangeLedger | undefined> {
    const root = uri.scheme === "file" && !isUntitled ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
    if (root === undefined || !vscode.workspace.isTrusted) return undefined;
    const isPlain = await isWithoutLinks(root.uri.fsPath, uri.fsPath).catch(() => false);
    return isPlain ? this.#options.ledgers.of(this.#options.chat()) : undefined;
  }

  async #decideLoose(document: vscode.TextDocument, mark: HunkMark, isKept: boolean): Promise<boolean> {
    const address = document.uri.toString();
    const rows = this.#loose.get(address);
    const now = rows && changedByPerson(rows, document.getText());
    const at = now && indexOfMark(now, mark);
    if (now === undefined || at === undefined) {
      tellNoHunk();
      return false;
    }
    const decided = decideHunk(now, at, isKept);
    if (!isKept && !(await replaceOrTell(document, nowOf(decided)))) return false;
    if (hunksOf(decided).length > 0) this.#loose.set(address, decided);
    else this.#loose.delete(address);
    this.#tellChanged();
    return true;
  }

  async #readHunks(document: vscode.TextDocument): Promise<readonly DocumentHunk[]> {
    const text = document.getText();
    const address = document.uri.toString();
    const found: DocumentHunk[] = [];
    const add = (rows: ReviewRows | undefined, more: Pick<DocumentHunk, "chat" | "arriving">): void => {
      if (rows === undefined) return;
      const hunks = hunksOf(rows);
      for (const [at, mark] of marksOf(rows).entries()) {
        const hunk = hunks[at];
        if (hunk) found.push({ ...hunk, ...more, mark });
      }
    };
    const arriving = this.#arriving.get(address);
    if (arriving) add(changedByPerson(arriving.rows, text), { arriving: arriving.text });
    const loose = this.#loose.get(address);
    if (loose) add(changedByPerson(loose, text), {});
    if (document.uri.scheme === "file") {
      for (const chat of this.#files.get(document.uri.fsPath) ?? [])
        add(
          await this.#undecided(chat)
            .rowsOf(document.uri.fsPath, text)
            .catch(() => undefined),
          { chat },
        );
    }
    return found.sort((one, other) => one.start - other.start);
  }

  async #textOf(path: string): Promise<string | undefined> {
    const shown = documentOf(path)?.getText();
    if (shown !== undefined) return shown;
    const [chat] = this.#files.get(path) ?? [];
    if (chat === undefined) return undefined;
    const content = await readContent(this.#options.ledgers.of(chat).workspace, path).catch(() => undefined);
    return content && textOf(content);
  }

  #listedChats(): readonly string[] {
    return [...new Set([...this.#files.values()].flat())];
  }

  #undecided(chat: string): UndecidedFiles {
    const known = this.#chats.get(chat) ?? new UndecidedFiles(this.#options.ledgers.of(chat));
    this.#chats.set(chat, known);
    return known;
  }

  #update(): void {
    const files = new Map<string, string[]>();
    for (const [chat, ledger] of this.#options.ledgers.open) {
      for (const { path } of changedFiles(ledger.live.filter(({ isKept }) => !isKept)))
        files.set(path, [...(files.get(path) ?? []), chat]);
    }
    this.#files = files;
    // Whether a chat whose ledger is still being read, or can't be read now, has something to decide is not known: a later window reads it again.
    const unread = this.#options.stored.filter((chat) => this.#options.ledgers.open.get(chat)?.isLoaded !== true);
    const chats = [...new Set([...files.values()].flat().concat(unread))];
    if (chats.join() !== this.#noted) {
      this.#noted = chats.join();
      void this.#options.memory.update(undecidedChats, chats.length > 0 ? chats : undefined);
    }
    this.#tellChanged();
  }

  async #countFiles(): Promise<void> {
    this.#counting += 1;
    const own = this.#counting;
    const inMemory = [...this.#loose.keys(), ...this.#arriving.keys()].map((uri) => vscode.Uri.parse(uri).fsPath);
    const listed = this.#files.size === 0 ? [] : (await this.list()).map(({ path }) => path);
    const { size } = new Set([...listed, ...inMemory]);
    if (own === this.#counting && size !== this.#count.current) this.#count.set(size);
  }

  #tellChanged(): void {
    this.#revision += 1;
    this.#counts.add(["count"]);
    this.#changed.fire();
  }
}

const newCause = (): {
  readonly type: "call";
  readonly answer: string;
  readonly call: string;
  readonly allowed: string;
} => {
  const id = randomUUID();
  return { type: "call", answer: id, call: id, allowed: "call" };
};

function documentOf(path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => !isClosed && (uri.scheme === "file" || uri.scheme === "untitled") && uri.fsPath === path,
  );
}

/** The result of `work`, or false after a message for a `ToolRefusal`, whose own text is written for a model. */
async function tellRefusal(path: string, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    tellLeft(vscode.workspace.asRelativePath(path));
    return false;
  }
}

function tellLeft(label: string): void {
  void notifyWarning(t("Could not be changed, or was changed meanwhile, and left as it is: {0}.", label));
}

function tellLost(path: string): void {
  const label = vscode.workspace.asRelativePath(path);
  void notifyWarning(t("What was there before is no longer kept, so it can't be undone: {0}.", label));
}

export function tellNoHunk(): void {
  void notifyInformation(t("There is nothing to keep or undo at the cursor."));
}

/** False after a message if the editor refuses the edit. */
async function replaceOrTell(document: vscode.TextDocument, after: string): Promise<boolean> {
  if (await replaceText(document, after)) return true;
  void notifyWarning(t("The editor did not take the text. It may be read-only."));
  return false;
}

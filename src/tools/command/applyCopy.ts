/**
 * Applies the changes that a command made on its copy to the workspace. Plain changes are applied at once, so that they are undone like an edit; the
 * rest after one question that lists all of it (A13). Each file is changed through an open handle, in one step.
 */
import { chmodSync, type Dirent, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { lstat, readdir, readFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { windowEnded } from "../../base/async/abort";
import { TimeSlices } from "../../base/async/timeSlices";
import { decodeText } from "../../base/text/decodeText";
import { revealInName } from "../../base/text/revealHidden";
import { definedFields } from "../../base/definedFields";
import type { AskReason, ToolAction } from "../../domain/chat/chat";
import { isMissingPath } from "../../base/systemErrors";
import type { CommandCopy, CopyChange } from "../../domain/tools/sandbox";
import { type PartChange, type ProposedChange, ToolRefusal } from "../../domain/tools/tool";
import type { CopiedFile, FileChanges, NotedSaves, ReadableWorkspace } from "../../domain/tools/workspace";
import { type HeldFolder, HeldTree } from "../../node/heldFolder";
import { countLines } from "../../domain/chat/changedLines";
import { countChangedLines, createPreview } from "../edit/changePreview";
import { reasonsOfChange } from "../gate/changeReasons";
import { CopyGate, isRemovedFolder, type JudgedChange, ledgerCap, absolutePathOf } from "../gate/copyGate";
import { isRepository } from "../gate/gitRepository";
import { labelInWorkspace } from "../gate/pathNames";
import { secretNamesIn } from "../gate/sensitiveNames";

/** Files of a folder that was removed, each of which is kept for an undo. A larger one asks as a whole. */
const removedCap = 2000;
/** Changes that a question shows, and characters of all their texts; the names of more are in a list. */
const shownBounds = { changes: 200, text: 2_000_000 };
/** Bytes of a file whose text is shown in a question. */
const shownCap = 200_000;
/** The share of the bytes of an invalid text that may be written as numbers; above it the file counts as binary. */
const damagedShare = 0.3;
/** Files, and bytes, that are in memory at the same time. */
const groupBounds = { files: 1000, bytes: 64 * 1024 * 1024 };
/** Names in a report. */
const namedCap = 20;

/** The changes that were applied, and those that wait. */
export interface AppliedCopy {
  /** The report for the model: a line each, or empty. */
  readonly report: string;
  /** The changes that wait for the person, with the reasons; missing where there are none. */
  readonly question?: CopyQuestion;
}

export interface CopyQuestion {
  readonly parts: readonly CopyPart[];
  readonly reasons: readonly AskReason[];
  /** `apply` and `leave` resolve with the report for the model, once the copy is closed. */
  readonly apply: (files: FileChanges | undefined) => Promise<string>;
  readonly leave: () => Promise<string>;
}

type PartAction = Extract<ToolAction, { type: "change-files" }>["parts"][number];

interface CopyPart extends PartChange {
  readonly action: PartAction;
}

interface AskedChange {
  readonly change: CopyChange;
  readonly reasons: readonly AskReason[];
}

/**
 * `saves`: what the person has saved since the command began. Where their change of a file and the command's don't overlap, the file gets both.
 * Rejects with a `ToolRefusal` where the changes can't be read, and with an abort before anything is applied. Closes the copy unless there is a
 * question, or the window has ended.
 */
export async function applyCopy(
  workspace: ReadableWorkspace,
  copy: CommandCopy,
  files: FileChanges | undefined,
  signal: AbortSignal,
  saves?: NotedSaves,
): Promise<AppliedCopy> {
  const application = new Application(workspace, copy, saves);
  try {
    return await application.run(files, signal);
  } catch (error) {
    if (error !== windowEnded) await copy.close();
    throw error;
  }
}

/** Asks about the rest of a copy that was applied in part. Where nothing is left it closes the copy: `undefined`. Rejects like `applyCopy`. */
export async function finishCopy(
  workspace: ReadableWorkspace,
  copy: CommandCopy,
  signal: AbortSignal,
): Promise<CopyQuestion | undefined> {
  return new Application(workspace, copy, undefined).askAll(signal);
}

class Application {
  readonly #workspace: ReadableWorkspace;
  readonly #copy: CommandCopy;
  readonly #saves: NotedSaves | undefined;
  /** The roots as the editor names them, by their real paths. */
  readonly #roots = new Map<string, string>();
  readonly #failed: string[] = [];

  constructor(workspace: ReadableWorkspace, copy: CommandCopy, saves: NotedSaves | undefined) {
    this.#workspace = workspace;
    this.#copy = copy;
    this.#saves = saves;
  }

  async #judge(
    signal: AbortSignal,
  ): Promise<{ readonly read: readonly CopyChange[]; readonly judged: readonly JudgedChange[] }> {
    for (const { path } of this.#workspace.roots()) this.#roots.set(await this.#workspace.realPath(path), path);
    const read = await this.#copy.changes(signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new ToolRefusal(
        `Nothing that it did is in the workspace: ${error instanceof Error ? error.message : String(error)}.`,
      );
    });
    const gate = new CopyGate(this.#workspace, new TimeSlices(signal));
    return { read, judged: await this.#expand(await gate.judge(read), signal) };
  }

  async askAll(signal: AbortSignal): Promise<CopyQuestion | undefined> {
    const { judged } = await this.#judge(signal);
    const left = judged.flatMap(({ change, verdict }) => {
      if (verdict.type === "asks") return [{ change, reasons: verdict.reasons }];
      return verdict.type === "ledger" || verdict.type === "as-is" ? [{ change, reasons: [] }] : [];
    });
    if (left.length > 0) return this.#ask(left);
    await this.#copy.close();
    return undefined;
  }

  async run(files: FileChanges | undefined, signal: AbortSignal): Promise<AppliedCopy> {
    const copy = this.#copy;
    // It is kept before the changes are read and judged, which takes seconds on a slow disk. The mark goes with the copy where nothing is left of it.
    try {
      await copy.keep();
    } catch (error) {
      // The result of a refused call has the output of the command.
      throw new ToolRefusal(
        `Nothing that it did is in the workspace: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
    const { read, judged } = await this.#judge(signal);
    const asked: AskedChange[] = [];
    const plain: CopyChange[] = [];
    const merged: CopyChange[] = [];
    const slices = new TimeSlices(signal);
    for (const each of judged) {
      if (slices.isSpent) await slices.next();
      const both =
        each.verdict.type === "asks" ? await this.#merge(each.change, each.verdict.reasons, files) : undefined;
      if (both) merged.push(both);
      const { change, verdict }: JudgedChange = both ? { change: both, verdict: { type: "ledger" } } : each;
      if (verdict.type === "asks") asked.push({ change, reasons: verdict.reasons });
      else if (verdict.type === "ledger") {
        const reasons = await this.#textReasons(change);
        if (reasons.length > 0) asked.push({ change, reasons });
        else plain.push(change);
      }
    }
    const of = (type: string): readonly CopyChange[] =>
      judged.flatMap(({ change, verdict }) => (verdict.type === type ? [change] : []));
    const asIs = of("as-is");
    signal.throwIfAborted();
    const made = await this.#applyKept(plain, files);
    const output = (await this.#applyAsIs(asIs)).filter(({ is }) => is !== "folder").length;
    await this.#removeEmpty(read.filter(isRemovedFolder));
    const report = [
      this.#describe(made),
      this.#named(
        "Of these, with what the person changed in them meanwhile",
        made.filter((change) => merged.includes(change)),
      ),
      output === 0
        ? ""
        : `Written as it is, because git ignores it: ${output} ${output === 1 ? "file" : "files"} of build output.`,
      this.#named("Left, because a workspace can't hold it", of("impossible")),
      this.#named(
        "Left as it was in the workspace, because files that may hold a secret are empty for a command, so that it could not see what is in them",
        of("hidden"),
      ),
      this.#named("Left, because something else has changed it meanwhile", of("disputed")),
      copy.hasBuiltApart
        ? "What Cargo has built is in a target folder of the sandbox's own, where its later commands find it, and not in the workspace: to have it there, build with outside: true."
        : "",
      describeGit(of("git")),
      this.#describeFailed(),
    ];
    const question = asked.length === 0 ? undefined : await this.#ask(asked);
    if (question === undefined) await this.#close();
    return { report: report.filter((line) => line !== "").join("\n"), ...definedFields({ question }) };
  }

  /** Replaces a removed folder by its files, except packages, and except build output of which all may go. */
  async #expand(judged: readonly JudgedChange[], signal: AbortSignal): Promise<readonly JudgedChange[]> {
    const expanded: JudgedChange[] = [];
    const slices = new TimeSlices(signal);
    const gate = new CopyGate(this.#workspace, slices);
    for (const each of judged) {
      const inside = await this.#filesInside(each, slices);
      if (inside === undefined) expanded.push(each);
      else expanded.push(...(await gate.judge(inside)));
    }
    return expanded;
  }

  /** `undefined` for what is applied or asked about as one change. */
  async #filesInside(
    { change, verdict }: JudgedChange,
    slices: TimeSlices,
  ): Promise<readonly CopyChange[] | undefined> {
    if (!isRemovedFolder(change) || verdict.type === "git" || verdict.type === "dropped") return undefined;
    if (verdict.type === "asks" && verdict.reasons.includes("unlisted")) return undefined;
    const isOutput = verdict.type === "as-is";
    const isKept = (await this.#holdsMore(change, slices)) || (isOutput && (await this.#holdsDisputed(change, slices)));
    if (isOutput && !isKept) return undefined;
    return removedFiles(this.#copy, change, isKept ? Infinity : removedCap, slices);
  }

  /** Whether a file that was hidden from the command, or another repository, is in a folder of the workspace. */
  async #holdsMore({ root, inRoot }: CopyChange, slices: TimeSlices): Promise<boolean> {
    for await (const { folder, entries } of foldersBelow(root, inRoot, slices)) {
      const names = entries.map(({ name }) => name);
      if (isRepository(names) || names.some((name) => name.toLowerCase() === ".git")) return true;
      const isSecret = secretNamesIn(`${folder}/`);
      const isHidden = (entry: Dirent): boolean =>
        isSecret(entry.name, entry.isDirectory()) || this.#copy.hides(root, `${folder}/${entry.name}`);
      if (entries.some(isHidden)) return true;
    }
    return false;
  }

  /** Whether a file in a folder of the workspace was changed meanwhile. `lstatSync` is used, because a promise for each file takes ten times as long. */
  async #holdsDisputed({ root, inRoot }: CopyChange, slices: TimeSlices): Promise<boolean> {
    for await (const { folder, entries } of foldersBelow(root, inRoot, slices))
      for (const entry of entries) {
        if (entry.isDirectory()) continue;
        if (slices.isSpent) await slices.next();
        if (this.#copy.isDisputed(timeOfChange(join(root, folder, entry.name)))) return true;
      }
    return false;
  }

  /** Merges what the person has saved meanwhile into the file of the copy, where `changed-meanwhile` is the only reason to ask. */
  async #merge(
    change: CopyChange,
    reasons: readonly AskReason[],
    files: FileChanges | undefined,
  ): Promise<CopyChange | undefined> {
    const base = this.#saves?.before(this.#pathOf(change));
    if (base === undefined || files?.merge === undefined || !isForLedger(change) || change.is !== "file")
      return undefined;
    if (change.was !== "file" || reasons.some((reason) => reason !== "changed-meanwhile")) return undefined;
    const bytes = [base, (await this.#before(change)) ?? base, await readFile(change.source)].map((each) =>
      Buffer.from(each),
    );
    const [from = "", person = "", command = ""] = bytes.map((each) => each.toString());
    // A text that is not UTF-8 would be damaged.
    if (![from, person, command].every((text, at) => bytes[at]?.equals(Buffer.from(text)))) return undefined;
    const text = files.merge(from, person, command);
    if (text === undefined) return undefined;
    chmodSync(change.source, 0o600);
    writeFileSync(change.source, text);
    return { ...change, size: Buffer.byteLength(text) };
  }

  async #textReasons(change: CopyChange): Promise<readonly AskReason[]> {
    if (change.is !== "file") return [];
    const after = decodeText(readFileSync(change.source)).text;
    const reasonsOf = (before: string): readonly AskReason[] =>
      reasonsOfChange({ file: this.#pathOf(change), preview: { path: change.inRoot, hunks: [] }, before, after });
    // Most texts give no reason even for a new file, so what was there before need not be read.
    if (change.was !== "file" || reasonsOf("").length === 0) return reasonsOf("");
    const before = await this.#before(change);
    return reasonsOf(before === undefined ? "" : decodeText(before).text);
  }

  /** Reads the file of the workspace that the change replaces. */
  async #before(change: CopyChange): Promise<Uint8Array | undefined> {
    if (change.was !== "file") return undefined;
    const file = await this.#workspace.open(absolutePathOf(change));
    try {
      return await file.read((change.seen?.size ?? 0) + 1);
    } finally {
      await file.close();
    }
  }

  /** Applies changes through the ledger, and returns those that were made. */
  async #applyKept(changes: readonly CopyChange[], files: FileChanges | undefined): Promise<readonly CopyChange[]> {
    const made: CopyChange[] = [];
    for (const group of groupsOf(changes)) {
      made.push(
        ...(await this.#withTrees(async (trees) => {
          const planned = group.map((change): CopiedFile => ({
            path: this.#pathOf(change),
            before: () => this.#before(change),
            ...(change.is === "file" ? { after: readFileSync(change.source) } : {}),
            make: () => makeChange(trees, change),
          }));
          const outcomes = (await files?.apply?.(planned)) ?? (await makeAll(planned));
          return group.filter((change, index) => this.#noteOutcome(change, outcomes[index]));
        })),
      );
    }
    return made;
  }

  #noteOutcome(change: CopyChange, failure: string | undefined): boolean {
    if (failure !== undefined) this.#failed.push(`${this.#labelOf(change)} (${failure})`);
    return failure === undefined;
  }

  /** Applies changes without the ledger, and returns those that were made. */
  async #applyAsIs(changes: readonly CopyChange[]): Promise<readonly CopyChange[]> {
    return this.#withTrees(async (trees) => {
      const outcomes = await makeAll(changes.map((change) => ({ make: () => makeChange(trees, change) })));
      return changes.filter((change, index) => this.#noteOutcome(change, outcomes[index]));
    });
  }

  /** Removes empty folders from the innermost on. */
  async #removeEmpty(folders: readonly CopyChange[]): Promise<void> {
    await this.#withTrees((trees) => {
      for (const change of folders)
        try {
          trees.folderOf(change, false).removeEmpty(basename(change.inRoot));
        } catch {
          // A folder that is gone needs nothing, and one that can't be removed stays.
        }
      return Promise.resolve();
    });
  }

  async #withTrees<T>(work: (trees: Trees) => Promise<T>): Promise<T> {
    const trees = new Trees(this.#copy.folder);
    try {
      return await work(trees);
    } finally {
      trees.close();
    }
  }

  async #ask(asked: readonly AskedChange[]): Promise<CopyQuestion> {
    // Only the first changes show their texts, so files that something runs or obeys come first.
    const ordered = asked.toSorted((one, other) => Number(isExecuted(other)) - Number(isExecuted(one)));
    const parts: CopyPart[] = [];
    let left = shownBounds.text;
    for (const { change } of ordered.slice(0, shownBounds.changes)) {
      if (left <= 0) break;
      const part = await this.#partOf(change);
      parts.push(part);
      left -= (part.change?.before.length ?? 0) + (part.change?.after.length ?? 0);
    }
    const listed = ordered.slice(parts.length).map(({ change }) => change);
    if (listed.length > 0) parts.push(this.#listOf(listed));
    const reasons = new Set<AskReason>(["from-copy", ...asked.flatMap((each) => each.reasons)]);
    const changes = ordered.map(({ change }) => change);
    return {
      parts,
      reasons: [...reasons],
      apply: async (files) => {
        const kept = await this.#applyKept(changes.filter(isForLedger), files);
        const others = await this.#applyAsIs(changes.filter((change) => !isForLedger(change)));
        const report = [this.#describe([...kept, ...others]), this.#describeFailed()];
        await this.#close();
        return ["The person has looked at the rest and applied it.", ...report]
          .filter((line) => line !== "")
          .join("\n");
      },
      leave: async () => {
        await this.#copy.close();
        return this.#named("The person did not apply these changes of it, so they are not in the workspace", changes);
      },
    };
  }

  async #partOf(change: CopyChange): Promise<CopyPart> {
    const path = this.#labelOf(change);
    if (change.is === undefined) {
      const final = isForLedger(change) ? {} : { isFinal: true as const };
      return { action: { type: "delete-file", path, trash: false, ...final } };
    }
    if (change.is === "link")
      return { action: { type: "create-file", path: `${path} → ${inOneLine(change.target ?? "")}` } };
    if (change.is === "folder") return { action: { type: "create-file", path: `${path}/` } };
    const texts = await this.#textsOf(change);
    if (typeof texts === "string") {
      const unshown = texts;
      return {
        action:
          change.was === "file"
            ? { type: "edit-file", path, changedLines: 0, unshown }
            : { type: "create-file", path, unshown },
      };
    }
    const preview = createPreview(path, texts.before, texts.after);
    const proposed: ProposedChange = { file: this.#pathOf(change), ...texts, preview };
    const lines = countLines(preview.hunks);
    return {
      action:
        change.was === "file"
          ? { type: "edit-file", path, changedLines: countChangedLines(preview), lines }
          : { type: "create-file", path, lines },
      change: proposed,
    };
  }

  /** The changes as one document with a line for each. */
  #listOf(changes: readonly CopyChange[]): CopyPart {
    const lines = changes.map((change) => {
      const { is, was, target } = change;
      const sign = is === undefined ? "-" : was === undefined ? "+" : " ";
      return `${sign} ${this.#labelOf(change)}${is === "link" ? ` → ${inOneLine(target ?? "")}` : ""}\n`;
    });
    const preview = { path: "changes.diff", hunks: [] };
    return {
      action: { type: "more-files", count: changes.length },
      change: { file: changes[0]?.root ?? "", before: "", after: lines.join(""), preview },
    };
  }

  async #textsOf(change: CopyChange): Promise<{ readonly before: string; readonly after: string } | "binary" | "long"> {
    if (change.size > shownCap || (change.was === "file" && (change.seen?.size ?? 0) > shownCap)) return "long";
    const [before, after] = [await this.#before(change), await readFile(change.source)].map(
      (bytes) => bytes && shownText(bytes),
    );
    if (before === "binary" || after === "binary") return "binary";
    return { before: before?.text ?? "", after: after?.text ?? "" };
  }

  /** The path by which the editor names the file. */
  #pathOf({ root, inRoot }: CopyChange): string {
    return join(this.#roots.get(root) ?? root, inRoot);
  }

  #labelOf(change: CopyChange): string {
    return inOneLine(labelInWorkspace(this.#workspace, this.#pathOf(change)) ?? change.inRoot);
  }

  #named(what: string, changes: readonly CopyChange[]): string {
    if (changes.length === 0) return "";
    const names = changes.slice(0, namedCap).map((change) => this.#labelOf(change).slice(0, 200));
    const more = changes.length - names.length;
    return `${what}: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
  }

  #describe(made: readonly CopyChange[]): string {
    const lines = [
      this.#named(
        "Created",
        made.filter(({ was, is }) => was === undefined && is !== undefined),
      ),
      this.#named(
        "Changed",
        made.filter(({ was, is }) => was !== undefined && is !== undefined),
      ),
      this.#named(
        "Deleted",
        made.filter(({ is }) => is === undefined),
      ),
    ];
    return lines.filter((line) => line !== "").join("\n");
  }

  #describeFailed(): string {
    if (this.#failed.length === 0) return "";
    return `Not changed in the workspace: ${this.#failed.slice(0, namedCap).join(", ")}. What the command made of it is kept in ${this.#copy.folder}.`;
  }

  /** Leaves the copy on the disk where a change failed, so that the person finds what the command made. */
  async #close(): Promise<void> {
    if (this.#failed.length === 0) await this.#copy.close();
    else this.#copy.leave();
  }
}

/** Escapes tabs and line breaks, so that a name stays one line of a list or a question. */
function inOneLine(name: string): string {
  return revealInName(name).replace(/[\t\n\r]/gu, (character) => JSON.stringify(character).slice(1, -1));
}

/** The text of a file for a person. Of bytes that are no valid text each one beyond ASCII is written as a number, so that nothing is hidden. */
function shownText(bytes: Buffer | Uint8Array): { readonly text: string } | "binary" {
  const { text, isDamaged } = decodeText(bytes);
  if (!isDamaged && !text.includes("\0")) return { text };
  let escaped = 0;
  const shown = Buffer.from(bytes)
    .toString("latin1")
    .replace(/[^\t\n\r\x20-\x7e]/gu, (character) => {
      escaped += 1;
      return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
    });
  return escaped > bytes.length * damagedShare ? "binary" : { text: shown };
}

function isExecuted({ reasons }: AskedChange): boolean {
  return reasons.includes("executed");
}

/** The held tree of each root, opened with its first use. */
class Trees {
  /** The folder to which removed folders are moved; it is deleted with the copy. */
  readonly discarded: string;
  readonly #open = new Map<string, HeldTree>();

  constructor(discarded: string) {
    this.discarded = discarded;
  }

  of(root: string): HeldTree {
    const known = this.#open.get(root) ?? new HeldTree(root);
    this.#open.set(root, known);
    return known;
  }

  folderOf({ root, inRoot }: CopyChange, isMade: boolean): HeldFolder {
    const above = dirname(inRoot);
    return this.of(root).folder(above === "." ? "" : above, isMade);
  }

  close(): void {
    for (const tree of this.#open.values()) tree.close();
  }
}

async function makeChange(trees: Trees, change: CopyChange): Promise<void> {
  const { root, inRoot, is, was, source, mode, seen, target } = change;
  if (is === "folder") {
    trees.of(root).folder(inRoot, true);
    return;
  }
  const folder = trees.folderOf(change, is !== undefined);
  const name = basename(inRoot);
  if (isRemovedFolder(change)) folder.discardFolder(name, join(trees.discarded, randomUUID()));
  else if (is === "file" && (was === undefined || was === "file"))
    await folder.put(source, name, { seen, mode: modeOf(mode, seen?.mode) });
  else {
    if (seen !== undefined) await folder.remove(name, seen);
    if (is === "file") await folder.put(source, name, { seen: undefined, mode: modeOf(mode, undefined) });
    if (is === "link") folder.link(target ?? "", name);
  }
}

/** A file gains no permission except to be executed, which was asked about; the owner can read and write a new file. */
function modeOf(mode: number, before: number | undefined): number {
  return before === undefined ? (mode & 0o755) | 0o600 : (before & 0o7777 & (mode | 0o600)) | (mode & 0o111);
}

function isForLedger({ is, was, size, seen }: CopyChange): boolean {
  const isFile = [is, was].every((kind) => kind === undefined || kind === "file");
  return isFile && size <= ledgerCap && (was === undefined || (seen?.size ?? 0) <= ledgerCap);
}

async function makeAll(files: readonly Pick<CopiedFile, "make">[]): Promise<readonly (string | undefined)[]> {
  const outcomes: (string | undefined)[] = [];
  const slices = new TimeSlices();
  for (const file of files) {
    if (slices.isSpent) await slices.next();
    outcomes.push(await file.make().then(() => undefined, describeFailure));
  }
  return outcomes;
}

/** Words a failure without the path, which is absolute. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

function describeGit(changes: readonly CopyChange[]): string {
  return changes.some(({ inRoot }) => !isRefreshed(inRoot))
    ? "What it changed in .git was left: git add, commit, tag and branch work in a line of their own, other commands of git with outside: true."
    : "";
}

/** Whether git writes the file even in a command that only reads. */
function isRefreshed(inRoot: string): boolean {
  const inGit = inRoot.slice(inRoot.indexOf(".git/") + ".git/".length);
  return inGit === "index" || inGit.endsWith(".lock") || inGit === "objects" || inGit.startsWith("objects/");
}

/** Milliseconds; 0 for what is gone or can't be read. */
function timeOfChange(path: string): number {
  try {
    return lstatSync(path).ctimeMs;
  } catch {
    return 0;
  }
}

/** The folders of a tree of the workspace, itself included. Paths are relative to the root. */
async function* foldersBelow(
  root: string,
  inRoot: string,
  slices: TimeSlices,
): AsyncGenerator<{ readonly folder: string; readonly entries: readonly Dirent[] }> {
  const folders = [inRoot];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (slices.isSpent) await slices.next();
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (isMissingPath(error)) return [];
      throw error;
    });
    yield { folder, entries };
    for (const entry of entries) if (entry.isDirectory()) folders.push(`${folder}/${entry.name}`);
  }
}

/** `undefined` for more than `cap`. */
async function removedFiles(
  copy: CommandCopy,
  { root, inRoot }: CopyChange,
  cap: number,
  slices: TimeSlices,
): Promise<readonly CopyChange[] | undefined> {
  const found: CopyChange[] = [];
  for await (const { folder, entries } of foldersBelow(root, inRoot, slices))
    for (const entry of entries) {
      if (entry.isDirectory()) continue;
      const path = `${folder}/${entry.name}`;
      const seen = await lstat(join(root, path)).catch(() => undefined);
      if (seen === undefined) continue;
      const was = seen.isFile() ? "file" : seen.isSymbolicLink() ? "link" : "other";
      const marks = {
        ...(copy.hides(root, path) ? { isHidden: true as const } : {}),
        ...(copy.isDisputed(seen.ctimeMs) ? { isDisputed: true as const } : {}),
      };
      found.push({ root, inRoot: path, is: undefined, was, source: "", mode: 0, size: 0, seen, ...marks });
      if (found.length > cap) return undefined;
    }
  return found;
}

function groupsOf(changes: readonly CopyChange[]): readonly (readonly CopyChange[])[] {
  const groups: CopyChange[][] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = change.size + (change.seen?.size ?? 0);
    const last = groups.at(-1);
    if (last !== undefined && last.length < groupBounds.files && bytes + size <= groupBounds.bytes) last.push(change);
    else {
      groups.push([change]);
      bytes = 0;
    }
    bytes += size;
  }
  return groups;
}

/** Undoes changes of the ledger, and undoes such an undo: file by file, each only where it still reads as the change left it. */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { TimeSlices } from "../../base/async/timeSlices";
import type { ChangeLedger } from "./changeLedger";
import {
  bytesOf,
  type FileContent,
  realPathOf,
  textOf,
  isSameContent,
  isText,
  readContent,
  type ChangeCause,
  type ChangeRecord,
  type FileChange,
} from "./changeRecords";
import { mergeTexts } from "./mergeTexts";

export interface UndoOutcome {
  /** The name that the ledger gives to the undo. */
  readonly operation: string;
  /** Names of the files that were changed. */
  readonly undone: readonly string[];
  /** Files that were left alone. */
  readonly edited: readonly EditedFile[];
  /** Files that could not be changed, each with the reason. */
  readonly failed: readonly { readonly label: string; readonly reason: string }[];
}

/** Selects changes. A missing field matches every change. */
export interface ChangeFilter {
  readonly answers?: ReadonlySet<string>;
  readonly call?: string;
  readonly path?: string;
}

/** The changes in effect that match the filter, so that an undo can take them back. */
export function undoable(ledger: ChangeLedger, filter: ChangeFilter = {}): readonly FileChange[] {
  return ledger.live.filter((change) => fits(change, filter));
}

/** The undos in effect of these changes. */
export function redoable(ledger: ChangeLedger, filter: ChangeFilter = {}): readonly FileChange[] {
  const { changes, liveIds: live } = ledger;
  const undone = new Set(changes.filter((one) => !live.has(one.id) && fits(one, filter)).map(({ id }) => id));
  return changes.filter(
    ({ id, cause }) => cause.type === "undo" && live.has(id) && cause.reverts.some((one) => undone.has(one)),
  );
}

/** The changes of the last undo that is in effect. */
export function lastUndo(ledger: ChangeLedger): readonly FileChange[] {
  const undos = redoable(ledger);
  const last = undos.at(-1)?.cause;
  if (last?.type !== "undo") return [];
  return undos.filter(({ cause }) => cause.type === "undo" && cause.operation === last.operation);
}

/** The undos in effect of what the operation took back: taking these back restores it. */
export function undosOf(ledger: ChangeLedger, operation: string): readonly FileChange[] {
  const reverted = revertedBy(ledger, operation);
  const { changes, liveIds } = ledger;
  return changes.filter(
    ({ id, cause }) => cause.type === "undo" && liveIds.has(id) && cause.reverts.some((one) => reverted.has(one)),
  );
}

/** The changes in effect that the operation once took back: taking these back repeats the operation. */
export function redosOf(ledger: ChangeLedger, operation: string): readonly FileChange[] {
  const reverted = revertedBy(ledger, operation);
  return ledger.live.filter(({ id }) => reverted.has(id));
}

function revertedBy(ledger: ChangeLedger, operation: string): ReadonlySet<string> {
  const undos = ledger.changes.filter(({ cause }) => cause.type === "undo" && cause.operation === operation);
  return new Set(undos.flatMap(({ cause }) => (cause.type === "undo" ? cause.reverts : [])));
}

function fits({ cause, path, to }: FileChange, filter: ChangeFilter): boolean {
  if (cause.type === "undo") return false;
  if (filter.answers !== undefined && !filter.answers.has(cause.answer)) return false;
  if (filter.call !== undefined && (cause.type !== "call" || cause.call !== filter.call)) return false;
  return filter.path === undefined || path === filter.path || to === filter.path;
}

/** Never rejects. */
export async function undoChanges(ledger: ChangeLedger, changes: readonly FileChange[]): Promise<UndoOutcome> {
  const plan = await planUndo(ledger, changes);
  const operation = randomUUID();
  for (const change of plan.unmade) await ledger.drop(change.id).catch(() => undefined);
  const undone = new Set<string>();
  const failed: { label: string; reason: string }[] = [];
  const stuck = new Set<string>();
  const makers = makersOf(ledger.changes);
  for (const step of plan.steps) {
    const paths = step.type === "rename" ? [step.path, step.to] : [step.path];
    const label = step.reverts[0]?.label ?? step.path;
    if (paths.some((path) => stuck.has(path))) continue;
    try {
      const reverts = step.reverts.map(({ id }) => id);
      const made = step.reverts.flatMap((change) => madeFor(makers, change));
      noteMaker(makers, await takeBack(ledger, { type: "undo", operation, reverts }, step));
      await removeFolders(ledger.workspace, made);
      undone.add(label);
    } catch (error) {
      for (const path of paths) stuck.add(path);
      failed.push({ label, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { operation, undone: [...undone], edited: plan.edited, failed };
}

/**
 * Takes changes of one file back by writing `target`, which holds what the person has written. `undefined` deletes the file. Rejects with a
 * `ToolRefusal` where it can't be written.
 */
export async function undoAround(
  ledger: ChangeLedger,
  changes: readonly FileChange[],
  path: string,
  now: FileContent,
  target: FileContent | undefined,
  kept: readonly string[] = [],
): Promise<void> {
  const reverts = changes.map(({ id }) => id);
  const cause = { type: "undo", operation: randomUUID(), reverts, ...(kept.length > 0 ? { kept } : {}) } as const;
  await takeBack(ledger, cause, { type: "content", reverts: changes, path, now, target });
}

/** Previews an undo without doing it. */
export function previewUndo(ledger: ChangeLedger, changes: readonly FileChange[]): Promise<UndoPlan> {
  return planUndo(ledger, changes);
}

async function takeBack(ledger: ChangeLedger, cause: ChangeCause, step: UndoStep): Promise<ChangeRecord> {
  const { workspace } = ledger;
  const { path } = step;
  if (step.type === "rename") {
    await checkPlace(workspace, step.to);
    // The undo of a rename is recorded as a rename the other way.
    return ledger.make(cause, { path: step.to, to: path }, async () => {
      await workspace.rename(step.to, path);
      return undefined;
    });
  }
  await checkPlace(workspace, path);
  const { now, target } = step;
  const planned = { path, ...(now && { before: now }), ...(target && { after: target }) };
  // The newest deletion has the permissions that the file had last.
  const mode = step.reverts.find((change) => change.mode !== undefined)?.mode;
  return ledger.make(cause, planned, () => write(workspace, path, now, target, mode));
}

type Maker = Pick<FileChange, "path" | "to" | "before" | "madeFolder">;

/** Maps the path of each file to the last change that brought it there. */
function makersOf(changes: readonly FileChange[]): Map<string, Maker> {
  const makers = new Map<string, Maker>();
  for (const change of changes) noteMaker(makers, change);
  return makers;
}

function noteMaker(makers: Map<string, Maker>, change: Maker): void {
  const { path, to, before } = change;
  if (to !== undefined || before === undefined) makers.set(to ?? path, change);
}

/** The folders that were made with the file. After a redo these are only those that the redo made: a person may have made the others since. */
function madeFor(makers: ReadonlyMap<string, Maker>, { path, to }: FileChange): readonly MadeFolders[] {
  const file = to ?? path;
  const highest = makers.get(file)?.madeFolder;
  return highest === undefined ? [] : [{ file, highest }];
}

interface MadeFolders {
  readonly file: string;
  readonly highest: string;
}

/** Removes folders from the innermost one outwards, and stops at the first that is not empty. */
async function removeFolders(workspace: Workspace, made: readonly MadeFolders[]): Promise<void> {
  for (const { file, highest } of made) {
    try {
      for (let folder = dirname(file); folder.startsWith(highest); folder = dirname(folder)) {
        await workspace.removeFolder(folder);
      }
    } catch {
      // It is not empty, or gone already.
    }
  }
}

async function write(
  workspace: Workspace,
  path: string,
  now: FileContent | undefined,
  target: FileContent | undefined,
  mode: number | undefined,
): Promise<FileContent | undefined> {
  if (now === undefined) {
    if (target) await workspace.create(path, bytesOf(target), mode);
  } else if (target === undefined) {
    await workspace.remove(path, bytesOf(now));
  } else if (now.as === "file" && target.as === "file") {
    await workspace.replace(path, now.bytes, target.bytes);
  } else if (!isText(target)) {
    // Decoded as UTF-8 these bytes are a damaged text, which the next save of the editor would write into the file.
    throw new ToolRefusal(
      "The former content is no UTF-8 text, and an editor has unsaved changes. It was left as it is.",
    );
  } else {
    return { as: "text", text: await workspace.write(path, textOf(now), textOf(target)) };
  }
  return undefined;
}

/** Checks that the path is in a folder of this workspace and that no link has been put into it. Rejects with a `ToolRefusal`. */
async function checkPlace(workspace: Workspace, path: string): Promise<void> {
  const root = workspace.roots().find((one) => path.startsWith(one.path) && /^[\\/]/.test(path.slice(one.path.length)));
  if (root === undefined) throw new ToolRefusal("It is not in a folder of this workspace.");
  const realRoot = await workspace.realPath(root.path);
  const real = await realPathOf(workspace, path);
  if (real !== realRoot + path.slice(root.path.length)) throw new ToolRefusal("A link leads elsewhere now.");
}

/** One write that takes back `reverts`, the newest first. */
type UndoStep = { readonly reverts: readonly FileChange[]; readonly path: string } & (
  | { readonly type: "content"; readonly now: FileContent | undefined; readonly target: FileContent | undefined }
  | { readonly type: "rename"; readonly to: string }
);

/** A file that no longer reads as the change has left it: an undo leaves it alone. */
interface EditedFile {
  readonly path: string;
  readonly label: string;
  /** `lost`: the former content is no longer stored. */
  readonly why: "edited" | "deleted" | "created" | "lost" | "unreadable";
  /** The text now, and the text after an undo around the person's edits. Missing where the contents are no texts. */
  readonly proposal?: { readonly now: string; readonly merged: string; readonly overlaps: readonly number[] };
}

interface UndoPlan {
  readonly steps: readonly UndoStep[];
  readonly edited: readonly EditedFile[];
  /** Changes that were recorded and never made. */
  readonly unmade: readonly FileChange[];
}

/** A file in the undo as it is planned in memory. `from`: its path on the disk now. */
interface CopiedFile {
  readonly content: FileContent | undefined;
  readonly from: string;
}

/** Groups of files that are planned at the same time. The number is limited, because each group has files open meanwhile. */
const atOnce = 32;

type Blocked = Pick<EditedFile, "why"> & { readonly label: string };

async function planUndo(ledger: ChangeLedger, changes: readonly FileChange[]): Promise<UndoPlan> {
  // With 10,000 files each of these steps takes long, so each begins in a time slice of its own.
  const slices = new TimeSlices();
  await slices.next();
  const covered = await coveredBy(ledger, changes, slices);
  await slices.next();
  const groups = groupByFiles(changes);
  const plans: UndoPlan[] = [];
  for (let first = 0; first < groups.length; first += atOnce) {
    const some = groups.slice(first, first + atOnce);
    plans.push(...(await Promise.all(some.map((group) => new GroupPlan(ledger, covered).play(group)))));
  }
  return {
    steps: plans.flatMap(({ steps }) => steps),
    edited: plans.flatMap(({ edited }) => edited),
    unmade: plans.flatMap(({ unmade }) => unmade),
  };
}

/**
 * The ids of those changes whose files another change in effect has touched since. They are not taken back alone, even if the file happens to read
 * the same again, because the later change was made on top of them.
 */
async function coveredBy(
  ledger: ChangeLedger,
  changes: readonly FileChange[],
  slices: TimeSlices,
): Promise<ReadonlySet<string>> {
  const own = new Set(changes.map(({ id }) => id));
  const { changes: all, liveIds: live } = ledger;
  const undone = new Set(all.filter(({ id, cause }) => cause.type !== "undo" && !live.has(id)).map(({ id }) => id));
  // A redo does not count on its own, because the change that it restores is in effect again.
  const isInEffect = ({ id, cause }: FileChange): boolean =>
    live.has(id) && (cause.type !== "undo" || cause.reverts.some((one) => undone.has(one)));
  // A redo brings these into effect.
  const redone = new Set(changes.flatMap(({ cause }) => (cause.type === "undo" ? cause.reverts : [])));
  const covered = new Set<string>();
  // The loop goes from the newest change to the oldest: `later` has the paths of later changes, `laterMade` of those that are no undos.
  const later = new Set<string>();
  const laterMade = new Set<string>();
  for (const one of all.toReversed()) {
    if (slices.isSpent) await slices.next();
    const paths = pathsOf(one);
    const isUndo = one.cause.type === "undo";
    if (own.has(one.id)) {
      // A later undo of another change does not prevent the undo of a change, but prevents a redo.
      const covering = isUndo ? later : laterMade;
      if (paths.some((path) => covering.has(path))) covered.add(one.id);
    } else if (isInEffect(one) || redone.has(one.id)) {
      for (const path of paths) {
        later.add(path);
        if (!isUndo) laterMade.add(path);
      }
    }
  }
  return covered;
}

function pathsOf({ path, to }: FileChange): readonly string[] {
  return to === undefined ? [path] : [path, to];
}

/** Changes of the same file, and of files that renames connect, are taken back together or not at all. The newest first. */
function groupByFiles(changes: readonly FileChange[]): readonly (readonly FileChange[])[] {
  const parents = new Map<string, string>();
  /** The path that represents all paths which renames connect with this one (union-find). */
  const rootOf = (path: string): string => {
    let root = path;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    if (root !== path) parents.set(path, root);
    return root;
  };
  for (const { path, to } of changes) {
    if (to === undefined) continue;
    const [one, other] = [rootOf(path), rootOf(to)];
    if (one !== other) parents.set(one, other);
  }
  const groups = [...Map.groupBy(changes, ({ path }) => rootOf(path)).values()];
  // The group whose first change is the oldest comes last: it made the folders that the files of the others are in.
  return groups.reverse().map((group) => group.reverse());
}

class GroupPlan {
  readonly #ledger: ChangeLedger;
  readonly #covered: ReadonlySet<string>;
  readonly #files = new Map<string, CopiedFile>();
  readonly #merged = new Map<string, { readonly label: string; readonly overlaps: number[] }>();
  readonly #steps: UndoStep[] = [];
  readonly #unmade: FileChange[] = [];
  readonly #blocked = new Map<string, Blocked>();

  constructor(ledger: ChangeLedger, covered: ReadonlySet<string>) {
    this.#ledger = ledger;
    this.#covered = covered;
  }

  async play(changes: readonly FileChange[]): Promise<UndoPlan> {
    for (const change of changes) {
      try {
        if (change.to === undefined) await this.#playContent(change);
        else await this.#playRename(change, change.to);
      } catch {
        this.#blocked.set(change.path, { why: "unreadable", label: change.label });
      }
    }
    if (this.#blocked.size === 0 && this.#merged.size === 0) {
      return { steps: this.#steps, edited: [], unmade: this.#unmade };
    }
    return { steps: [], edited: await this.#edited(), unmade: this.#unmade };
  }

  async #playRename(change: FileChange, to: string): Promise<void> {
    const moved = await this.#file(to);
    const place = await this.#file(change.path);
    if (change.isOpen && place.content !== undefined) {
      this.#unmade.push(change);
      return;
    }
    if (this.#covered.has(change.id)) this.#block(to, "edited", change);
    else if (moved.content === undefined) this.#block(to, "deleted", change);
    else if (place.content !== undefined) this.#block(change.path, "created", change);
    else {
      this.#files.set(change.path, moved);
      this.#files.set(to, { ...place, from: to });
      this.#steps.push({ type: "rename", path: change.path, to, reverts: [change] });
    }
  }

  async #playContent(change: FileChange): Promise<void> {
    const { path } = change;
    const { content: now, from } = await this.#file(path);
    const [before, after] = await Promise.all([
      this.#ledger.contentOf(change.before),
      this.#ledger.contentOf(change.after),
    ]);
    const isAfter = after !== "lost" && isSameContent(now, after);
    if (change.isOpen && !isAfter && before !== "lost" && isSameContent(now, before)) {
      this.#unmade.push(change);
      return;
    }
    if (before === "lost" || (after === "lost" && !isAfter)) this.#block(path, "lost", change);
    else if (isAfter && !this.#covered.has(change.id) && !this.#merged.has(from) && !isUnsavedCopy(now, before)) {
      this.#addStep(change, now, before);
      this.#files.set(path, { content: before, from });
    } else this.#merge(change, now, before, after);
  }

  /** Adds a write. Writes of one file that follow each other become one step. */
  #addStep(change: FileChange, now: FileContent | undefined, target: FileContent | undefined): void {
    const { path } = change;
    const last = this.#steps.at(-1);
    if (last?.type === "content" && last.path === path) {
      this.#steps[this.#steps.length - 1] = { ...last, target, reverts: [...last.reverts, change] };
    } else this.#steps.push({ type: "content", path, now, target, reverts: [change] });
  }

  /** Takes the change back around the edits of the person, as a proposal for them to look at. */
  #merge(
    change: FileChange,
    now: FileContent | undefined,
    before: FileContent | undefined,
    after: FileContent | undefined,
  ): void {
    const { path } = change;
    const { from } = this.#files.get(path) ?? { from: path };
    if (now === undefined) this.#block(path, "deleted", change);
    else if (after === undefined) this.#block(path, "created", change);
    else if (!isText(now) || !isText(after) || (before !== undefined && !isText(before)))
      this.#block(path, "edited", change);
    else {
      const merged = mergeTexts(textOf(after), textOf(now), before === undefined ? "" : textOf(before));
      if (merged === undefined) {
        this.#block(path, "edited", change);
        return;
      }
      const known = this.#merged.get(from) ?? { label: change.label, overlaps: [] };
      known.overlaps.push(...merged.overlaps);
      this.#merged.set(from, known);
      this.#files.set(path, { content: { as: "text", text: merged.text }, from });
    }
  }

  #block(path: string, why: EditedFile["why"], { label }: FileChange): void {
    if (!this.#blocked.has(path)) this.#blocked.set(path, { why, label });
  }

  async #edited(): Promise<readonly EditedFile[]> {
    const edited: EditedFile[] = [...this.#blocked].map(([path, { why, label }]) => ({ path, label, why }));
    for (const [from, { label, overlaps }] of this.#merged) {
      if (this.#blocked.has(from)) continue;
      const now = await readContent(this.#ledger.workspace, from);
      const merged = [...this.#files.values()].find(
        (file) => file.from === from && file.content !== undefined,
      )?.content;
      if (now === undefined || merged === undefined) continue;
      const proposal = { now: textOf(now), merged: textOf(merged), overlaps };
      edited.push({ path: from, label, why: "edited", proposal });
    }
    return edited;
  }

  async #file(path: string): Promise<CopiedFile> {
    const known = this.#files.get(path);
    if (known) return known;
    const file = { content: await readContent(this.#ledger.workspace, path), from: path };
    this.#files.set(path, file);
    return file;
  }
}

/** Whether the undo would delete a file that an editor has with unsaved changes, which would be lost. */
function isUnsavedCopy(now: FileContent | undefined, target: FileContent | undefined): boolean {
  return now?.as === "text" && target === undefined;
}

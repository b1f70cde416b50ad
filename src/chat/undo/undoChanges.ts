/** Takes changes of the ledger back, and takes that back: a file at a time, each only when it still reads as it was left. */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import type { ChangeLedger } from "./changeLedger";
import { bytesOf, type FileContent, realPathOf, textOf } from "./fileContent";
import { type ChangeCause, type ChangeRecord, type FileChange } from "./changeRecords";
import { type EditedFile, planUndo, type UndoPlan, type UndoStep } from "./undoPlan";

export interface UndoOutcome {
  /** By which the ledger names the undo. */
  readonly operation: string;
  /** Names of the files that were changed. */
  readonly undone: readonly string[];
  /** Left alone. */
  readonly edited: readonly EditedFile[];
  /** The system did not let them be changed; with the reason. */
  readonly failed: readonly { readonly label: string; readonly reason: string }[];
}

/** Which changes: all that are left out are not asked for. */
export interface ChangeFilter {
  readonly answers?: ReadonlySet<string>;
  readonly call?: string;
  readonly path?: string;
}

/** What an undo of these would take back: changes in effect. */
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

/** What takes back the undo of that operation. */
export function undosOf(ledger: ChangeLedger, operation: string): readonly FileChange[] {
  const reverted = revertedBy(ledger, operation);
  const { changes, liveIds } = ledger;
  return changes.filter(
    ({ id, cause }) => cause.type === "undo" && liveIds.has(id) && cause.reverts.some((one) => reverted.has(one)),
  );
}

/** What makes it again, once it was taken back. */
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

/** Without doing it. */
export function previewUndo(ledger: ChangeLedger, changes: readonly FileChange[]): Promise<UndoPlan> {
  return planUndo(ledger, changes);
}

async function takeBack(ledger: ChangeLedger, cause: ChangeCause, step: UndoStep): Promise<ChangeRecord> {
  const { workspace } = ledger;
  const { path } = step;
  if (step.type === "rename") {
    await checkPlace(workspace, step.to);
    // Recorded as what it is: a rename the other way.
    return ledger.make(cause, { path: step.to, to: path }, async () => {
      await workspace.rename(step.to, path);
      return undefined;
    });
  }
  await checkPlace(workspace, path);
  const { now, target } = step;
  const planned = { path, ...(now && { before: now }), ...(target && { after: target }) };
  return ledger.make(cause, planned, () => write(workspace, path, now, target));
}

type Maker = Pick<FileChange, "path" | "to" | "before" | "madeFolder">;

/** For each file the last change that brought it to its path. */
function makersOf(changes: readonly FileChange[]): Map<string, Maker> {
  const makers = new Map<string, Maker>();
  for (const change of changes) noteMaker(makers, change);
  return makers;
}

function noteMaker(makers: Map<string, Maker>, change: Maker): void {
  const { path, to, before } = change;
  if (to !== undefined || before === undefined) makers.set(to ?? path, change);
}

/** The folders of a change. Where an undo was taken back, those of that: since then a person may have made others of the name. */
function madeFor(makers: ReadonlyMap<string, Maker>, { path, to }: FileChange): readonly MadeFolders[] {
  const file = to ?? path;
  const highest = makers.get(file)?.madeFolder;
  return highest === undefined ? [] : [{ file, highest }];
}

interface MadeFolders {
  readonly file: string;
  readonly highest: string;
}

/** From the innermost on; one with something in it stays. */
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
): Promise<FileContent | undefined> {
  if (now === undefined) {
    if (target) await workspace.create(path, bytesOf(target));
  } else if (target === undefined) {
    await workspace.remove(path, bytesOf(now));
  } else if (now.as === "file" && target.as === "file") {
    await workspace.replace(path, now.bytes, target.bytes);
  } else {
    return { as: "text", text: await workspace.write(path, textOf(now), textOf(target)) };
  }
  return undefined;
}

/** The path is in a folder of this workspace and no link has been put into it. */
async function checkPlace(workspace: Workspace, path: string): Promise<void> {
  const root = workspace.roots().find((one) => path.startsWith(one.path) && /^[\\/]/.test(path.slice(one.path.length)));
  if (root === undefined) throw new ToolRefusal("It is not in a folder of this workspace.");
  const realRoot = await workspace.realPath(root.path);
  const real = await realPathOf(workspace, path);
  if (real !== realRoot + path.slice(root.path.length)) throw new ToolRefusal("A link leads elsewhere now.");
}

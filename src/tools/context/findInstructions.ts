/**
 * The project's files of instructions for agents, at the top of each root and above a file that a tool has read. Only a regular file
 * of the workspace is one, by the same gate as for tools, and only when git's index names it or the person has allowed it.
 */
import { isAbort } from "../../base/async/abort";
import { TimeSlices } from "../../base/async/timeSlices";
import { definedFields } from "../../base/definedFields";
import { firstBytes } from "../../base/text/cutText";
import type { Instructions } from "../../domain/chat/environmentSchema";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { gateFile, type GatedFile, readText } from "../gate/fileGate";
import { pathForModel } from "../gate/pathNames";
import { findTracked } from "../gate/trackedFiles";

/** Bytes. */
const instructionBounds = { each: 32 * 1024, all: 64 * 1024, read: 1024 * 1024 };

/** Names at the top of a root. The first of each group that git or the person vouches for is used. */
const groups = [["AGENTS.md", "CLAUDE.md", "GEMINI.md"], [".github/copilot-instructions.md"]] as const;
const nestedName = "AGENTS.md";

export interface InstructionRules {
  readonly workspace: ReadableWorkspace;
  /** The person's own instructions, from their setting. */
  readonly own: () => string;
  /** Whether the person has let the file of that real path guide the model. */
  readonly isAllowed: (real: string) => boolean;
}

export interface FoundFiles {
  readonly instructions: readonly Instructions[];
  /** Paths of those that are not used, because neither git nor the person vouches for them. */
  readonly offered: readonly string[];
}

/** Finds the person's own instructions, then those of each root. Rejects with an `AbortError` only. */
export async function findInstructions(rules: InstructionRules, signal: AbortSignal): Promise<FoundFiles> {
  const { workspace, own } = rules;
  const roots = workspace.roots();
  const candidates: (readonly GatedFile[])[] = [];
  for (const root of roots) {
    for (const names of groups) {
      const files = await Promise.all(names.map((name) => gated(workspace, pathForModel(roots, root, name), signal)));
      candidates.push(files.filter((file) => file !== undefined));
    }
  }
  const reader = new BoundedReader(new Map());
  const personal = own().trim() === "" ? undefined : reader.cut("", own().trim());
  const found = await readVouched(rules, candidates, reader, signal);
  return { ...found, instructions: [...(personal ? [personal] : []), ...found.instructions] };
}

/** Finds the nested files from the root to the file. `known`: bytes of those that the chat has, by path. Rejects with an `AbortError` only. */
export async function findInstructionsAbove(
  rules: InstructionRules,
  path: string,
  known: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const { workspace } = rules;
  const file = await gated(workspace, path, signal);
  if (!file) return { instructions: [], offered: [] };
  const roots = workspace.roots();
  const names = file.label.split("/").slice(0, -1);
  const files: (readonly GatedFile[])[] = [];
  // The name of the root is the first of a label where there are several.
  const top = roots.length > 1 ? 1 : 0;
  for (let count = top + 1; count <= names.length; count += 1) {
    const label = [...names.slice(0, count), nestedName].join("/");
    const found = known.has(label) || label === file.label ? undefined : await gated(workspace, label, signal);
    if (found && !known.has(found.label)) files.push([found]);
  }
  return files.length === 0
    ? { instructions: [], offered: [] }
    : readVouched(rules, files, new BoundedReader(known), signal);
}

/** Reads a file that the person allows, whether git tracks it or not. `undefined` where it can't be read. */
export async function readAllowed(
  { workspace }: Pick<InstructionRules, "workspace">,
  path: string,
  known: ReadonlyMap<string, number>,
): Promise<{ readonly real: string; readonly instructions: Instructions } | undefined> {
  const { signal } = new AbortController();
  const file = await gated(workspace, path, signal);
  if (!file || !isInstructions(file.label)) return undefined;
  const instructions = await new BoundedReader(known).read(workspace, file);
  return instructions && { real: file.real, instructions };
}

function isInstructions(label: string): boolean {
  return [...groups.flat(), nestedName].some((name) => label === name || label.endsWith(`/${name}`));
}

/** `undefined` where there is no file, or none for a model: it leads out of the workspace, is no regular file, or may hold a secret. */
async function gated(workspace: ReadableWorkspace, path: string, signal: AbortSignal): Promise<GatedFile | undefined> {
  try {
    const file = await gateFile(workspace, path, signal);
    return file.cautions.includes("secret") ? undefined : file;
  } catch (error) {
    if (signal.aborted || isAbort(error) || !(error instanceof ToolRefusal)) throw error;
    return undefined;
  }
}

/** Reads the first file of each group that git or the person vouches for; the files before it, which would take its place, are offered. */
async function readVouched(
  { workspace, isAllowed }: InstructionRules,
  candidates: readonly (readonly GatedFile[])[],
  reader: BoundedReader,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const all = candidates.flat().map(({ real }) => real);
  const tracked = await findTracked(workspace, all, new TimeSlices(signal));
  // With any other caution git would not have the file, or the file has another name outside.
  const isVouched = ({ real, cautions }: GatedFile): boolean =>
    isAllowed(real) || (tracked.has(real) && cautions.every((caution) => caution === "executed"));
  const instructions = new Map<string, Instructions>();
  const offered = new Set<string>();
  for (const files of candidates) {
    const used = files.findIndex(isVouched);
    const file = files[used];
    for (const { label } of files.slice(0, file ? used : 1)) offered.add(label);
    const read = file && !instructions.has(file.label) ? await reader.read(workspace, file) : undefined;
    if (read) instructions.set(read.path, read);
  }
  return { instructions: [...instructions.values()], offered: [...offered] };
}

/** Cuts each file to its bound, and all of them to what is left of the common bound. */
class BoundedReader {
  #left: number;

  constructor(known: ReadonlyMap<string, number>) {
    this.#left = instructionBounds.all - [...known.values()].reduce((sum, length) => sum + length, 0);
  }

  /** `undefined` for what is empty, is no text or has become another file. */
  async read(workspace: ReadableWorkspace, file: GatedFile): Promise<Instructions | undefined> {
    try {
      const { text } = await readText(workspace, file, instructionBounds.read);
      return text.trim() === "" ? undefined : this.cut(file.label, text.trimEnd());
    } catch (error) {
      if (error instanceof ToolRefusal) return undefined;
      throw error;
    }
  }

  /** `undefined` when nothing of the bound is left. */
  cut(path: string, whole: string): Instructions | undefined {
    const size = Buffer.byteLength(whole);
    const most = Math.min(instructionBounds.each, this.#left);
    if (most <= 0) return undefined;
    const text = firstBytes(whole, most);
    this.#left -= Buffer.byteLength(text);
    return { path, text, ...definedFields({ cutFrom: size > most ? size : undefined }) };
  }
}

/**
 * Prompt files, commands and skills of the workspace, through the gate that the tools use: regular files inside a root, none that may hold a secret,
 * none in an untrusted workspace, which has no roots. Their number and what is read of each are bounded.
 */
import { basename } from "node:path";
import { isAbort } from "../../base/async/abort";
import { TimeSlices } from "../../base/async/timeSlices";
import { decodeText } from "../../base/text/decodeText";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace, WorkspaceRoot } from "../../domain/tools/workspace";
import { openRegularFile } from "../gate/fileAccess";
import { unusualPathReason, pathForModel, rootNames } from "../gate/pathNames";
import { gateFile, type GatedFile, gateFolder } from "../gate/fileGate";
import { findTracked } from "../gate/trackedFiles";
import type { Skill } from "../../domain/chat/environmentSchema";
import { type PromptHeader, readPromptFile } from "./promptHeader";

export interface FoundPrompt {
  readonly kind: "prompt" | "skill";
  /** The name of its file or folder. Several prompts may have the same name. */
  readonly name: string;
  /** The prefix of the name where several have it: the program whose folder it lies in. */
  readonly source: string;
  readonly root: string;
  /** The path by which tools name the file. */
  readonly path: string;
  readonly header: PromptHeader;
  /** Whether git's index has the file. */
  readonly isTracked: boolean;
}

export interface FoundPrompts {
  readonly prompts: readonly FoundPrompt[];
  /** The number of files that are left out because there are too many. */
  readonly more: number;
}

/** Bounds for one root: files that are read, names that are looked at, depth of folders. `head`: bytes that are read of a file. */
const promptFileBounds = { files: 200, names: 20_000, depth: 4, head: 16 * 1024 };

interface PromptPlace {
  readonly kind: FoundPrompt["kind"];
  readonly folder: string;
  readonly source: string;
  /** The end of the file name; for a skill, the whole name of the file in its folder. */
  readonly ending: string;
  /** Whether inner folders are searched; they become a part of the name. */
  readonly isDeep?: true;
}

const places: readonly PromptPlace[] = [
  { kind: "prompt", folder: ".github/prompts", source: "github", ending: ".prompt.md" },
  { kind: "prompt", folder: ".claude/commands", source: "claude", ending: ".md", isDeep: true },
  { kind: "skill", folder: ".agents/skills", source: "agents", ending: "SKILL.md" },
  { kind: "skill", folder: ".claude/skills", source: "claude", ending: "SKILL.md" },
];

/** Rejects with an `AbortError` only, or with the error of a disk that fails. */
export async function findPromptFiles(
  workspace: ReadableWorkspace,
  signal: AbortSignal,
  kinds: readonly FoundPrompt["kind"][] = ["prompt", "skill"],
): Promise<FoundPrompts> {
  const roots = workspace.roots();
  const names = rootNames(roots);
  const slices = new TimeSlices(signal);
  const found = new Map<string, { readonly prompt: Omit<FoundPrompt, "isTracked">; readonly file: GatedFile }>();
  let more = 0;
  for (const [at, root] of roots.entries()) {
    const named: NamedFile[] = [];
    for (const place of places)
      if (kinds.includes(place.kind)) named.push(...(await namesIn(workspace, root, place, signal)));
    more += Math.max(0, named.length - promptFileBounds.files);
    for (const { place, path, name } of named.slice(0, promptFileBounds.files)) {
      if (slices.isSpent) await slices.next();
      const file = await gated(workspace, path, signal);
      if (file === undefined || found.has(file.real)) continue;
      const text = await readHead(workspace, file);
      if (text === undefined) continue;
      const { header, body } = readPromptFile(text);
      if (body === "") continue;
      const { kind, source } = place;
      const prompt = { kind, name, source, root: names[at] ?? root.name, path: file.label, header };
      found.set(file.real, { prompt, file });
    }
  }
  const tracked = await findTracked(workspace, [...found.keys()], slices);
  const prompts = [...found.values()].map(({ prompt, file: { real, cautions } }) => ({
    ...prompt,
    // With any other caution the file is ignored by git, or has another name outside of the root.
    isTracked: tracked.has(real) && cautions.every((caution) => caution === "executed"),
  }));
  return { prompts, more };
}

interface NamedFile {
  readonly place: PromptPlace;
  readonly path: string;
  readonly name: string;
}

/** The files of a place, sorted so that the same ones are found each time where there are too many. Names that can't be typed after `/` are left out. */
async function namesIn(
  workspace: ReadableWorkspace,
  root: WorkspaceRoot,
  place: PromptPlace,
  signal: AbortSignal,
): Promise<readonly NamedFile[]> {
  const roots = workspace.roots();
  const files: NamedFile[] = [];
  const seen = new Set<string>();
  let left = promptFileBounds.names;
  const visit = async (inRoot: string, above: readonly string[]): Promise<void> => {
    const folder = await gatedFolder(workspace, pathForModel(roots, root, inRoot), signal);
    if (folder === undefined || seen.has(folder) || left <= 0) return;
    seen.add(folder);
    const { entries } = await workspace.list(folder, left);
    left -= entries.length;
    const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    for (const { name: entry, kind } of sorted) {
      // A colon in a name would be read as the folder of another one, such as the person's own.
      if (unusualPathReason(entry) !== undefined) continue;
      const path = `${inRoot}/${entry}`;
      const isFile = entry.toLowerCase().endsWith(place.ending.toLowerCase());
      if (place.kind === "skill") {
        const name = kind === "file" ? undefined : typedName([entry]);
        if (name !== undefined) files.push({ place, path: pathForModel(roots, root, `${path}/${place.ending}`), name });
      } else if (isFile && kind !== "folder") {
        const name = typedName([...above, entry.slice(0, -place.ending.length)]);
        if (name !== undefined) files.push({ place, path: pathForModel(roots, root, path), name });
      } else if (place.isDeep && kind !== "file" && above.length + 1 < promptFileBounds.depth)
        await visit(path, [...above, entry]);
    }
  };
  await visit(place.folder, []);
  return files;
}

/** The name as it is typed; `undefined` where it holds a character that cannot be typed or seen. */
export function typedName(parts: readonly string[]): string | undefined {
  const name = parts.map((part) => part.normalize("NFC").trim().replaceAll(/ +/g, "-")).join(":");
  return isTypedName(name) ? name : undefined;
}

function isTypedName(name: string): boolean {
  return name.length <= 80 && /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.:-]*$/u.test(name) && !/\p{M}{3}/u.test(name);
}

/** Passes a found path through the gate; `undefined` where a model may not read the file, or it is gone. */
export async function gated(
  workspace: ReadableWorkspace,
  path: string,
  signal: AbortSignal,
): Promise<GatedFile | undefined> {
  return orRefused(signal, async () => {
    const file = await gateFile(workspace, path, signal);
    return file.cautions.includes("secret") ? undefined : file;
  });
}

async function gatedFolder(
  workspace: ReadableWorkspace,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return orRefused(signal, async () => (await gateFolder(workspace, path, signal)).real);
}

async function readHead(workspace: ReadableWorkspace, file: GatedFile): Promise<string | undefined> {
  const shown = workspace.shownText(file.path);
  if (shown !== undefined) return shown.slice(0, promptFileBounds.head);
  return orRefused(new AbortController().signal, async () => {
    const opened = await openRegularFile(workspace, file.real, basename(file.label));
    try {
      const { text } = decodeText(await opened.read(promptFileBounds.head));
      return text.includes("\0") ? undefined : text;
    } finally {
      await opened.close();
    }
  });
}

/** Runs the work; `undefined` where the gate refuses the file, or where it is gone meanwhile. */
async function orRefused<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || isAbort(error) || !(error instanceof ToolRefusal)) throw error;
    return undefined;
  }
}

/** Each request holds the lines of the skills. `all`: characters of all lines; `short`: characters of a shortened description. */
const skillBounds = { skills: 40, all: 8000, short: 300 };

/** Finds the skills that git tracks. Rejects with an `AbortError`, or with the error of the file system. */
export async function findSkills(workspace: ReadableWorkspace, signal: AbortSignal): Promise<readonly Skill[]> {
  const { prompts } = await findPromptFiles(workspace, signal, ["skill"]);
  const skills: Skill[] = [];
  let left = skillBounds.all;
  for (const { name, path, header, isTracked } of prompts) {
    if (!isTracked || header.description === undefined) continue;
    // With many of them the later ones are shorter, so that no skill is left out for the length of others.
    const description = left < skillBounds.all / 2 ? cut(header.description) : header.description;
    left -= name.length + path.length + description.length;
    if (skills.length === skillBounds.skills || left < 0) break;
    skills.push({ name, path, description });
  }
  return skills;
}

function cut(text: string): string {
  return text.length <= skillBounds.short ? text : `${text.slice(0, skillBounds.short).toWellFormed()}…`;
}

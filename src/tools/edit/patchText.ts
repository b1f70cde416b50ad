/** Reads a patch of the form that some models are trained on: files that are added, deleted and updated by hunks. Pure. */
import { ToolRefusal } from "../../domain/tools/tool";

export type PatchPart =
  | { readonly type: "add"; readonly path: string; readonly text: string }
  | { readonly type: "delete"; readonly path: string }
  | { readonly type: "update"; readonly path: string; readonly to?: string; readonly hunks: readonly PatchHunk[] };

export interface PatchHunk {
  /** Lines above the hunk by which its place is found, each below the one before it. */
  readonly anchors: readonly string[];
  /** Those that stay and those that go. */
  readonly old: readonly string[];
  readonly now: readonly string[];
  /** Its last line is the last one of the file. */
  readonly isAtEnd: boolean;
}

interface OpenHunk {
  anchors: string[];
  old: string[];
  now: string[];
  isAtEnd: boolean;
}

type OpenPart =
  | { type: "add"; path: string; lines: string[] }
  | { type: "delete"; path: string }
  | { type: "update"; path: string; to?: string; hunks: OpenHunk[] };

const header = /^\*\*\* (Add|Delete|Update) File: *(\S.*)$/;

/** Rejects a text that is none with a `ToolRefusal` that names the line. */
export function readPatch(text: string): readonly PatchPart[] {
  const parts: OpenPart[] = [];
  const lines = text.split(/\r\n|\n/);
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  // From here on there is nothing but what may surround a patch: found once, because a look ahead from each line is quadratic.
  const outside = lines.findLastIndex((line) => !isOutside(line));
  for (const [at, line] of lines.entries()) {
    if (at <= begin) continue;
    if (line.trim() === "*** End Patch") break;
    const part = parts.at(-1);
    const [, kind, path = ""] = header.exec(line) ?? [];
    if (kind !== undefined) parts.push(openPart(kind, path.trimEnd()));
    else if (part !== undefined) readLine(part, line, at + 1, at >= outside);
    else if (!isOutside(line)) throw unreadable(at + 1, line, "a line such as *** Update File: path");
  }
  if (parts.length === 0) throw new ToolRefusal(`The patch names no file. ${form}`);
  return mergeUpdates(parts).map(closePart);
}

const form =
  "It begins with *** Begin Patch, ends with *** End Patch, and has sections such as *** Update File: path, with hunks of lines that begin with a space, - or +, each hunk below a line @@.";

/** A fence or a shell's wrapping around the patch. */
function isOutside(line: string): boolean {
  return /^(?:```.*|EOF|PATCH|apply_patch.*|\*\*\* End Patch|)$/.test(line.trim());
}

function unreadable(number: number, line: string, wanted: string): ToolRefusal {
  return new ToolRefusal(
    `Line ${number} of the patch is not ${wanted}: ${JSON.stringify(line.slice(0, 200).toWellFormed())}. ${form}`,
  );
}

function openPart(kind: string, path: string): OpenPart {
  if (kind === "Add") return { type: "add", path, lines: [] };
  return kind === "Delete" ? { type: "delete", path } : { type: "update", path, hunks: [] };
}

function readLine(part: OpenPart, line: string, number: number, isLast: boolean): void {
  if (isLast && isOutside(line) && line.trim() !== "") return;
  if (part.type === "delete") {
    if (line.trim() !== "") throw unreadable(number, line, "a new section: a file that is deleted has no lines");
  } else if (part.type === "add") {
    if (line.startsWith("+")) part.lines.push(line.slice(1));
    else if (line.trim() !== "") throw unreadable(number, line, "one that begins with +, as all of a new file do");
  } else readUpdateLine(part, line, number, isLast);
}

function readUpdateLine(
  part: Extract<OpenPart, { type: "update" }>,
  line: string,
  number: number,
  isLast: boolean,
): void {
  const moved = /^\*\*\* Move to: *(\S.*)$/.exec(line)?.[1]?.trimEnd();
  if (moved !== undefined) {
    part.to = moved;
    return;
  }
  let hunk = part.hunks.at(-1);
  if (line.startsWith("@@")) {
    const isOpen = hunk !== undefined && hunk.old.length + hunk.now.length === 0;
    if (!isOpen || hunk === undefined) part.hunks.push((hunk = emptyHunk()));
    // Line numbers of a unified diff are not used: models count badly.
    const anchor = line
      .replace(/^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*)?/, "")
      .replace(/^ /, "")
      .replace(/ @@$/, "");
    if (anchor.trim() !== "") hunk.anchors.push(anchor);
    return;
  }
  if (line.trim() === "*** End of File") {
    if (hunk) hunk.isAtEnd = true;
    return;
  }
  if (line === "" && isLast) return;
  if (hunk === undefined || hunk.isAtEnd) part.hunks.push((hunk = emptyHunk()));
  const sign = line.charAt(0);
  if (sign === "\\") return;
  if (line !== "" && !" -+".includes(sign)) throw unreadable(number, line, "one that begins with a space, - or +");
  if (sign !== "+") hunk.old.push(line.slice(1));
  if (sign !== "-") hunk.now.push(line.slice(1));
}

function emptyHunk(): OpenHunk {
  return { anchors: [], old: [], now: [], isAtEnd: false };
}

/** A second section of a file goes on with the first. */
function mergeUpdates(parts: readonly OpenPart[]): readonly OpenPart[] {
  const merged = new Map<string, OpenPart>();
  for (const part of parts) {
    const known = merged.get(part.path);
    if (known === undefined) merged.set(part.path, part);
    else if (known.type === "update" && part.type === "update") {
      for (const hunk of part.hunks) known.hunks.push(hunk);
      if (part.to !== undefined) known.to = part.to;
    } else
      throw new ToolRefusal(`The patch names ${part.path} twice. Put all that happens to a file into one section.`);
  }
  return [...merged.values()];
}

function closePart(part: OpenPart): PatchPart {
  switch (part.type) {
    case "add":
      return { type: "add", path: part.path, text: part.lines.map((line) => `${line}\n`).join("") };
    case "delete":
      return part;
    case "update": {
      const hunks = part.hunks.filter(({ old, now }) => old.length + now.length > 0);
      if (hunks.length > 0 || part.to !== undefined) return { ...part, hunks };
      throw new ToolRefusal(`The section of ${part.path} changes nothing. ${form}`);
    }
  }
}

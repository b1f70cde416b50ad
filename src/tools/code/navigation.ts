/** Tools that ask the language extensions: where a symbol is defined and used, the outline of a file, symbols of the workspace by name. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import type { CodePlace, CodePosition, EditorPort, CodeSymbol } from "../../domain/tools/toolPorts";
import { type Tool, ToolRefusal, type CallEffects } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { alias, fileAlias, placeInPath } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reasonsToAskForRead } from "../gate/cautions";
import { gateAgain, gateFile, readText } from "../gate/fileGate";
import { ResultLines, linesOf } from "../base/resultLines";
import { reportQuoted } from "../gate/quotedFiles";
import { abortable, isAbort } from "../../base/async/abort";
import { KnownFiles } from "./knownFiles";

/** Results of one call. */
const pageLength = 100;
/** Bytes of a file that is read for the place of a symbol. */
const sizeCap = 2 * 1024 * 1024;

export function findDefinition(workspace: ReadableWorkspace, editor: EditorPort): Tool {
  return navigation(workspace, {
    name: "find_definition",
    description:
      "Finds where a symbol is defined, through the language extension of the editor. Give one place where the symbol is used. Each result is file:line: text.",
    type: "find-definition",
    find: (position) => editor.definitionsOf(position),
    none: "(no definition is known; use find_text)",
  });
}

export function findReferences(workspace: ReadableWorkspace, editor: EditorPort): Tool {
  return navigation(workspace, {
    name: "find_references",
    description:
      "Finds where a symbol is used, through the language extension of the editor. Give one place where the symbol is used or defined. Each result is file:line: text.",
    type: "find-references",
    find: (position) => editor.referencesTo(position),
    none: "(no reference is known; use find_text)",
  });
}

interface Navigation {
  readonly name: string;
  readonly description: string;
  readonly type: "find-definition" | "find-references";
  readonly find: (position: CodePosition) => Promise<readonly CodePlace[]>;
  /** The result when nothing is found. */
  readonly none: string;
}

function navigation(workspace: ReadableWorkspace, { name, description, type, find, none }: Navigation): Tool {
  return defineTool({
    name,
    effect: "reads",
    description,
    parameters: z.strictObject({
      path: pathArgument("File in which the symbol occurs, relative to the workspace."),
      line: z.int().check(z.gte(1), z.describe("Line in which it occurs, counted from 1.")),
      symbol: z
        .string()
        .check(z.minLength(1), z.maxLength(500), z.describe("Name of the symbol, as written in that line.")),
      skip: z.optional(
        z.int().check(z.gte(0), z.describe("Number of results to skip, to get the next part of a long list.")),
      ),
    }),
    rules: [
      fileAlias,
      alias("line", "line_number", "start_line", "row"),
      alias("symbol", "symbol_name", "name", "identifier"),
      placeInPath("path", "line"),
    ],
    async prepare({ path, line, symbol, skip = 0 }, signal) {
      const file = await gateFile(workspace, path, signal);
      return {
        action: { type, symbol, path: file.label },
        ...definedFields({ reasons: reasonsToAskForRead(file.cautions) }),
        async run(running, effects) {
          const now = await gateAgain(gateFile, workspace, file, running);
          const { text } = await readText(workspace, now, sizeCap);
          const position = findPosition(text, line, symbol);
          const places = await askEditor(find({ file: now.path, ...position }), running);
          if (places.length === 0) return none;
          const files = new KnownFiles(workspace, running);
          const found = await listPlaces(places, skip, files);
          await files.report(effects);
          return found;
        },
      };
    },
  });
}

/** Lists the places in the order of the language extension, each line once. */
async function listPlaces(places: readonly CodePlace[], skip: number, files: KnownFiles): Promise<string> {
  const unique = [...new Map(places.map((place) => [`${place.line} ${place.file}`, place])).values()];
  const lines = new ResultLines();
  for (const { file, line } of unique.slice(skip, skip + pageLength)) {
    if (lines.isFull) break;
    lines.add(await files.quote(file, line));
  }
  const last = skip + lines.count;
  if (lines.count === 0) return `(only ${unique.length} results)`;
  if (last < unique.length) lines.add(`(${skip + 1} to ${last} of ${unique.length}; skip ${last} gives the next)`);
  return lines.text;
}

/** The name is looked for within so many lines of the given one, because models often count lines a little wrong. */
const searchedLines = 20;

/** Line and column are counted from 1. Throws a `ToolRefusal` when the name is not near that line. */
function findPosition(text: string, line: number, symbol: string): { line: number; column: number } {
  let found: { line: number; column: number } | undefined;
  let number = 0;
  for (const content of linesOf(text)) {
    number += 1;
    const column = columnOf(content, symbol);
    if (column === undefined) continue;
    if (found === undefined || Math.abs(number - line) < Math.abs(found.line - line)) found = { line: number, column };
  }
  if (found === undefined) throw new ToolRefusal(`The file does not hold “${symbol}”.`);
  if (Math.abs(found.line - line) > searchedLines) {
    throw new ToolRefusal(`“${symbol}” is not near line ${line}; the nearest is in line ${found.line}.`);
  }
  return found;
}

/** Finds the symbol as a whole word only; the column is counted from 1. */
function columnOf(line: string, symbol: string): number | undefined {
  const isPartOfWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_$]/u.test(char);
  for (let at = line.indexOf(symbol); at >= 0; at = line.indexOf(symbol, at + 1)) {
    if (!isPartOfWord(line[at - 1]) && !isPartOfWord(line[at + symbol.length])) return at + 1;
  }
  return undefined;
}

/** Symbols of an outline. */
const outlineCap = 500;
/** Symbols that are found by name. */
const foundCap = 100;
/** Characters of a symbol's name. */
const nameLength = 200;

export function listSymbols(workspace: ReadableWorkspace, editor: EditorPort): Tool {
  return defineTool({
    name: "list_symbols",
    effect: "reads",
    description:
      "Gives the outline of a file: classes, functions and other symbols with their lines, indented by nesting. Use it to find the lines to read in a long file.",
    parameters: z.strictObject({ path: pathArgument("File, relative to the workspace.") }),
    rules: [fileAlias, placeInPath("path")],
    async prepare({ path }, signal) {
      const file = await gateFile(workspace, path, signal);
      return {
        action: { type: "list-symbols", path: file.label },
        ...definedFields({ reasons: reasonsToAskForRead(file.cautions) }),
        async run(running, effects) {
          const now = await gateAgain(gateFile, workspace, file, running);
          const symbols = await askEditor(editor.symbolsOf(now.path), running);
          await reportQuoted(workspace, [now], running, effects);
          return outlineOf(symbols);
        },
      };
    },
  });
}

function outlineOf(symbols: readonly CodeSymbol[]): string {
  if (symbols.length === 0) return "(no language extension gives symbols of it; use read_file)";
  const lines = new ResultLines();
  for (const { name, kind, place, depth } of symbols.slice(0, outlineCap)) {
    if (lines.isFull) break;
    lines.add(`${"  ".repeat(Math.min(depth, 20))}${kind} ${nameOf(name)} (lines ${place.line} to ${place.endLine})`);
  }
  if (lines.count < symbols.length) lines.add(`(the first ${lines.count} of ${symbols.length} symbols)`);
  return lines.text;
}

export function findSymbols(workspace: ReadableWorkspace, editor: EditorPort): Tool {
  return defineTool({
    name: "find_symbols",
    effect: "reads",
    description:
      "Finds classes, functions and other symbols of the workspace by a part of their name, through the language extensions of the editor.",
    parameters: z.strictObject({
      name: z.string().check(z.minLength(1), z.maxLength(nameLength), z.describe("Part of the name of the symbol.")),
    }),
    rules: [alias("name", "query", "symbol", "symbol_name", "pattern", "search")],
    prepare: ({ name }) =>
      Promise.resolve({
        action: { type: "find-symbols" as const, name },
        async run(running: AbortSignal, effects?: CallEffects) {
          const files = new KnownFiles(workspace, running);
          const found = await describeSymbols(await askEditor(editor.findSymbols(name), running), files);
          await files.report(effects);
          return found;
        },
      }),
  });
}

async function describeSymbols(symbols: readonly CodeSymbol[], files: KnownFiles): Promise<string> {
  const lines = new ResultLines();
  let hidden = 0;
  let seen = 0;
  for (const { name, kind, container, place } of symbols) {
    if (lines.count === foundCap || lines.isFull) break;
    seen += 1;
    if (!(await files.mayBeTold(place.file))) {
      hidden += 1;
      continue;
    }
    await files.addQuoted(place.file);
    const inside = container === undefined ? "" : ` in ${nameOf(container)}`;
    lines.add(`${kind} ${nameOf(name)}${inside}: ${(await files.get(place.file)).label}:${place.line}`);
  }
  if (lines.count === 0 && hidden === 0) return "(no language extension knows such a symbol; use find_text)";
  if (hidden > 0) lines.add(`(${hidden} in secrets or in what git ignores are left out)`);
  if (seen < symbols.length) lines.add(`(the first of ${symbols.length}; give more of the name)`);
  return lines.text;
}

/** A name comes from the text of a file, so it is kept to one line and a bounded length. */
function nameOf(name: string): string {
  return name.replace(/\s+/g, " ").slice(0, nameLength).toWellFormed();
}

/** Milliseconds: the first question to a language server may make it read the whole project. */
const maxEditorWait = 30_000;

/** Rejects with a `ToolRefusal` when the extension fails or does not answer, or with an `AbortError`. */
export async function askEditor<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  const limit = AbortSignal.timeout(maxEditorWait);
  try {
    return await abortable(asked, AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) throw new ToolRefusal("The language extension did not answer in time. Use find_text.");
    if (isAbort(error) || error instanceof ToolRefusal) throw error;
    throw new ToolRefusal("The language extension failed. Use find_text.");
  }
}

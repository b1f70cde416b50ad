/** Tools: the outline of a file, and symbols of the workspace by name. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import type { CodeSymbol, EditorPort } from "../../domain/tools/toolPorts";
import type { CallEffects, Tool } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { alias, fileAlias, placeInPath } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reasonsToAskForRead } from "../gate/cautions";
import { gateAgain, gateFile } from "../gate/fileGate";
import { reportQuoted } from "../gate/quotedFiles";
import { ResultLines } from "../base/resultLines";
import { askEditor } from "./askEditor";
import { KnownFiles } from "./knownFiles";

const outlineCap = 500;
const foundCap = 100;
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

/** Names come from the text of a file. */
function nameOf(name: string): string {
  return name.replace(/\s+/g, " ").slice(0, nameLength).toWellFormed();
}

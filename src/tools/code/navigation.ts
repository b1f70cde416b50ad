/** Tools: where a symbol is defined, and where it is used, as the language extensions find it. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import type { CodePlace, CodePosition, EditorPort } from "../../domain/editorPort";
import type { Tool } from "../../domain/tool";
import type { ReadableWorkspace } from "../../domain/workspace";
import { defineTool, pathArgument } from "../defineTool";
import { reasonsToAskForRead } from "../gate/cautions";
import { gateAgain, gateFile } from "../gate/fileGate";
import { readText } from "../gate/fileText";
import { ResultLines } from "../resultLines";
import { reportUntrackedHits } from "../search/untrackedHits";
import { askEditor } from "./askEditor";
import { findPosition } from "./findPosition";
import { KnownFiles } from "./knownFiles";

const pageLength = 100;
const sizeCap = 2 * 1024 * 1024;

export function findDefinition(workspace: ReadableWorkspace, editor: EditorPort): Tool {
  return navigation(workspace, {
    name: "find_definition",
    description:
      "Where a symbol is defined, as the language extension of the editor knows it: file:line: text. Give a place where it is used.",
    type: "find-definition",
    find: (position) => editor.definitionsOf(position),
    none: "(no definition is known; use find_text)",
  });
}

export function findReferences(workspace: ReadableWorkspace, editor: EditorPort): Tool {
  return navigation(workspace, {
    name: "find_references",
    description:
      "Where a symbol is used, as the language extension of the editor knows it: file:line: text. Give a place where it is used or defined.",
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
    description,
    parameters: z.strictObject({
      path: pathArgument("File in which the symbol is used."),
      line: z.int().check(z.gte(1), z.describe("Line of that use, counted from 1.")),
      symbol: z.string().check(z.minLength(1), z.maxLength(500), z.describe("Its name, as it is written there.")),
      skip: z.optional(z.int().check(z.gte(0), z.describe("Results to leave out: those that an earlier call gave."))),
    }),
    async prepare({ path, line, symbol, skip = 0 }, signal) {
      const file = await gateFile(workspace, path, signal);
      return {
        action: { type, symbol, path: file.label },
        ...definedFields({ reasons: reasonsToAskForRead(file.cautions) }),
        async run(running, reporter) {
          const now = await gateAgain(gateFile, workspace, file, running);
          const { text } = await readText(workspace, now, sizeCap);
          const position = findPosition(text, line, symbol);
          const places = await askEditor(find({ file: now.path, ...position }), running);
          if (places.length === 0) return none;
          const found = await listPlaces(places, skip, new KnownFiles(workspace, running));
          await reportUntrackedHits(workspace, found, running, reporter);
          return found;
        },
      };
    },
  });
}

/** In the order of the language extension, each line once. */
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

/** Tool: the errors and warnings that the editor shows. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import type { CodeProblem, EditorPort } from "../../domain/tools/toolPorts";
import type { CallEffects, Tool } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { fileAlias, placeInPath } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reasonsToAskForRead } from "../gate/cautions";
import { gateAgain, gateFile } from "../gate/fileGate";
import { reportQuoted } from "../gate/quotedFiles";
import { ResultLines } from "../base/resultLines";
import { KnownFiles } from "./knownFiles";

const pageLength = 100;
const messageLength = 500;
const severities = ["error", "warning", "info", "hint"] as const;

export function listCodeProblems(workspace: ReadableWorkspace, editor: EditorPort): Tool {
  return defineTool({
    name: "list_problems",
    effect: "reads",
    description:
      "Lists the errors and warnings that the editor shows for a file or for the whole workspace, the most severe first. Files that were never opened may have problems that are not listed.",
    parameters: z.strictObject({
      path: z.optional(pathArgument("File, relative to the workspace. Default: the whole workspace.")),
      skip: z.optional(
        z.int().check(z.gte(0), z.describe("Number of problems to skip, to get the next part of a long list.")),
      ),
    }),
    rules: [fileAlias, placeInPath("path")],
    async prepare({ path, skip = 0 }, signal) {
      if (path === undefined) {
        return {
          action: { type: "list-problems" },
          run: (running, effects) =>
            describeProblems(editor.problems(), skip, new KnownFiles(workspace, running), effects),
        };
      }
      const file = await gateFile(workspace, path, signal);
      return {
        action: { type: "list-problems", path: file.label },
        ...definedFields({ reasons: reasonsToAskForRead(file.cautions) }),
        async run(running, effects) {
          const now = await gateAgain(gateFile, workspace, file, running);
          await reportQuoted(workspace, [now], running, effects);
          const found = editor.problems().filter(({ position }) => [now.path, now.real].includes(position.file));
          return describeProblems(found, skip, new KnownFiles(workspace, running), effects, now.label);
        },
      };
    },
  });
}

/** `approved` is the label of a file that may be reported in any case. Files outside of the workspace are left out. */
async function describeProblems(
  problems: readonly CodeProblem[],
  skip: number,
  files: KnownFiles,
  effects: CallEffects | undefined,
  approved?: string,
): Promise<string> {
  const told: { readonly line: string; readonly files: readonly string[] }[] = [];
  let hidden = 0;
  const sorted = problems.toSorted((one, other) => rankOf(one) - rankOf(other));
  for (const { severity, message, source, position, related = [] } of sorted) {
    const { label, isOutside, gated } = await files.get(position.file);
    if (isOutside) continue;
    if (gated === undefined && label !== approved) {
      hidden += 1;
      continue;
    }
    const from = source === "" ? "" : ` [${source}]`;
    const text = `${message.replace(/\s+/g, " ").slice(0, messageLength)}${from}`.toWellFormed();
    const line = `${label}:${position.line}:${position.column}: ${severity}: ${text}`;
    told.push({ line, files: [position.file, ...related] });
  }
  const lines = new ResultLines();
  for (const { line, files: quoted } of told.slice(skip, skip + pageLength)) {
    if (lines.isFull) break;
    lines.add(line);
    for (const file of quoted) if (!(await files.get(file)).isOutside) await files.addQuoted(file);
  }
  await files.report(effects);
  const last = skip + lines.count;
  if (lines.count === 0) lines.add(told.length === 0 ? "(no problems)" : `(only ${told.length} problems)`);
  if (last < told.length) lines.add(`(${skip + 1} to ${last} of ${told.length}; skip ${last} gives the next)`);
  if (hidden > 0) lines.add(`(${hidden} in secrets or in what git ignores are left out)`);
  return lines.text;
}

function rankOf({ severity }: CodeProblem): number {
  return severities.indexOf(severity);
}

/** Tool: the text of a file, whole or a range of lines. */
import { t } from "@vscode/l10n";
import * as z from "zod/mini";
import { type Tool, ToolRefusal } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { defineTool } from "./defineTool";
import { guardPath } from "./pathGuard";
import { isIgnoredFile } from "./walk";

const lineCap = 2000;
const lineLengthCap = 2000;
const sizeCap = 10 * 1024 * 1024;

export function readFile(workspace: Workspace): Tool {
  return defineTool({
    name: "read_file",
    description: `Reads a text file of the workspace. At most ${lineCap} lines at a time; ask for a range to see more.`,
    parameters: z.strictObject({
      path: z.string().check(z.describe("File, relative to the workspace.")),
      start_line: z.optional(z.int().check(z.gte(1), z.describe("First line, counted from 1."))),
      end_line: z.optional(z.int().check(z.gte(1), z.describe("Last line, included."))),
    }),
    async prepare({ path, start_line: start = 1, end_line: end }) {
      const file = await guardPath(workspace, path);
      if (end !== undefined && end < start) throw new ToolRefusal("end_line lies before start_line.");
      const size = await workspace.size(file.path);
      if (size > sizeCap) throw new ToolRefusal(`${file.label} has ${size} bytes; files over ${sizeCap} are not read.`);
      const title =
        end === undefined && start === 1
          ? t("Read {0}", file.label)
          : t("Read {0}, lines {1} to {2}", file.label, start, end ?? start + lineCap - 1);
      const ignored = await isIgnoredFile(workspace, file.root, file.path);
      const reason = file.secret ?? (ignored ? t("git ignores it") : undefined);
      return {
        title,
        ...(reason === undefined ? {} : { ask: { reason } }),
        run: async () => pickLines(await workspace.read(file.path), start, end),
      };
    },
  });
}

function pickLines(text: string, start: number, end: number | undefined): string {
  if (text.includes("\0")) throw new ToolRefusal("This is no text file.");
  if (text === "") return "(the file is empty)";
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  const last = Math.min(lines.length, end ?? Infinity, start + lineCap - 1);
  if (start > lines.length) throw new ToolRefusal(`The file has ${lines.length} lines.`);
  const picked = lines
    .slice(start - 1, last)
    .map((line) => (line.length > lineLengthCap ? `${line.slice(0, lineLengthCap)} … (line cut)` : line));
  const rest = last < lines.length ? `\n(lines ${start} to ${last} of ${lines.length})` : "";
  return picked.join("\n") + rest;
}

/** Tool: an exact replacement in a file, shown as a diff and made only after a yes. */
import * as z from "zod/mini";
import { TimeSlices } from "../base/async/timeSlices";
import {
  type AskingCall,
  type FreeCall,
  type PendingTexts,
  type ProposedChange,
  type Tool,
  ToolRefusal,
} from "../domain/tools/tool";
import type { FileChanges, Workspace } from "../domain/tools/workspace";
import { alias, ArgumentRefusal, fileAlias, placeInPath } from "./base/argumentRules";
import { defineTool, pathArgument } from "./base/defineTool";
import { countChangedLines, createPreview } from "./edit/changePreview";
import type { NewProblems } from "./edit/newProblems";
import { replaceOnce } from "./edit/replaceOnce";
import { reasonsToAskForChange, reasonsToAskForRead } from "./gate/cautions";
import { gateAgain, gateFile, type GatedFile } from "./gate/fileGate";
import { fileGrant } from "./gate/fileGrant";
import { readText } from "./gate/fileText";
import { filesInWorkspace, reportQuoted } from "./gate/quotedFiles";
import { isNotebook, replaceInCell } from "./notebook/cells";

const sizeCap = 2 * 1024 * 1024;
const textCap = 100_000;
/** Of the changed lines in the result; the model wrote them itself. */
const resultCap = 16 * 1024;

/** Replacements in one call. */
const editCap = 100;

interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

const oldText = z
  .string()
  .check(z.minLength(1), z.maxLength(textCap), z.describe("The text as it stands in the file."));
const newText = z.string().check(z.maxLength(textCap), z.describe("What stands there instead."));
const edits = z
  .array(z.strictObject({ old_text: oldText, new_text: newText }))
  .check(z.minLength(1), z.maxLength(editCap), z.describe("Several replacements, made in this order: all or none."));

const textAliases = [
  alias("old_text", "old_string", "search", "old_str", "old", "find", "old_code", "original", "search_text"),
  alias("new_text", "new_string", "replace", "new_str", "new", "replacement", "new_code", "updated", "replace_text"),
];

export function editFile(workspace: Workspace, problems: NewProblems): Tool {
  return defineTool({
    name: "edit_file",
    description:
      "Replaces a text in a file of the workspace by another, or several with `edits`. Each old text must stand in the file exactly once (of a notebook: in one cell): give enough lines around it. The person is asked first.",
    parameters: z.strictObject({
      path: pathArgument("File, relative to the workspace."),
      old_text: z.optional(oldText),
      new_text: z.optional(newText),
      edits: z.optional(edits),
    }),
    rules: [fileAlias, placeInPath("path"), alias("edits", "replacements", "changes"), ...textAliases],
    within: { edits: textAliases },
    exact: ["replace_all"],
    async prepare({ path, old_text: one, new_text: other, edits: several }, signal, pending) {
      const wanted = readEdits(one, other, several);
      const file = await gateFile(workspace, path, signal);
      const reasons = reasonsToAskForRead(file.cautions);
      if (reasons === undefined) {
        return prepareChange(workspace, problems, file, wanted, signal, pending).catch((error: unknown) =>
          quoteInRun(workspace, file, error),
        );
      }
      // Whether the text is found, and what the file holds instead, is answered only after a yes to reading.
      return {
        action: { type: "read-for-edit", path: file.label },
        reasons,
        async run(running, effects) {
          const now = await gateAgain(gateFile, workspace, file, running);
          await reportQuoted(workspace, [now], running, effects);
          return prepareChange(workspace, problems, now, wanted, running);
        },
      };
    },
  });
}

function readEdits(
  one: string | undefined,
  other: string | undefined,
  several: z.infer<typeof edits> = [],
): readonly TextEdit[] {
  if (several.length > 0 && one === undefined && other === undefined) {
    return several.map(({ old_text: oldText, new_text: newText }) => ({ oldText, newText }));
  }
  if (several.length === 0 && one !== undefined && other !== undefined) return [{ oldText: one, newText: other }];
  throw new ArgumentRefusal("Give either old_text and new_text, or edits.");
}

/** The refusal may quote the file. Only a running call has a effects by which the quoted text can be marked as untrusted. */
function quoteInRun(workspace: Workspace, file: GatedFile, error: unknown): FreeCall {
  if (!(error instanceof ToolRefusal)) throw error;
  return {
    action: { type: "read-for-edit", path: file.label },
    async run(running, effects) {
      await reportQuoted(workspace, [file], running, effects);
      throw error;
    },
  };
}

async function prepareChange(
  workspace: Workspace,
  problems: NewProblems,
  file: GatedFile,
  wanted: readonly TextEdit[],
  signal: AbortSignal,
  pending?: PendingTexts,
): Promise<AskingCall> {
  if (isNotebook(file.label) && workspace.isUnsavedNotebook?.(file.path) === true) {
    throw new ToolRefusal(`${file.label} has unsaved changes in its notebook editor. Ask the person to save it first.`);
  }
  const before = pending?.get(file.path) ?? (await readWritableText(workspace, file));
  const slices = new TimeSlices(signal);
  let after = before;
  for (const [index, { oldText, newText }] of wanted.entries()) {
    try {
      after = await (isNotebook(file.label) ? replaceInCell : replaceOnce)(after, oldText, newText, slices);
    } catch (error) {
      if (wanted.length === 1 || !(error instanceof ToolRefusal)) throw error;
      throw new ToolRefusal(`None of the edits was made, because of edit ${index + 1}: ${error.message}`);
    }
  }
  if (after === before) throw new ToolRefusal("The edits together change nothing.");
  const preview = createPreview(file.label, before, after);
  const change: ProposedChange = { file: file.path, before, after, preview };
  const changedLines = countChangedLines(preview);
  return {
    action: { type: "edit-file", path: file.label, changedLines },
    reasons: reasonsToAskForChange(file.cautions),
    ...fileGrant("edit", file),
    change,
    async run(running, effects) {
      await reportQuoted(workspace, [file], running, effects);
      const write = (): Promise<string> => writeChange(effects?.files ?? workspace, workspace, file, change, running);
      const { result: saved, report, related } = await problems.after(file.path, false, write, running);
      await reportQuoted(workspace, await filesInWorkspace(workspace, related), running, effects);
      // Saving may have formatted the text.
      const { hunks } = saved === after ? preview : createPreview(file.label, before, saved);
      const lines = hunks.map((hunk) => hunk.lines.join("\n")).join("\n…\n");
      const shownLines = lines.length > resultCap ? `(${changedLines} lines changed)` : lines;
      return `Edited ${file.label}:\n${shownLines}${report}`;
    },
  };
}

/** The approval is for a change of exactly this text: a file that differs by now is not overwritten. */
async function writeChange(
  files: FileChanges,
  workspace: Workspace,
  file: GatedFile,
  { before, after }: ProposedChange,
  signal: AbortSignal,
): Promise<string> {
  const now = await gateAgain(gateFile, workspace, file, signal);
  if ((await readWritableText(workspace, now)) !== before) {
    throw new ToolRefusal(`${file.label} was changed after the edit was shown. Read it again.`);
  }
  signal.throwIfAborted();
  return files.write(now.path, before, after);
}

async function readWritableText(workspace: Workspace, file: GatedFile): Promise<string> {
  const { text, isDamaged } = await readText(workspace, file, sizeCap);
  if (isDamaged) throw new ToolRefusal(`${file.label} is not UTF-8: an edit would damage it.`);
  return text;
}

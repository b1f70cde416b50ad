/** Changes the text of a file: a question with its diff, preceded by one where the file may not be read freely. */
import { definedFields } from "../../base/definedFields";
import { TimeSlices } from "../../base/async/timeSlices";
import { countLines } from "../../domain/chat/changedLines";
import type { ToolAction } from "../../domain/chat/chat";
import {
  type CallToApprove,
  type PendingTexts,
  type PreparedCall,
  type ProposedChange,
  ToolRefusal,
} from "../../domain/tools/tool";
import type { FileChanges, Workspace } from "../../domain/tools/workspace";
import { countChangedLines, createPreview } from "../edit/changePreview";
import type { EditedText } from "../edit/applyEdit";
import type { NewProblems } from "../edit/newProblems";
import { askForPart, type FilePart, fileGrant } from "./changeParts";
import { reasonsToAskForChange, reasonsToAskForRead } from "../gate/cautions";
import { gateAgain, gateFile, type GatedFile, readText } from "../gate/fileGate";
import { reportQuoted } from "../gate/quotedFiles";
import { isNotebook } from "../edit/cells";

const sizeCap = 2 * 1024 * 1024;
/** Characters of the changed lines in the result, which the model knows, because it wrote them. */
const resultCap = 16 * 1024;

/** Rejects with a `ToolRefusal` where the text can't be changed so. */
export type MakeText = (before: string, slices: TimeSlices) => Promise<EditedText>;

export async function changeText(
  workspace: Workspace,
  problems: NewProblems,
  file: GatedFile,
  makeText: MakeText,
  signal: AbortSignal,
  pending?: PendingTexts,
): Promise<PreparedCall> {
  const prepare = async ([its = file]: readonly GatedFile[], running: AbortSignal): Promise<CallToApprove> =>
    askForPart(await prepareText(workspace, its, makeText, running, pending), workspace, problems);
  return prepareFromRead(workspace, [file], prepare, signal);
}

/**
 * A call that is prepared from what the files hold. Where one may not be read freely, a person is asked about that first: whether the
 * text is found, and what the file holds instead, is answered only after a yes. `prepare`: gets the files, which a running call gates again.
 */
export async function prepareFromRead(
  workspace: Workspace,
  files: readonly GatedFile[],
  prepare: (files: readonly GatedFile[], signal: AbortSignal) => Promise<CallToApprove>,
  signal: AbortSignal,
): Promise<PreparedCall> {
  const paths = files.map(({ label }) => label);
  const action: ToolAction = {
    type: "read-for-edit",
    path: paths.join(", "),
    ...definedFields({ paths: paths.length > 1 ? paths : undefined }),
  };
  const reasons = new Set(files.flatMap((file) => reasonsToAskForRead(file.cautions) ?? []));
  if (reasons.size > 0) {
    return {
      action,
      reasons: [...reasons],
      async run(running, effects) {
        const now = await Promise.all(files.map((file) => gateAgain(gateFile, workspace, file, running)));
        await reportQuoted(workspace, now, running, effects);
        return prepare(now, running);
      },
    };
  }
  try {
    return await prepare(files, signal);
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    // The refusal may quote a file. Only a running call has effects by which the quoted text can be marked as untrusted.
    return {
      action,
      async run(running, effects) {
        await reportQuoted(workspace, files, running, effects);
        throw error;
      },
    };
  }
}

export async function prepareText(
  workspace: Workspace,
  file: GatedFile,
  makeText: MakeText,
  signal: AbortSignal,
  pending?: PendingTexts,
): Promise<FilePart> {
  if (isNotebook(file.label) && workspace.isUnsavedNotebook?.(file.path) === true) {
    throw new ToolRefusal(`${file.label} has unsaved changes in its notebook editor. Ask the person to save it first.`);
  }
  // An undo would refuse the path, as that of any link, because it may lead elsewhere by then.
  if (file.isUnsavedLink === true) {
    throw new ToolRefusal(
      `${file.given} is a link to ${file.label}, and has unsaved changes in its editor. Ask the person to save it first.`,
    );
  }
  const before = pending?.get(file.path) ?? (await readWritableText(workspace, file));
  const slices = new TimeSlices(signal);
  const { text: after, repairs, isWhole = false } = await makeText(before, slices);
  // Each of these steps goes over the whole text.
  await slices.next();
  const preview = createPreview(file.label, before, after);
  await slices.next();
  const change: ProposedChange = { file: file.path, before, after, preview };
  const changedLines = countChangedLines(preview);
  const repaired = repairs.length > 0 ? [...repairs] : undefined;
  return {
    action: {
      type: "edit-file",
      path: file.label,
      changedLines,
      lines: countLines(preview.hunks),
      ...definedFields({ repairs: repaired }),
    },
    reasons: reasonsToAskForChange(file.cautions),
    ...fileGrant("edit", file),
    change,
    watched: { file: file.path, label: file.label, isNew: false },
    async make(running, effects) {
      await reportQuoted(workspace, [file], running, effects);
      const saved = await writeChange(effects?.files ?? workspace, workspace, file, change, running);
      if (isWhole || effects?.seen?.has(file.path, before) === true) effects?.seen?.note(file.path, saved);
      // Saving may have formatted the text.
      const { hunks } = saved === after ? preview : createPreview(file.label, before, saved);
      if (isWhole && saved === after)
        return `Wrote ${file.label}: ${changedLines} line${changedLines === 1 ? "" : "s"} changed.`;
      const lines = hunks.map((hunk) => hunk.lines.join("\n")).join("\n…\n");
      const shownLines = lines.length > resultCap ? `(${changedLines} lines changed)` : lines;
      const adapted = repaired
        ? ` (what it replaces was not given exactly as the file has it; adapted: ${repaired.join(", ")})`
        : "";
      return `Edited ${file.label}${adapted}:\n${shownLines}`;
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

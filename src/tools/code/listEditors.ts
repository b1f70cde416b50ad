/** Tool: what the person has open, and what is visible and selected there. */
import * as z from "zod/mini";
import type { EditorPort, OpenEditor } from "../../domain/tools/toolPorts";
import type { CallEffects, Tool } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { defineTool } from "../base/defineTool";
import { ResultLines } from "../base/resultLines";
import { KnownFiles } from "./knownFiles";

const cap = 100;
const selectionLength = 10_000;

export function listEditors(workspace: ReadableWorkspace, editor: EditorPort): Tool {
  return defineTool({
    name: "list_editors",
    effect: "reads",
    description:
      "Lists the files that the person has open, the active one first, with the visible lines, the position of the cursor and the selected text.",
    parameters: z.strictObject({}),
    prepare: () =>
      Promise.resolve({
        action: { type: "list-editors" as const },
        async run(running: AbortSignal, effects?: CallEffects) {
          const files = new KnownFiles(workspace, running);
          const described = await describeEditors(editor.openEditors(), files);
          await files.report(effects);
          return described;
        },
      }),
  });
}

async function describeEditors(editors: readonly OpenEditor[], files: KnownFiles): Promise<string> {
  const lines = new ResultLines();
  for (const editor of editors.slice(0, cap)) {
    const { label, gated } = await files.get(editor.file);
    lines.add(`${label}${factsOf(editor)}`);
    // A file that may not be read without a question is only named. The person has opened it, so its name is no untrusted text.
    if (gated !== undefined) await files.addQuoted(editor.file);
    const selection = editor.shown?.selection ?? "";
    if (selection === "") continue;
    lines.add(gated === undefined ? "(what is selected there is not shown)" : `selected:\n${cut(selection)}`);
  }
  if (lines.count === 0) return "(no editors are open)";
  if (editors.length > cap) lines.add(`(the first ${cap} of ${editors.length})`);
  return lines.text;
}

function factsOf({ isActive, hasUnsavedChanges, shown }: OpenEditor): string {
  const facts = [
    isActive ? "active" : "",
    hasUnsavedChanges ? "unsaved changes" : "",
    shown ? `lines ${shown.firstLine} to ${shown.lastLine} visible` : "",
    shown ? `cursor at ${shown.cursor.line}:${shown.cursor.column}` : "",
  ].filter((fact) => fact !== "");
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

function cut(selection: string): string {
  if (selection.length <= selectionLength) return selection;
  return `${selection.slice(0, selectionLength).toWellFormed()}\n(cut; ${selection.length} characters are selected)`;
}

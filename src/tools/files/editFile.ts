/** Tool: an exact replacement in a file, shown as a diff and made only after a yes. */
import * as z from "zod/mini";
import type { TimeSlices } from "../../base/async/timeSlices";
import { definedFields } from "../../base/definedFields";
import type { Repair } from "../../domain/chat/chat";
import { type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { alias, ArgumentRefusal, fileAlias, placeInPath } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { changeText } from "./changeText";
import { applyEdit, type EditedText, type TextEdit } from "../edit/applyEdit";
import type { NewProblems } from "../edit/newProblems";
import { takesPatches } from "../edit/applyHunks";
import { gateFile, type GatedFile } from "../gate/fileGate";
import { editCell, isNotebook } from "../edit/cells";

const textCap = 100_000;

/** Replacements in one call. */
const editCap = 100;

const oldText = z
  .string()
  .check(z.minLength(1), z.maxLength(textCap), z.describe("The text as it stands in the file."));
const newText = z.string().check(z.maxLength(textCap), z.describe("What stands there instead."));
const replaceAll = z.optional(
  z.boolean().check(z.describe("Change every place where old_text stands. Without it there must be one only.")),
);
const editList = z
  .array(z.strictObject({ old_text: oldText, new_text: newText, replace_all: replaceAll }))
  .check(z.minLength(1), z.maxLength(editCap), z.describe("Several replacements, made in this order: all or none."));

const textAliases = [
  alias("old_text", "old_string", "search", "old_str", "old", "find", "old_code", "original", "search_text"),
  alias("new_text", "new_string", "replace", "new_str", "new", "replacement", "new_code", "updated", "replace_text"),
];

export function editFile(workspace: Workspace, problems: NewProblems): Tool {
  const edits = defineTool({
    name: "edit_file",
    effect: "changes",
    description:
      "Replaces text in a file of the workspace: old_text by new_text, or several replacements with `edits`. Copy old_text exactly from the file, with its indentation. It must occur only once in the file (in a notebook: in one cell), so include enough lines around the change, or set replace_all. To rewrite most of a file, use write_file.",
    parameters: z.strictObject({
      path: pathArgument("File, relative to the workspace."),
      old_text: z.optional(oldText),
      new_text: z.optional(newText),
      replace_all: replaceAll,
      edits: z.optional(editList),
    }),
    rules: [fileAlias, placeInPath("path"), alias("edits", "replacements", "changes"), ...textAliases],
    within: { edits: textAliases },
    exact: ["replace_all"],
    async prepare({ path, edits: several, ...one }, signal, context) {
      const wanted = readEdits(one, several);
      const file = await gateFile(workspace, path, signal);
      const edit = (before: string, slices: TimeSlices): Promise<EditedText> =>
        applyEdits(file, before, wanted, slices);
      return changeText(workspace, problems, file, edit, signal, context?.pending);
    },
  });
  return { ...edits, isFor: (model) => !takesPatches(model) };
}

type WrittenEdit = z.infer<typeof editList>[number];

function readEdits(
  one: { readonly [name in keyof WrittenEdit]?: WrittenEdit[name] | undefined },
  several: readonly WrittenEdit[] = [],
): readonly TextEdit[] {
  const { old_text: oldText, new_text: newText, replace_all: all } = one;
  if (several.length > 0 && oldText === undefined && newText === undefined) {
    return several.map((edit) => toTextEdit({ ...edit, replace_all: edit.replace_all ?? all }));
  }
  if (several.length === 0 && oldText !== undefined && newText !== undefined) {
    return [toTextEdit({ old_text: oldText, new_text: newText, replace_all: all })];
  }
  throw new ArgumentRefusal("Give either old_text and new_text, or edits.");
}

function toTextEdit({ old_text: oldText, new_text: newText, replace_all: all }: WrittenEdit): TextEdit {
  return { oldText, newText, ...definedFields({ all }) };
}

/** All replacements in their order, or a refusal for the first that can't be made. */
async function applyEdits(
  file: GatedFile,
  before: string,
  wanted: readonly TextEdit[],
  slices: TimeSlices,
): Promise<EditedText> {
  let text = before;
  const repairs = new Set<Repair>();
  for (const [index, edit] of wanted.entries()) {
    try {
      const edited = await (isNotebook(file.label) ? editCell : applyEdit)(text, edit, slices);
      text = edited.text;
      for (const repair of edited.repairs) repairs.add(repair);
    } catch (error) {
      if (wanted.length === 1 || !(error instanceof ToolRefusal)) throw error;
      throw new ToolRefusal(`None of the edits was made, because of edit ${index + 1}: ${error.message}`);
    }
  }
  if (text === before) throw new ToolRefusal("The edits together change nothing.");
  return { text, repairs: [...repairs] };
}

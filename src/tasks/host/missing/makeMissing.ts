/** The quick fixes for missing files: they fill in the form, or write the file again where it was made here before. */
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import type { MissingReference } from "../../missing/missingFiles";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import type { FormPrefill } from "../submit/mediaForm";

/** The first file is the one to make; the others are derived from the same picture. `document`: the URI of the document that names them. */
export function prefillFor(set: readonly MissingReference[], document: string): FormPrefill | undefined {
  const [first] = set;
  if (first === undefined) return undefined;
  const { wanted, root } = first;
  const { width, height, isVideo, isTransparent, path, prompt } = wanted;
  const files = set.map(({ wanted: one }) => ({
    file: one.path,
    ...definedFields({ width: one.width, height: one.height, isMaskable: one.isMaskable }),
  }));
  const hasMarkup = /\.(?:md|markdown|mdx|html?)$/i.test(document);
  return {
    media: isVideo ? "video" : "image",
    pixels: definedFields({ width, height }),
    fields: {
      prompt,
      isPlaced: true,
      destination: path,
      exact: { root: vscode.Uri.file(root.path).toString(), files, ...(hasMarkup ? { document } : {}) },
      ...(isVideo ? {} : { isTransparent }),
    },
  };
}

/** Whether the file held the task's result, or an exact file that is made of it for its destination. */
export function isRestorable(task: Task, file: string): boolean {
  const exact = task.intent.destination?.exact ?? [];
  return acceptedOf(task)?.placement?.file === file || exact.some((one) => one.file === file);
}

/** The quick fixes for files that are missing: the form filled in, or, where it was made here before, the file written again. */
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import type { MissingReference } from "../../missing/missingFiles";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import type { FormPrefill } from "../submit/mediaForm";

/** The first is made, and the others are made of the same picture. `document`: the URI of what names them. */
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

/** Whether the result, or what is made of it by its destination, is what the file was. */
export function isRestorable(task: Task, file: string): boolean {
  const exact = task.intent.destination?.exact ?? [];
  return acceptedOf(task)?.placement?.file === file || exact.some((one) => one.file === file);
}

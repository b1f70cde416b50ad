/** What the form is filled in with for files that are missing: the first is made, and the others are made of the same picture. */
import * as vscode from "vscode";
import { definedFields } from "../../../base/definedFields";
import type { MissingReference } from "../../missing/missingFiles";
import type { FormPrefill } from "../submit/mediaForm";

/** `document`: the URI of what names them. */
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

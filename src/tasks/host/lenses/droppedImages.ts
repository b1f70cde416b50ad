/** When an image is dropped or pasted into a prompt, inserts a directive that names the file. It stays with the text and is sent with the task. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { imageTypes } from "../../../domain/chat/imageTypes";
import { isPicturePath } from "../../../domain/media/pictureTypes";
import { relativePath } from "../../results/reference";
import { documentFolder } from "../submit/draftsOf";
import { freePath, resultsFolder } from "../submit/destinationStep";
import { shownLine } from "../../../vscode/interface/shownText";

const selector: vscode.DocumentSelector = [
  { pattern: "**/*.prompts.md" },
  { scheme: "untitled", language: "markdown" },
];
const kind = vscode.DocumentDropOrPasteEditKind.Empty.append("sluice", "reference");

/** `takes`: whether the document is one for prompts. */
export function registerDroppedImages(takes: (document: vscode.TextDocument) => boolean): Disposable {
  const store = new DisposableStore();
  const add = (item: { dispose(): unknown }): void => {
    store.add({ dispose: () => void item.dispose() });
  };
  const title = shownLine(t("Use as Reference Image"));
  add(
    vscode.languages.registerDocumentDropEditProvider(
      selector,
      {
        async provideDocumentDropEdits(document, _position, data) {
          const found = takes(document) ? await directivesFor(document, data) : undefined;
          if (!found) return undefined;
          const edit = new vscode.DocumentDropEdit(found.text, title, kind);
          if (found.files) edit.additionalEdit = found.files;
          return edit;
        },
      },
      { dropMimeTypes: ["text/uri-list", ...imageTypes], providedDropEditKinds: [kind] },
    ),
  );
  add(
    vscode.languages.registerDocumentPasteEditProvider(
      selector,
      {
        async provideDocumentPasteEdits(document, _ranges, data) {
          const found = takes(document) ? await directivesFor(document, data) : undefined;
          if (!found) return undefined;
          const edit = new vscode.DocumentPasteEdit(found.text, title, kind);
          if (found.files) edit.additionalEdit = found.files;
          return [edit];
        },
      },
      { pasteMimeTypes: ["text/uri-list", ...imageTypes], providedPasteEditKinds: [kind] },
    ),
  );
  return store;
}

interface Directives {
  readonly text: string;
  /** Writes a pasted picture, which is in no file yet. */
  readonly files?: vscode.WorkspaceEdit;
}

async function directivesFor(
  document: vscode.TextDocument,
  data: vscode.DataTransfer,
): Promise<Directives | undefined> {
  const list = (await data.get("text/uri-list")?.asString()) ?? "";
  const uris = list.split(/\r?\n/).filter((line) => isPicturePath(line, "reference") && URL.canParse(line));
  if (uris.length > 0) return { text: uris.map((uri) => directiveOf(nameOf(document.uri, uri))).join("") };
  return pastedPicture(document, data);
}

function directiveOf(name: string): string {
  const quote = name.includes('"') ? "'" : '"';
  return ` <!-- sluice: reference=${quote}${name}${quote} -->`;
}

function nameOf(document: vscode.Uri, uri: string): string {
  const file = vscode.Uri.parse(uri);
  const folder = documentFolder(document);
  if (/^https?$/.test(file.scheme) || !folder || !vscode.workspace.getWorkspaceFolder(file)) return uri;
  return relativePath(vscode.Uri.joinPath(folder, "x").path, file.path);
}

/** Writes the pasted picture into the results folder, as `reference.png` or under the next free name. */
async function pastedPicture(
  document: vscode.TextDocument,
  data: vscode.DataTransfer,
): Promise<Directives | undefined> {
  const folder = documentFolder(document.uri);
  const root = folder && vscode.workspace.getWorkspaceFolder(folder)?.uri;
  if (!root) return undefined;
  for (const type of imageTypes) {
    const contents = data.get(type)?.asFile();
    if (!contents) continue;
    const path = await freePath({ isReserved: () => false }, root, `${resultsFolder()}/reference`);
    const file = vscode.Uri.joinPath(root, `${path}.${type.replace("image/", "")}`);
    const files = new vscode.WorkspaceEdit();
    files.createFile(file, { contents });
    return { text: directiveOf(nameOf(document.uri, file.toString())), files };
  }
  return undefined;
}

/** The commands of VS Code itself that the extension runs. One that is not here fails, as an unknown command does in VS Code. */
import type * as vscode from "vscode";
import type { FakeWindow } from "./fakeWindow";
import { Range, Uri } from "./positions";

/** Commands that open something of VS Code; that they were run is noted in `window.ran`. */
const onlyNoted = new Set([
  ...[
    "workbench.action.openWalkthrough",
    "welcome.markStepComplete",
    "workbench.action.openSettings",
    "workbench.action.openSettingsJson",
  ],
  ...["revealInExplorer", "revealFileInOS", "workbench.action.findInFiles", "workbench.action.reloadWindow"],
  ...["workbench.action.files.openFolder", "workbench.trust.manage", "workbench.action.chat.open"],
  ...["workbench.mcp.listServer", "workbench.action.files.saveAs"],
]);

/** Commands that ask the providers of other extensions, of which there are none. */
const emptyProviders = new Set(
  ["WorkspaceSymbol", "DocumentSymbol", "Definition", "Reference", "Hover", "CompletionItem"].map(
    (name) => `vscode.execute${name}Provider`,
  ),
);

const pictures = /\.(?:png|jpe?g|webp|gif|avif|bmp|svg|ico)$/i;
const videos = /\.(?:mp4|mov|webm|m4v)$/i;

export async function builtInCommand(window: FakeWindow, id: string, args: readonly unknown[]): Promise<unknown> {
  const { editors, documents } = window;
  const focused = /^(.+)\.focus$/.exec(id)?.[1];
  if (focused !== undefined && window.manifest.viewIds.includes(focused)) {
    await window.showView(focused);
    window.moveFocus({ view: focused });
    return undefined;
  }
  if (emptyProviders.has(id)) return [];
  if (onlyNoted.has(id)) {
    window.ran.push([id, ...args]);
    window.wire.changes.note();
    return undefined;
  }
  const [first, second, third, fourth] = args;
  switch (id) {
    case "setContext":
      window.setContext(first as string, second);
      return undefined;
    case "vscode.open":
      return openUri(window, Uri.from(first as vscode.Uri), second);
    case "vscode.diff": {
      const [before, after] = [
        await documents.open(Uri.from(first as vscode.Uri)),
        await documents.open(Uri.from(second as vscode.Uri)),
      ];
      editors.showDiff(before, after, (third as string | undefined) ?? "", (fourth as object | undefined) ?? {});
      window.moveFocus("editor");
      return undefined;
    }
    case "vscode.changes":
      window.ran.push([id, ...args]);
      editors.showOther(first as string, undefined);
      window.moveFocus("editor");
      return undefined;
    case "workbench.action.files.save":
      return editors.active && documents.save(editors.active.model);
    case "workbench.action.revertAndCloseActiveEditor":
    case "workbench.action.closeActiveEditor": {
      const { activeTab } = editors.activeGroup;
      if (activeTab) editors.close([activeTab]);
      return undefined;
    }
    case "workbench.action.closeAllEditors":
      editors.close([...editors.tabs]);
      return undefined;
    case "workbench.action.terminal.copySelection":
      window.clipboard = window.terminalSelection;
      return undefined;
    default:
      throw new Error(`command '${id}' not found`);
  }
}

async function openUri(window: FakeWindow, uri: Uri, options: unknown): Promise<undefined> {
  const { editors, documents } = window;
  if (/^https?$/.test(uri.scheme)) window.openedOutside.push(uri.toString(true));
  else if (pictures.test(uri.path)) editors.showCustom(uri, "imagePreview.previewEditor");
  else if (videos.test(uri.path)) editors.showCustom(uri, "vscode.videoPreview");
  else {
    const shown = typeof options === "object" && options !== null ? (options as { selection?: vscode.Range }) : {};
    const selection = shown.selection && new Range(shown.selection.start, shown.selection.end);
    editors.show(await documents.open(uri), selection ? { selection } : {});
    window.moveFocus("editor");
  }
  window.wire.changes.note();
  return undefined;
}

/** Read-only text documents that a command makes: lists and summaries that can be searched and copied. */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable";

export interface ReportDocuments extends Disposable {
  /** `title` becomes the name of the tab; a report with the same title is replaced. */
  show(title: string, text: string): Promise<void>;
  /** Replaces the text of a report without showing it again. */
  update(title: string, text: string): void;
}

/** `scheme`: the scheme of the documents' URIs; each caller has a different one. */
export function createReportDocuments(scheme: "sluice-report" | "sluice-request" | "sluice-evidence"): ReportDocuments {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: ({ path }) => texts.get(path) ?? "",
  });
  const update = (title: string, text: string): vscode.Uri => {
    const uri = vscode.Uri.from({ scheme, path: `/${title}` });
    texts.set(uri.path, text);
    changed.fire(uri);
    return uri;
  };
  return {
    update,
    async show(title, text) {
      const uri = update(title, text);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    },
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}

/** A proposed change as a document, so that VS Code's own diff can show it before it is approved. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable } from "../base/disposable";
import type { ProposedChange } from "../domain/tool";
import { openDiff } from "./runCommand";
import { shownLine } from "./shownText";

const scheme = "sluice-proposal";
/** In characters. */
const longestPath = 1000;

export interface ProposalDocuments extends Disposable {
  open(approval: string, change: ProposedChange): Promise<void>;
  /** Closes the diff of an approval that was decided. Never rejects. */
  close(approval: string): Promise<void>;
}

export function createProposalDocuments(): ProposalDocuments {
  const texts = new Map<string, string>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => texts.get(query) ?? "",
  });
  return {
    async open(approval, { file, after, preview: { path } }) {
      texts.set(approval, after);
      // The path keeps its extension, for the language; the query distinguishes the approvals.
      const proposal = vscode.Uri.from({ scheme, path: `/${shownLine(path, longestPath)}`, query: approval });
      await openDiff(vscode.Uri.file(file), proposal, t("{0} (proposed by the model)", path));
    },
    async close(approval) {
      texts.delete(approval);
      const tabs = vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(
          ({ input }) =>
            input instanceof vscode.TabInputTextDiff &&
            input.modified.scheme === scheme &&
            input.modified.query === approval,
        );
      try {
        if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
      } catch {
        // The tab was closed meanwhile.
      }
    },
    dispose() {
      registration.dispose();
    },
  };
}

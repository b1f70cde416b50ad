/** A proposed change as a document, so that VS Code's own diff can show it before it is approved. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable } from "../../../base/disposable";
import { openDiff } from "../../../vscode/interface/runCommand";
import { shownLine } from "../../../vscode/interface/shownText";

/** The fragment of the address of the empty side of a diff. */
const empty = "empty";
/** The maximum length of a path, in characters. */
const maxPathLength = 1000;

export interface Proposal {
  readonly file: vscode.Uri;
  /** The path as it is shown. */
  readonly path: string;
  /** The whole proposed text. */
  readonly after: string;
  /** The file has no text or does not exist yet. VS Code opens no diff of a missing file. */
  readonly isNew?: boolean;
}

export interface ProposalDocuments extends Disposable {
  open(id: string, proposal: Proposal): Promise<void>;
  /** Closes the diffs of a decided question: the one with this id, and those whose ids begin with it and a space. Never rejects. */
  close(id: string): Promise<void>;
}

const scheme = "sluice-proposal";

export function createProposalDocuments(): ProposalDocuments {
  const texts = new Map<string, string>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    // After a reload there is no text. This is then an error, because an empty text would look like the deletion of the whole file.
    provideTextDocumentContent: ({ query, fragment }) => (fragment === empty ? "" : texts.get(query)),
  });
  return {
    async open(id, { file, path, after, isNew = false }) {
      texts.set(id, after);
      // The path keeps its extension, for the language; the query distinguishes the proposals.
      const proposal = vscode.Uri.from({ scheme, path: `/${shownLine(path, maxPathLength)}`, query: id });
      const before = isNew ? proposal.with({ fragment: empty }) : file;
      await openDiff(before, proposal, t("{0} (proposed by the model)", path));
    },
    async close(id) {
      const isDecided = (key: string): boolean => key === id || key.startsWith(`${id} `);
      for (const key of [...texts.keys()].filter(isDecided)) {
        texts.delete(key);
      }
      const tabs = vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(
          ({ input }) =>
            input instanceof vscode.TabInputTextDiff &&
            input.modified.scheme === scheme &&
            isDecided(input.modified.query),
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

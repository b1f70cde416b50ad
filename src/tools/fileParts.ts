/** What a call does to files, part by part: each is prepared alone, and a person is asked about all of them at once. */
import type { AskReason, ToolAction } from "../domain/chat/chat";
import type { GrantSubject } from "../domain/tools/grant";
import type { AskingCall, CallEffects, ProposedChange } from "../domain/tools/tool";
import type { Workspace } from "../domain/tools/workspace";
import type { NewProblems, WatchedFile } from "./edit/newProblems";
import { filesInWorkspace, reportQuoted } from "./gate/quotedFiles";

/** One change of one file. */
export interface FilePart {
  readonly action: ToolAction;
  readonly reasons: readonly AskReason[];
  readonly grant?: GrantSubject;
  readonly change?: ProposedChange;
  /** Its problems are compared with those before. */
  readonly watched?: WatchedFile;
  /** Resolves with the result for the model. */
  readonly make: (signal: AbortSignal, effects?: CallEffects) => Promise<string>;
}

export function askForPart(part: FilePart, workspace: Workspace, problems: NewProblems): AskingCall {
  const { make, watched, ...asked } = part;
  return {
    ...asked,
    async run(running, effects) {
      const files = watched ? [watched] : [];
      const { result, report, related } = await problems.after(files, () => make(running, effects), running);
      await reportQuoted(workspace, await filesInWorkspace(workspace, related), running, effects);
      return `${result}${report}`;
    },
  };
}

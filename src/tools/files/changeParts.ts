/** The changes of files that a call makes: each is prepared alone, and a person is asked about all of them at once. */
import type { AskReason, ToolAction } from "../../domain/chat/chat";
import { type GrantSubject, isWriting } from "../../domain/tools/grant";
import { type CallToApprove, type CallEffects, type ProposedChange, ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import type { NewProblems, WatchedFile } from "../edit/newProblems";
import { filesInWorkspace, reportQuoted } from "../gate/quotedFiles";
import type { GatedFile } from "../gate/fileGate";

/** One change of one file. */
export interface FilePart {
  readonly action: FileAction;
  readonly reasons: readonly AskReason[];
  readonly grant?: Extract<GrantSubject, { type: "file" }>;
  readonly change?: ProposedChange;
  /** The file whose problems are compared with those before the change. */
  readonly watched?: WatchedFile;
  /** Resolves with the result for the model. */
  readonly make: (signal: AbortSignal, effects?: CallEffects) => Promise<string>;
}

type FileAction = Extract<ToolAction, { type: "change-files" }>["parts"][number];

export function askForPart(part: FilePart, workspace: Workspace, problems: NewProblems): CallToApprove {
  return askForParts([part], workspace, problems);
}

/** `parts`: at least one. */
export function askForParts(parts: readonly FilePart[], workspace: Workspace, problems: NewProblems): CallToApprove {
  const watched = parts.flatMap((part) => part.watched ?? []);
  return {
    ...factsOf(parts),
    async run(running, effects) {
      const make = (): Promise<string> => makeAll(parts, running, effects);
      const { result, report, related } = await problems.after(watched, make, running);
      await reportQuoted(workspace, await filesInWorkspace(workspace, related), running, effects);
      return `${result}${report}`;
    },
  };
}

function factsOf(parts: readonly FilePart[]): Omit<CallToApprove, "run"> {
  const [first, ...others] = parts;
  if (first === undefined) throw new ToolRefusal("There is nothing to change.");
  if (others.length === 0) {
    const { make: _make, watched: _watched, ...facts } = first;
    return facts;
  }
  return {
    action: { type: "change-files", parts: parts.map(({ action }) => action) },
    reasons: [...new Set(parts.flatMap(({ reasons }) => reasons))],
    ...grantOf(parts),
    changes: parts.map(({ action, change }) => ({ action, ...(change && { change }) })),
  };
}

/** A rule covers all files or none: each must be written, and be one that a rule may cover. */
function grantOf(parts: readonly FilePart[]): Pick<CallToApprove, "grant"> {
  const grants = parts.map(({ grant }) => grant);
  const [first] = grants;
  if (first === undefined || !grants.every(isWriting)) return {};
  return { grant: { ...first, others: grants.slice(1).map(({ path }) => path) } };
}

async function makeAll(
  parts: readonly FilePart[],
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string> {
  const results: string[] = [];
  for (const [at, part] of parts.entries()) {
    try {
      results.push(await part.make(signal, effects));
    } catch (error) {
      if (results.length === 0 || !(error instanceof ToolRefusal)) throw error;
      const left = parts.length - at - 1;
      throw new ToolRefusal(
        `${results.join("\n")}\nThe next change was not made: ${error.message}${left > 0 ? ` Nor were the ${left} after it.` : ""}`,
      );
    }
  }
  return results.join("\n");
}

/** The subject that a rule for the change would cover; none where there is a caution. */
type FileGrant = Extract<GrantSubject, { type: "file" }>;

export function fileGrant(change: FileGrant["change"], ...files: readonly GatedFile[]): { readonly grant?: FileGrant } {
  const path = files.at(-1)?.label;
  if (path === undefined || files.some(({ cautions }) => cautions.length > 0)) return {};
  return { grant: { type: "file", change, path } };
}

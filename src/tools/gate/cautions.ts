/** The reasons to ask a person before a gated file is read or changed. */
import type { AskReason } from "../../domain/chat/chat";

/** The reasons to ask that the gate finds in a file or its path. `executed`, for a file that something runs, counts for changes only. */
export type FileCaution = Exclude<
  AskReason,
  | "writes-file"
  | "runs-command"
  | "runs-confined"
  | "runs-in-place"
  | "from-copy"
  | "nested-repository"
  | "link"
  | "unknown-kind"
  | "runnable"
  | "changed-meanwhile"
  | "outside-sandbox"
  | "uses-network"
  | "stays-running"
  | "stages-foreign"
  | "shell"
>;

/** Returns `undefined` for a file that may be read without a question. */
export function reasonsToAskForRead(cautions: readonly FileCaution[]): readonly AskReason[] | undefined {
  const reasons = cautions.filter((caution) => caution !== "executed");
  return reasons.length === 0 ? undefined : reasons;
}

/** A change always asks: if nothing else is a reason, it asks because it writes a file. The caution that the gate found last comes first. */
export function reasonsToAskForChange(cautions: readonly FileCaution[]): readonly AskReason[] {
  return cautions.length === 0 ? ["writes-file"] : cautions.toReversed();
}

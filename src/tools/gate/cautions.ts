/** The reasons to ask a person before a gated file is read or changed. */
import type { AskReason } from "../../domain/chat/chat";

/** `executed` counts for changes only. */
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

/** `undefined` for a file that may be read without a question. */
export function reasonsToAskForRead(cautions: readonly FileCaution[]): readonly AskReason[] | undefined {
  const reasons = cautions.filter((caution) => caution !== "executed");
  return reasons.length === 0 ? undefined : reasons;
}

/** A change always asks. */
export function reasonsToAskForChange(cautions: readonly FileCaution[]): readonly AskReason[] {
  return cautions.length === 0 ? ["writes-file"] : cautions.toReversed();
}

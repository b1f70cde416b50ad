/** The words for what `sluice.lock` states of a file. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../base/definedFields";
import { type LockEntry, readPromptPlace } from "../lock/lockFile";
import type { LockState } from "../lock/lockState";

/** The facts of a file that only `sluice.lock` tells of. */
export interface ListedFacts {
  /** The file and heading of the prompt; empty where they are not known. */
  readonly prompt: string;
  readonly model?: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
}

export function listedFacts({ prompt, model, at = "" }: Partial<LockEntry> = {}): ListedFacts {
  const { file = "", heading = "" } = (prompt === undefined ? undefined : readPromptPlace(prompt)) ?? {};
  const createdAt = Date.parse(at);
  return {
    prompt: heading === "" ? file : `${file} · ${heading}`,
    ...definedFields({ model, createdAt: Number.isNaN(createdAt) ? undefined : createdAt }),
  };
}

/** Empty where there is nothing to say of it. */
export function describeLockState(state: LockState | undefined): string {
  switch (state) {
    case "rehearsed":
      return t("A placeholder: it is not made real yet.");
    case "stale":
      return t("Its prompt or options have changed since it was made.");
    case "foreign":
      return t("Its bytes were changed since Sluice put it there.");
    case "outside":
    case "not-a-file":
    case "too-large":
    case "unreadable":
      return t("It can't be checked against sluice.lock.");
    case "good":
    case "missing":
    case undefined:
      return "";
  }
}

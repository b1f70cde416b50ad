/** The words for what `sluice.lock` states of a file. */
import { t } from "@vscode/l10n";
import type { LockState } from "../lock/lockState";

/** A prompt by its file and heading, as a line of the lock names it. */
export function describePromptPlace({ file, heading }: { readonly file: string; readonly heading: string }): string {
  return heading === "" ? file : `${file} · ${heading}`;
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

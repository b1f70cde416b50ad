/** The question for the key of the address that was chosen; the key is checked before the next step (C2, C3). */
import { t } from "@vscode/l10n";
import type { CheckReport, CheckSurroundings } from "../../../domain/gateway/connectionCheck";
import { isKey } from "../../../domain/gateway/key";
import { refusalOf } from "../../../domain/words/explainCheck";
import type { StepPosition, StepResult } from "../../../vscode/interface/pickSteps";
import { askSecret } from "./secretBox";
import type { Connecting } from "../../connecting";

/** What a typed text has wrong with it as a key; an empty one is no mistake. */
export function keyProblem(value: string): string | undefined {
  return value === "" || isKey(value.trim()) ? undefined : t("A key has no blanks and only plain characters.");
}

/** Keeps what was typed in the draft, also when the person leaves. An empty box takes the key that there is. `place`: as in `SecretQuestion`. */
export async function askForKeyStep(
  connecting: Connecting,
  title: string,
  surroundings: CheckSurroundings,
  position: StepPosition,
  place: (show: () => void) => boolean,
): Promise<StepResult<CheckReport>> {
  const { draft, origin } = connecting;
  const source = await connecting.keySource();
  let refused: string | undefined;
  // Pasted text often ends with a line break.
  const keep = (value: string): void => {
    const key = value.trim();
    if (isKey(key) && key !== refused) draft.setKey(origin, key);
  };
  return askSecret<CheckReport>({
    title,
    position,
    place,
    placeholder:
      source === "typed"
        ? t("Enter takes the key that was typed before")
        : source === "kept"
          ? t("Enter takes the key that is kept for this gateway")
          : t("The key from the gateway's console"),
    prompt: t(
      "The key for {0}: sent to it only, checked with Enter, then kept in this machine's secret storage.",
      origin,
    ),
    problemOf: keyProblem,
    onLeave: keep,
    async check(value, signal) {
      keep(value);
      const report = await connecting.check(() => undefined, signal);
      const problem = refusalOf(report, surroundings);
      if (problem === undefined) return { value: report };
      refused = draft.keyFor(origin);
      draft.forgetKey();
      return { problem };
    },
  });
}

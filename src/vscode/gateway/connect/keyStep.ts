/** The question for the key of the address that was chosen (C2). */
import { t } from "@vscode/l10n";
import { isKey } from "../../../domain/gateway/key";
import type { StepPosition, StepResult } from "../../interface/pickSteps";
import { askSecret } from "./secretBox";
import type { Connecting } from "./connecting";

/** What a typed text has wrong with it as a key; an empty one is no mistake. */
export function keyProblem(value: string): string | undefined {
  return value === "" || isKey(value.trim()) ? undefined : t("A key has no blanks and only plain characters.");
}

/** Keeps what was typed in the draft, also when the person leaves. An empty box keeps the key that there is, or goes on without one. */
export async function askForKeyStep(
  connecting: Connecting,
  title: string,
  position: StepPosition,
): Promise<StepResult<undefined>> {
  const { draft, origin } = connecting;
  const source = await connecting.keySource();
  // Pasted text often ends with a line break.
  const keep = (value: string): void => {
    if (isKey(value.trim())) draft.setKey(origin, value.trim());
  };
  const answer = await askSecret({
    title,
    position,
    placeholder:
      source === "typed"
        ? t("Enter takes the key that was typed before")
        : source === "kept"
          ? t("Enter takes the key that is kept for this gateway")
          : t("The key from the gateway's console"),
    prompt: t(
      "The key for {0}: sent to it only, and kept in this machine's secret storage once the check is done.",
      origin,
    ),
    problemOf: keyProblem,
    onLeave: keep,
  });
  if (typeof answer === "string") return answer;
  keep(answer.value);
  return { value: undefined };
}

/** What a finished check of the connection means for the person who is connecting (C3). */
import { t } from "@vscode/l10n";
import type { AppError } from "../errors/appError";
import type { CheckName, CheckReport, CheckSurroundings } from "../gateway/connectionCheck";
import { type ConnectAction, explainFailure, type FailureWords } from "./checkFailure";
import { describeResult } from "./describeCheck";

export interface CheckVerdict extends FailureWords {
  /** `doubtful`: it can be used, but the person should read why it may be the wrong address. */
  readonly state: "works" | "doubtful" | "fails";
}

export function explainCheck(report: CheckReport, surroundings: CheckSurroundings): CheckVerdict {
  const { answer, key, models } = report;
  if (answer.state === "passed" && key.state === "passed") {
    if (models.state === "passed" && models.facts.isListed) {
      return { state: "works", title: describeResult(report), advice: "", actions: ["go-on"] };
    }
    return {
      state: "doubtful",
      title: t("The gateway answers, but lists no models."),
      advice: t(
        "Sluice asked {0}. Where the gateway has a list, the path of the address is wrong; otherwise the id of a model can be typed in.",
        answer.facts.asked,
      ),
      // Most gateways have a list, so a path that is wrong is the likelier reason: Enter must not keep it.
      actions: ["change-address", "go-on", "show-report"],
    };
  }
  const [name, error] = firstFailure(report);
  return { state: "fails", ...explainFailure(name, error, report, surroundings) };
}

/** Why the key was refused, in words; `undefined` where it was not, or where that could not be found out. */
export function refusalOf(report: CheckReport, surroundings: CheckSurroundings): string | undefined {
  const { answer, key } = report;
  if (key.state !== "failed" || answer.state === "failed") return undefined;
  if (answer.state === "passed" && answer.facts.isPage) return undefined;
  // Without a connection a missing key is the smaller problem.
  if (key.error.kind === "signed-out" && (report.connect.state === "failed" || report.tls.state === "failed"))
    return undefined;
  if (!["signed-out", "unauthorized", "forbidden"].includes(key.error.kind)) return undefined;
  const { title, advice } = explainCheck(report, surroundings);
  return `${title} ${advice}`;
}

export function connectActionLabel(action: ConnectAction): string {
  switch (action) {
    case "go-on":
      return t("Go On");
    case "try-again":
      return t("Try Again");
    case "change-address":
      return t("Change Address");
    case "change-key":
      return t("Change Key");
    case "show-report":
      return t("Show Report");
    case "use-anyway":
      return t("Use It Anyway");
  }
}

/** The step that the others depend on. With an answer, which VS Code's own fetch may have got, the connection is no obstacle. */
function firstFailure(report: CheckReport): readonly [CheckName, AppError] {
  const isReached = report.answer.state === "passed";
  for (const name of isReached
    ? (["key"] as const)
    : (["address", "proxy", "connect", "tls", "answer", "key"] as const)) {
    const step = report[name];
    if (step.state === "failed") return [name, step.error];
  }
  return ["answer", { kind: "unreachable", message: "", notSent: true }];
}

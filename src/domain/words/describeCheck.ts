/** The words of *Check Connection*: a report as lines, each with what failed, what it means and the command that helps (C3). */
import { t } from "@vscode/l10n";
import { definedFields } from "../../base/definedFields";
import type { AppError } from "../errors/appError";
import {
  type CheckName,
  checkNames,
  type CheckReport,
  type CheckStep,
  type CheckSurroundings,
  type ConnectFacts,
  type ProxyFacts,
  type TlsFacts,
} from "../gateway/connectionCheck";
import { explainFailure } from "./checkFailure";
import { actionLabel, describeError, type ErrorButton } from "./describeError";
import { quoteForeign } from "./quoteForeign";

export interface CheckLine {
  readonly state: CheckStep<unknown>["state"];
  readonly name: string;
  /** What was found; empty while nothing is known. */
  readonly text: string;
  /** What a failure means and what to do. */
  readonly advice?: string;
  readonly action?: ErrorButton;
}

export function describeCheck(report: CheckReport, surroundings: CheckSurroundings): readonly CheckLine[] {
  return checkNames.map((name): CheckLine => {
    const step = report[name];
    const line = { state: step.state, name: nameOf(name) };
    if (step.state === "failed") return { ...line, ...describeFailure(name, step.error, report, surroundings) };
    return { ...line, text: describeFacts(name, report, surroundings) };
  });
}

/** The whole in one sentence. */
export function describeResult(report: CheckReport): string {
  const steps = checkNames.map((name) => report[name].state);
  if (steps.includes("waiting") || steps.includes("running"))
    return t("Checking. Nothing is paid and nothing is created.");
  const isReached = report.answer.state === "passed" && report.key.state === "passed";
  if (isReached && report.connect.state === "failed") {
    return t("It works, but only with VS Code's own connection. Sluice could not connect itself.");
  }
  if (isReached && !steps.includes("failed")) return t("Everything works.");
  if (isReached) return t("Tasks and chat work; what is marked does not.");
  if (report.answer.state === "passed") return t("The gateway is reached, but the key is not accepted.");
  if (report.key.state === "failed" && report.connect.state === "passed" && report.tls.state !== "failed") {
    return t("The gateway's server is reached. Without a key nothing more can be checked.");
  }
  return t("The gateway can't be used now.");
}

function nameOf(name: CheckName): string {
  switch (name) {
    case "address":
      return t("Address");
    case "proxy":
      return t("Proxy");
    case "connect":
      return t("Connection");
    case "tls":
      return t("TLS");
    case "answer":
      return t("First answer");
    case "key":
      return t("API key");
    case "models":
      return t("Models");
  }
}

function describeFacts(name: CheckName, report: CheckReport, surroundings: CheckSurroundings): string {
  const { address, proxy, connect, tls, answer, key, models } = report;
  switch (name) {
    case "address":
      return address.state === "passed" ? t("{0} ({1})", address.facts.url, surroundings.addressFrom) : "";
    case "proxy":
      return proxy.state === "passed" ? describeProxy(proxy.facts) : "";
    case "connect":
      return connect.state === "passed" ? describeConnect(connect.facts) : "";
    case "tls":
      if (tls.state === "passed") return describeTls(tls.facts);
      return address.state === "passed" && address.facts.url.startsWith("http:") ? t("none, the address is http:") : "";
    case "answer":
      return answer.state === "passed"
        ? t(
            "status {0}, first byte after {1} ms, with the connection",
            answer.facts.status,
            round(answer.facts.firstByteMs),
          )
        : "";
    case "key":
      return key.state === "passed" ? describeProof(key.facts.proof) : "";
    case "models":
      if (models.state !== "passed") return "";
      return models.facts.isListed
        ? t("{0} are listed", models.facts.count)
        : t("the gateway has no list; an id can always be typed in");
  }
}

function describeProxy(facts: ProxyFacts): string {
  if (facts.use === "proxy") return t("{0}, from {1}", facts.host, facts.source);
  switch (facts.reason) {
    case "none":
      return t("none is set");
    case "this-machine":
      return t("none, the gateway is on this machine");
    case "excepted":
      return t("none, the host is excepted from {0}", facts.source);
  }
}

function describeConnect({ host, addresses, address, lookupMs, connectMs }: ConnectFacts): string {
  const connected = t("connected to {0} in {1} ms", address, round(connectMs));
  if (addresses.length === 1 && addresses[0] === host) return connected;
  const found = addresses.slice(0, 4).join(", ");
  return t("{0} is {1} (found in {2} ms); {3}", host, found, round(lookupMs), connected);
}

function describeTls({ version, issuer, validUntil, store, ms }: TlsFacts): string {
  const certificate = t(
    "{0} in {1} ms, certificate by {2}, valid until {3}",
    version,
    round(ms),
    quoteForeign(issuer, 80),
    validUntil,
  );
  return store === undefined ? certificate : t("{0}, trusted by {1}", certificate, storeName(store));
}

function storeName(store: NonNullable<TlsFacts["store"]>): string {
  switch (store) {
    case "bundled":
      return t("the certificates that ship with VS Code");
    case "system":
      return t("this machine's certificates");
    case "extra":
      return t("the file of NODE_EXTRA_CA_CERTS");
  }
}

function describeProof(proof: "models-and-task" | "task" | "models"): string {
  switch (proof) {
    case "models-and-task":
      return t("accepted: the list of models came, and a task that does not exist was not found");
    case "task":
      return t("not refused: a task that does not exist was not found");
    case "models":
      return t("the list of models came; whether tasks can be read is not known");
  }
}

function describeFailure(
  name: CheckName,
  error: AppError,
  report: CheckReport,
  surroundings: CheckSurroundings,
): Pick<CheckLine, "text" | "advice" | "action"> {
  const { title, advice } = explainFailure(name, error, report, surroundings);
  if (surroundings.isLocal) return { text: title, advice };
  // The check itself is run again by its own command.
  const { action: suggested } = describeError(error, "read");
  const action = name === "address" ? buttonOf("choose-gateway") : suggested.id === "retry" ? undefined : suggested;
  return { text: title, advice, ...definedFields({ action }) };
}

function buttonOf(id: ErrorButton["id"]): ErrorButton {
  return { id, label: actionLabel(id) };
}

function round(ms: number): number {
  return Math.max(0, Math.round(ms));
}

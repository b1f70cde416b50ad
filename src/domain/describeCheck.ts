/** The words of *Check Connection*: a report as lines, each with what failed, what it means and the command that helps (C3). */
import { t } from "@vscode/l10n";
import type { CheckName, CheckReport, CheckStep, ConnectFacts, ProxyFacts, TlsFacts } from "./connectionCheck";
import { checkNames } from "./connectionCheck";
import { actionLabel, describeError, type ErrorButton } from "./describeError";
import type { GatewayError } from "./errors";
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

/** What is known besides the steps; times in milliseconds. */
export interface CheckSurroundings {
  readonly isLocal: boolean;
  /** Where the address is set, in words. */
  readonly addressFrom: string;
  readonly limits: { readonly connect: number; readonly firstByte: number; readonly silence: number };
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
    return t("It works, but only by VS Code's own connection: Sluice's own could not be made.");
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
  error: GatewayError,
  report: CheckReport,
  { isLocal }: CheckSurroundings,
): Pick<CheckLine, "text" | "advice" | "action"> {
  const described = describeError(error, "read");
  const { id } = described.action;
  const advice = adviceFor(name, error, report, isLocal);
  // The check itself is run again by its own command.
  const action = name === "address" ? buttonOf("choose-gateway") : id === "retry" ? undefined : described.action;
  return { text: described.title, advice, ...(action && !isLocal ? { action } : {}) };
}

function buttonOf(id: ErrorButton["id"]): ErrorButton {
  return { id, label: actionLabel(id) };
}

function adviceFor(name: CheckName, error: GatewayError, report: CheckReport, isLocal: boolean): string {
  if (isLocal) return t("The local gateway ships with Sluice: reload the window to start it again.");
  switch (name) {
    case "address":
      return t("No request can be sent to this address. Choose the gateway again.");
    case "proxy":
      return t("Every request fails until the proxy in the setting http.proxy, or in the environment, is mended.");
    case "connect":
      return t(
        "Compare the address with the gateway's console. In a company network a proxy (setting http.proxy) or a VPN may be needed.",
      );
    case "tls":
      return t(
        "The key is sent to no server whose certificate is not trusted. A company's own certificate belongs into this machine's certificates, or into the file of NODE_EXTRA_CA_CERTS.",
      );
    case "answer":
      // Asked for without a connection too: VS Code's own fetch may get through.
      if (report.connect.state === "failed") {
        return t("Without a connection there is no answer. Running tasks go on at the gateway.");
      }
      return t(
        "The connection stands, but the gateway does not answer on it. Running tasks go on there; nothing is paid by asking again.",
      );
    case "key":
      return adviceForKey(error);
    case "models":
      return t("A model can be used all the same: type its id in.");
  }
}

function adviceForKey({ kind }: GatewayError): string {
  if (kind === "signed-out") return t("Set the key that the gateway's console shows.");
  if (kind === "unauthorized" || kind === "forbidden") {
    return t("Set the key again, or look in the gateway's console whether it is still valid and may use tasks.");
  }
  if (kind === "not-found") {
    return t("The address may lack a part of its path, such as /v1, or belong to another server.");
  }
  return t("Whether the key is accepted is not known. Run the check again in a moment.");
}

function round(ms: number): number {
  return Math.max(0, Math.round(ms));
}

/** The words of *Check Connection* (C3): the report as lines, the cause and remedy of a failed step, and the verdict while a person connects. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../base/definedFields";
import type { AppError } from "../errors/appError";
import {
  type CheckName,
  checkNames,
  type CheckReport,
  type CheckStep,
  type CheckContext,
  type ConnectFacts,
  type ProxyFacts,
  type TlsFacts,
  proxyLoginCode,
  type TrustFacts,
} from "../gateway/connectionCheck";
import { actionLabel, describeError, type ErrorButton } from "./describeError";
import { quoteForeign } from "./quoteForeign";

interface CheckLine {
  readonly state: CheckStep<unknown>["state"];
  readonly name: string;
  /** The findings; empty while nothing is known. */
  readonly text: string;
  /** The meaning of a failure, and the remedy. */
  readonly advice?: string;
  readonly action?: ErrorButton;
}

export function describeCheck(report: CheckReport, checkContext: CheckContext): readonly CheckLine[] {
  return checkNames.map((name): CheckLine => {
    const step = report[name];
    const line = { state: step.state, name: nameOf(name) };
    if (step.state === "failed") return { ...line, ...describeFailure(name, step.error, report, checkContext) };
    return { ...line, text: describeFacts(name, report, checkContext) };
  });
}

/** The result of the whole check in one sentence. */
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

function describeFacts(name: CheckName, report: CheckReport, checkContext: CheckContext): string {
  const { address, proxy, connect, tls, answer, key, models } = report;
  switch (name) {
    case "address":
      return address.state === "passed" ? t("{0} ({1})", address.facts.url, checkContext.addressFrom) : "";
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
  checkContext: CheckContext,
): Pick<CheckLine, "text" | "advice" | "action"> {
  const { title, advice } = explainFailure(name, error, report, checkContext);
  if (checkContext.isLocal) return { text: title, advice };
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

// Describes a failed step of the check (C3): what is wrong, what to do about it, and which command most likely helps.

export type ConnectAction = "go-on" | "try-again" | "change-address" | "change-key" | "show-report" | "use-anyway";

interface FailureWords {
  /** The event in a sentence. */
  readonly title: string;
  /** The meaning, and the remedy. */
  readonly advice: string;
  /** The first action is the one that most likely helps. */
  readonly actions: readonly ConnectAction[];
}

const addressFirst = ["change-address", "use-anyway", "show-report"] as const;
const keyFirst = ["change-key", "use-anyway", "show-report"] as const;
const againFirst = ["try-again", "use-anyway", "show-report"] as const;

/** The list of steps, the report and the question to the person who connects show the same words. */
function explainFailure(
  name: CheckName,
  error: AppError,
  report: CheckReport,
  checkContext: CheckContext,
): FailureWords {
  const title = describeError(error, "read").title;
  if (checkContext.isLocal) {
    const advice = t("The local gateway ships with Sluice: reload the window to start it again.");
    return { title, advice, actions: againFirst };
  }
  switch (name) {
    case "address": {
      const advice = t("No request can be sent to this address. Choose the gateway again.");
      return { title, advice, actions: addressFirst };
    }
    case "proxy": {
      const advice = t(
        "Every request fails until the proxy is corrected, in the setting http.proxy or in the environment.",
      );
      return { title, advice, actions: againFirst };
    }
    case "connect":
      return explainConnect(error, report, checkContext);
    case "tls":
      return explainTls(error, report);
    case "answer":
      return { ...explainAnswer(error, report, checkContext, title), actions: againFirst };
    case "key":
      return explainKey(error, report, title);
    case "models":
      return { title, advice: t("A model can be used all the same: type its id in."), actions: againFirst };
  }
}

function explainAnswer(
  error: AppError,
  report: CheckReport,
  { limits }: CheckContext,
  title: string,
): Omit<FailureWords, "actions"> {
  // The answer is asked for without a connection too: VS Code's own fetch may get through.
  if (report.connect.state === "failed") {
    return { title, advice: t("Without a connection there is no answer. Running tasks go on at the gateway.") };
  }
  if (error.kind === "timed-out") {
    return {
      title: t("The connection was made, but no answer came in {0} s.", secondsOf(limits.firstByte)),
      advice: t("The gateway may be busy: try again in a moment. Nothing was paid and nothing was created."),
    };
  }
  return {
    title,
    advice: t(
      "The connection was made, but the gateway does not answer. Running tasks go on there, and asking again costs nothing.",
    ),
  };
}

function explainConnect(error: AppError, report: CheckReport, { limits }: CheckContext): FailureWords {
  const proxy = report.proxy.state === "passed" && report.proxy.facts.use === "proxy" ? report.proxy.facts : undefined;
  const host = proxy?.host ?? hostOf(report);
  if (error.code === proxyLoginCode) {
    return {
      title: t("The proxy {0} asks for a user name and a password (status 407).", host),
      advice: t(
        "Set them in http.proxy as http://user:password@{0}, or as a header in http.proxyAuthorization. They are sent to the proxy only.",
        host,
      ),
      actions: againFirst,
    };
  }
  const company = t("In a company network a VPN or a proxy (setting http.proxy) may be needed.");
  if (error.kind === "timed-out") {
    return {
      title: t("{0} did not take the connection in {1} s.", host, secondsOf(limits.connect)),
      advice: `${t("A firewall may be in between, or the port is wrong.")} ${company}`,
      actions: againFirst,
    };
  }
  /** `direct`: what to look at where no proxy is in between. */
  const explained = (title: string, ...direct: readonly string[]): FailureWords => {
    const first = proxy ? [t("{0} names this proxy. Look there whether it is right.", proxy.source)] : direct;
    return { title, advice: [...first, company].join(" "), actions: proxy ? againFirst : addressFirst };
  };
  switch (error.code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return explained(
        t("No server with the name {0} was found ({1}).", host, error.code),
        t("Compare the name with the gateway's console."),
      );
    case "ECONNREFUSED":
      return explained(
        t("Nothing listens at {0} ({1}).", host, error.code),
        t("Is the port right, and does the gateway run?"),
      );
    case undefined:
    default:
      return explained(t("No connection to {0}: {1}.", host, quoteForeign(error.message)));
  }
}

function explainTls({ code = "", message }: AppError, report: CheckReport): FailureWords {
  const host = hostOf(report);
  const unsent = t("The key was not sent.");
  switch (code) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return {
        title: t("The certificate of {0} belongs to another host.", host),
        advice: `${t("Compare the address with the gateway's console: another server may be in its place.")} ${unsent}`,
        actions: addressFirst,
      };
    case "CERT_HAS_EXPIRED":
    case "CERT_NOT_YET_VALID":
      return {
        title: t("The certificate of {0} is not valid at the time of this machine's clock ({1}).", host, code),
        advice: `${t("Look whether the clock is right; otherwise the gateway has to renew its certificate.")} ${unsent}`,
        actions: againFirst,
      };
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return {
        title: t("{0} does not speak TLS ({1}).", host, code),
        advice: `${t("Is the port right? Another service may listen there.")} ${unsent}`,
        actions: addressFirst,
      };
    default:
      return {
        title: t("TLS with {0} failed: {1}.", host, quoteForeign(message)),
        advice: `${describeStores(report.trust)} ${t(
          "A company's own certificate belongs into this machine's certificates, or its file is named in NODE_EXTRA_CA_CERTS before VS Code is started.",
        )} ${unsent}`,
        actions: againFirst,
      };
  }
}

/** Names the stores in which the issuer was looked for. */
function describeStores({ system, extra }: TrustFacts = { system: true, extra: false }): string {
  if (system && extra) {
    return t(
      "Its issuer is neither among the certificates that ship with VS Code nor among this machine's, nor in the file of NODE_EXTRA_CA_CERTS.",
    );
  }
  if (system) {
    return t(
      "Its issuer is neither among the certificates that ship with VS Code nor among this machine's; NODE_EXTRA_CA_CERTS is not set.",
    );
  }
  return extra
    ? t(
        "Its issuer is neither among the certificates that ship with VS Code nor in the file of NODE_EXTRA_CA_CERTS. This machine's certificates are switched off (setting http.systemCertificates).",
      )
    : t(
        "Its issuer is not among the certificates that ship with VS Code; this machine's are switched off (setting http.systemCertificates).",
      );
}

function explainKey(error: AppError, report: CheckReport, title: string): FailureWords {
  const answer = report.answer.state === "passed" ? report.answer.facts : undefined;
  if (error.kind === "signed-out") {
    return {
      title: t("The server is reached, but no key is set."),
      advice: t("Without a key nothing more can be checked. The gateway's console shows it."),
      actions: keyFirst,
    };
  }
  if (error.kind === "unauthorized") {
    return {
      title,
      advice: t("Copy the whole key again from the gateway's console. Whether it is still valid is shown there too."),
      actions: keyFirst,
    };
  }
  if (answer?.isPage === true) {
    return {
      title: t("A web page answered, not a gateway (status {0}).", answer.status),
      advice: t(
        "The address may be that of the console, or a sign-in page is in between. Sluice asked {0}.",
        answer.asked,
      ),
      actions: addressFirst,
    };
  }
  if (error.kind === "forbidden") {
    return {
      title,
      advice: t("The key may lack a right, or the account or this network is blocked: the gateway's console shows it."),
      actions: keyFirst,
    };
  }
  if (error.kind === "not-found") {
    return {
      title: t("There is no gateway at this address (status {0}).", answer?.status ?? 404),
      advice: t(
        "Sluice asked {0}. A part of the path before /v1 may be missing or wrong. The gateway's console shows the whole address.",
        answer?.asked ?? "",
      ),
      actions: addressFirst,
    };
  }
  return {
    title,
    advice: t("Whether the key is accepted is not known. Run the check again in a moment."),
    actions: againFirst,
  };
}

function hostOf({ address }: CheckReport): string {
  return address.state === "passed" ? new URL(address.facts.url).host : "";
}

function secondsOf(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}

// Describes a finished check for the person who is connecting (C3).

export interface CheckVerdict extends FailureWords {
  /** `doubtful`: it can be used, but the person should read why it may be the wrong address. */
  readonly state: "works" | "doubtful" | "fails";
}

export function explainCheck(report: CheckReport, checkContext: CheckContext): CheckVerdict {
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
      // Most gateways have a list, so a wrong path is likelier: Enter must not keep the address.
      actions: ["change-address", "go-on", "show-report"],
    };
  }
  const [name, error] = firstFailure(report);
  return { state: "fails", ...explainFailure(name, error, report, checkContext) };
}

/** The words for why the key was refused; `undefined` where it was not, or where that could not be found out. */
export function refusalOf(report: CheckReport, checkContext: CheckContext): string | undefined {
  const { answer, key } = report;
  if (key.state !== "failed" || answer.state === "failed") return undefined;
  if (answer.state === "passed" && answer.facts.isPage) return undefined;
  // A missing key is the smaller problem where there is no connection.
  if (key.error.kind === "signed-out" && (report.connect.state === "failed" || report.tls.state === "failed"))
    return undefined;
  if (!["signed-out", "unauthorized", "forbidden"].includes(key.error.kind)) return undefined;
  const { title, advice } = explainCheck(report, checkContext);
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

/** The failed step that the others depend on. Once there is an answer, which VS Code's own fetch may have got, the connection is no obstacle. */
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

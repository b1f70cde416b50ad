/** What a finished check of the connection means for the person who is connecting: what is wrong, and what to do about it (C3). */
import { t } from "@vscode/l10n";
import { type CheckName, type CheckReport, proxyLoginCode, type TrustFacts } from "./connectionCheck";
import { type CheckSurroundings, describeCheck, describeResult } from "./describeCheck";
import { describeError } from "./describeError";
import type { GatewayError } from "./errors";
import { quoteForeign } from "./quoteForeign";

export type ConnectAction = "go-on" | "try-again" | "change-address" | "change-key" | "show-report" | "use-anyway";

export interface CheckVerdict {
  /** `doubtful`: it can be used, but the person should read why it may be the wrong address. */
  readonly state: "works" | "doubtful" | "fails";
  /** What happened. */
  readonly title: string;
  /** What it means, and what to do. */
  readonly advice: string;
  /** The first one is what most likely helps. */
  readonly actions: readonly ConnectAction[];
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
      actions: ["go-on", "change-address", "show-report"],
    };
  }
  const [name, error] = firstFailure(report);
  return { state: "fails", ...explainFailure(name, error, report, surroundings) };
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

type Explanation = Omit<CheckVerdict, "state">;

/** The step that the others depend on. With an answer, which VS Code's own fetch may have got, the connection is no obstacle. */
function firstFailure(report: CheckReport): readonly [CheckName, GatewayError] {
  const isReached = report.answer.state === "passed";
  for (const name of isReached
    ? (["key"] as const)
    : (["address", "proxy", "connect", "tls", "answer", "key"] as const)) {
    const step = report[name];
    if (step.state === "failed") return [name, step.error];
  }
  return ["answer", { kind: "unreachable", message: "", notSent: true }];
}

const addressFirst = ["change-address", "try-again", "change-key", "show-report", "use-anyway"] as const;
const keyFirst = ["change-key", "try-again", "change-address", "show-report", "use-anyway"] as const;
const againFirst = ["try-again", "change-address", "change-key", "show-report", "use-anyway"] as const;

function explainFailure(
  name: CheckName,
  error: GatewayError,
  report: CheckReport,
  surroundings: CheckSurroundings,
): Explanation {
  switch (name) {
    case "connect":
      return explainConnect(error, report, surroundings);
    case "tls":
      return explainTls(error, report);
    case "key":
      return explainKey(error, report, surroundings);
    case "answer":
      if (error.kind !== "timed-out") break;
      return {
        title: t("The connection stands, but no answer came in {0} s.", secondsOf(surroundings.limits.firstByte)),
        advice: t("The gateway may be busy: try again in a moment. Nothing was paid and nothing was created."),
        actions: againFirst,
      };
    case "address":
    case "proxy":
    case "models":
  }
  const line = describeCheck(report, surroundings).find(({ state }) => state === "failed");
  return { title: describeError(error, "read").title, advice: line?.advice ?? "", actions: againFirst };
}

function explainConnect(error: GatewayError, report: CheckReport, { limits }: CheckSurroundings): Explanation {
  const proxy = report.proxy.state === "passed" && report.proxy.facts.use === "proxy" ? report.proxy.facts : undefined;
  const host = proxy?.host ?? hostOf(report);
  if (error.code === proxyLoginCode) {
    return {
      title: t("The proxy {0} asks for a user name and a password (status 407).", host),
      advice: t(
        "Set them with the proxy: in the setting http.proxy as http://user:password@{0}, or as a header in http.proxyAuthorization. They are sent to the proxy only.",
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
  const actions = proxy === undefined ? addressFirst : againFirst;
  switch (error.code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return {
        title: t("No server with the name {0} was found ({1}).", host, error.code),
        advice: `${proxy === undefined ? t("Compare the name with the gateway's console.") : proxyAdvice(proxy.source)} ${company}`,
        actions,
      };
    case "ECONNREFUSED":
      return {
        title: t("Nothing listens at {0} ({1}).", host, error.code),
        advice: `${proxy === undefined ? t("Is the port right, and does the gateway run?") : proxyAdvice(proxy.source)} ${company}`,
        actions,
      };
    case undefined:
    default:
      return {
        title: t("No connection to {0}: {1}.", host, quoteForeign(error.message)),
        advice: `${proxy === undefined ? "" : `${proxyAdvice(proxy.source)} `}${company}`,
        actions,
      };
  }
}

/** `source`: the setting or the variable. */
function proxyAdvice(source: string): string {
  return t("It is the proxy that {0} names: look there whether it is right.", source);
}

function explainTls({ code = "", message }: GatewayError, report: CheckReport): Explanation {
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

/** Where the issuer was looked for. */
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
        "Its issuer is neither among the certificates that ship with VS Code nor in the file of NODE_EXTRA_CA_CERTS; this machine's are switched off (setting http.systemCertificates).",
      )
    : t(
        "Its issuer is not among the certificates that ship with VS Code; this machine's are switched off (setting http.systemCertificates).",
      );
}

function explainKey(error: GatewayError, report: CheckReport, surroundings: CheckSurroundings): Explanation {
  const answer = report.answer.state === "passed" ? report.answer.facts : undefined;
  const described = describeError(error, "read").title;
  if (error.kind === "signed-out") {
    return {
      title: t("The server is reached, but no key is set."),
      advice: t("Without a key nothing more can be checked. The gateway's console shows it."),
      actions: keyFirst,
    };
  }
  if (error.kind === "unauthorized") {
    return {
      title: described,
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
      title: described,
      advice: t("The key may lack a right, or the account or this network is blocked: the gateway's console shows it."),
      actions: keyFirst,
    };
  }
  if (error.kind === "not-found") {
    return {
      title: t("There is no gateway at this address (status {0}).", answer?.status ?? 404),
      advice: t(
        "Sluice asked {0}. A part of the path before /v1 may be missing or too much: the gateway's console shows the whole address.",
        answer?.asked ?? "",
      ),
      actions: addressFirst,
    };
  }
  const line = describeCheck(report, surroundings).find(({ state }) => state === "failed");
  return { title: described, advice: line?.advice ?? "", actions: againFirst };
}

function hostOf({ address }: CheckReport): string {
  return address.state === "passed" ? new URL(address.facts.url).host : "";
}

function secondsOf(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}

/** What a failed step of a check of the connection means: what is wrong, what to do about it, and what most likely helps (C3). */
import { t } from "@vscode/l10n";
import type { AppError } from "../errors/appError";
import {
  type CheckName,
  type CheckReport,
  type CheckSurroundings,
  proxyLoginCode,
  type TrustFacts,
} from "../gateway/connectionCheck";
import { describeError } from "./describeError";
import { quoteForeign } from "./quoteForeign";

export type ConnectAction = "go-on" | "try-again" | "change-address" | "change-key" | "show-report" | "use-anyway";

export interface FailureWords {
  /** What happened. */
  readonly title: string;
  /** What it means, and what to do. */
  readonly advice: string;
  /** The first one is what most likely helps. */
  readonly actions: readonly ConnectAction[];
}

const addressFirst = ["change-address", "use-anyway", "show-report"] as const;
const keyFirst = ["change-key", "use-anyway", "show-report"] as const;
const againFirst = ["try-again", "use-anyway", "show-report"] as const;

/** The same words in the list of steps, in the report and in the question of the person who connects. */
export function explainFailure(
  name: CheckName,
  error: AppError,
  report: CheckReport,
  surroundings: CheckSurroundings,
): FailureWords {
  const title = describeError(error, "read").title;
  if (surroundings.isLocal) {
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
      return explainConnect(error, report, surroundings);
    case "tls":
      return explainTls(error, report);
    case "answer":
      return { ...explainAnswer(error, report, surroundings, title), actions: againFirst };
    case "key":
      return explainKey(error, report, title);
    case "models":
      return { title, advice: t("A model can be used all the same: type its id in."), actions: againFirst };
  }
}

function explainAnswer(
  error: AppError,
  report: CheckReport,
  { limits }: CheckSurroundings,
  title: string,
): Omit<FailureWords, "actions"> {
  // Asked for without a connection too: VS Code's own fetch may get through.
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

function explainConnect(error: AppError, report: CheckReport, { limits }: CheckSurroundings): FailureWords {
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

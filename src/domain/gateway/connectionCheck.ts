/** The findings of *Check Connection*, step by step, as plain data: never a key, a user name or a password (C3). */
import type { AppError } from "../errors/appError";

export type CheckStep<Facts> =
  | { readonly state: "waiting" }
  | { readonly state: "running" }
  | { readonly state: "passed"; readonly facts: Facts }
  | { readonly state: "failed"; readonly error: AppError }
  /** There is nothing to check: the address is plain `http:`, or an earlier step that this one needs has failed. */
  | { readonly state: "skipped" };

/** Times in milliseconds. */
export interface CheckReport {
  readonly address: CheckStep<{ readonly url: string }>;
  readonly proxy: CheckStep<ProxyFacts>;
  readonly connect: CheckStep<ConnectFacts>;
  readonly tls: CheckStep<TlsFacts>;
  /** The first answer: a read of the list of models. */
  readonly answer: CheckStep<AnswerFacts>;
  readonly key: CheckStep<{ readonly proof: "models-and-task" | "task" | "models" }>;
  readonly models: CheckStep<{ readonly count: number; readonly isListed: boolean }>;
  /** The certificates that are trusted in addition to those that ship with VS Code. */
  readonly trust?: TrustFacts;
  /** The time at which it was found that only VS Code's own fetch reaches this gateway (milliseconds since 1970). */
  readonly editorFetchSince?: number;
}

export type CheckName = Exclude<keyof CheckReport, "editorFetchSince" | "trust">;

/** The steps of a check, in the order in which they are taken. */
export const checkNames = [
  "address",
  "proxy",
  "connect",
  "tls",
  "answer",
  "key",
  "models",
] as const satisfies CheckName[];

export type ProxyFacts =
  | { readonly use: "direct"; readonly reason: "none" | "this-machine" }
  | { readonly use: "direct"; readonly reason: "excepted"; readonly source: string }
  /** `host` with its port; `source`: the setting or the variable that names it. */
  | { readonly use: "proxy"; readonly host: string; readonly source: string };

export interface ConnectFacts {
  /** The name that was looked up: the gateway's or the proxy's. */
  readonly host: string;
  readonly addresses: readonly string[];
  /** The address that was connected to. */
  readonly address: string;
  readonly lookupMs: number;
  /** Milliseconds of connecting, with the tunnel through the proxy. */
  readonly connectMs: number;
}

export interface TlsFacts {
  readonly version: string;
  readonly issuer: string;
  readonly validUntil: string;
  readonly store?: "bundled" | "system" | "extra";
  readonly ms: number;
}

export interface TrustFacts {
  /** Whether this machine's certificates are trusted (the setting `http.systemCertificates`). */
  readonly system: boolean;
  /** Whether the certificates in the file of NODE_EXTRA_CA_CERTS are trusted. */
  readonly extra: boolean;
}

/** The code of an error: the proxy asks for a user name and a password. */
export const proxyLoginCode = "SLUICE_PROXY_LOGIN";

/** The code of an error: only VS Code's fetch gets out here, which a request for public addresses never uses. */
export const editorOnlyCode = "SLUICE_EDITOR_ONLY";

export interface AnswerFacts {
  readonly status: number;
  /** The address that was asked. */
  readonly asked: string;
  /** The response is a web page: of a sign-in, a proxy, or another server. */
  readonly isPage: boolean;
  /** Milliseconds from the request to the first byte of the response, with the connection for it. */
  readonly firstByteMs: number;
  /** Milliseconds that this machine's clock is ahead of the gateway's; absent when the response has no date. */
  readonly clockAheadMs?: number;
}

export const emptyReport: CheckReport = {
  address: { state: "waiting" },
  proxy: { state: "waiting" },
  connect: { state: "waiting" },
  tls: { state: "waiting" },
  answer: { state: "waiting" },
  key: { state: "waiting" },
  models: { state: "waiting" },
};

export interface CheckEndpoint {
  readonly baseUrl: string;
  /** The key; absent when none is set, and then only the connection is checked. */
  readonly key?: string;
}

/** Resolves with the whole report; `onProgress` gets each state of it. Rejects with an `AbortError` only. */
export type CheckConnection = (
  endpoint: CheckEndpoint,
  onProgress: (report: CheckReport) => void,
  signal: AbortSignal,
) => Promise<CheckReport>;

/** `page`: a web page answered. In the last three cases nothing did; for `unknown-host` and `not-listening` the system has given the reason. */
export type AddressAnswer = "answers" | "page" | "silent" | "unknown-host" | "not-listening";

/** Reads the list of models without a key. Rejects with an `AbortError` only. */
export type ProbeAddress = (baseUrl: string, signal: AbortSignal) => Promise<AddressAnswer>;

/** What the words need in addition to the steps; times in milliseconds. */
export interface CheckContext {
  readonly isLocal: boolean;
  /** The name of the setting or command that the address is from, in words. */
  readonly addressFrom: string;
  readonly limits: { readonly connect: number; readonly firstByte: number; readonly silence: number };
}

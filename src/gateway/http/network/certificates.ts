/** The trusted certificates: Node's own, the system's, and those of NODE_EXTRA_CA_CERTS (C4). */
import { readFileSync } from "node:fs";
import { createSecureContext, getCACertificates, rootCertificates, type SecureContext } from "node:tls";
import type { Log } from "../../../domain/ports";
import type { Environment } from "./proxyChoice";

/** Options of a TLS connection. */
export interface Trust {
  /** Parsed once: hundreds of certificates for each connection would cost more than its handshake. */
  readonly secureContext: SecureContext;
  /** An explicit `ca` stops VS Code from adding its own certificates to the connection. */
  readonly ca: string[];
}

/** Reads the certificate stores, which is slow: call it for the first TLS connection, not before. */
export function readTrust(system: boolean, environment: Environment, log?: Log): Trust {
  const read = (store: "default" | "system"): readonly string[] => {
    try {
      return getCACertificates(store);
    } catch (error) {
      log?.warn("A certificate store can't be read.", { store, error: String(error) });
      return [];
    }
  };
  const found = new Set([...rootCertificates, ...read("default"), ...(system ? read("system") : [])]);
  const file = environment["NODE_EXTRA_CA_CERTS"]?.trim();
  if (file !== undefined && file !== "") {
    try {
      found.add(readFileSync(file, "utf8"));
    } catch (error) {
      log?.warn("NODE_EXTRA_CA_CERTS can't be read.", { error: String(error) });
    }
  }
  const ca = [...found];
  return { ca, secureContext: trust(ca, log) };
}

export type CertificateStore = "bundled" | "system" | "extra";

/** The store that holds this certificate (DER): Node's own, that of NODE_EXTRA_CA_CERTS, or the system's. */
export function storeOf(certificate: Buffer, environment: Environment): CertificateStore | undefined {
  const body = certificate.toString("base64");
  const holds = (texts: readonly string[]): boolean => texts.some((text) => text.replaceAll(/\s/g, "").includes(body));
  if (holds(rootCertificates)) return "bundled";
  const file = environment["NODE_EXTRA_CA_CERTS"]?.trim();
  try {
    if (file && holds([readFileSync(file, "utf8")])) return "extra";
    return holds(getCACertificates("system")) ? "system" : undefined;
  } catch {
    return undefined;
  }
}

function trust(ca: string[], log: Log | undefined): SecureContext {
  try {
    return createSecureContext({ ca });
  } catch {
    // One certificate that can't be parsed makes the whole list fail: find and skip it.
    const sound = ca.filter((one) => {
      try {
        createSecureContext({ ca: one });
        return true;
      } catch {
        return false;
      }
    });
    log?.warn("Some certificates can't be read and are left out.", { count: ca.length - sound.length });
    return createSecureContext({ ca: sound });
  }
}

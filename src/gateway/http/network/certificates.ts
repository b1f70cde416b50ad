/** Whose certificates count: Node's own, the system's, and what NODE_EXTRA_CA_CERTS adds (C4). */
import { readFileSync } from "node:fs";
import { createSecureContext, getCACertificates, rootCertificates, type SecureContext } from "node:tls";
import type { Log } from "../../../domain/ports";
import type { Environment } from "./proxyChoice";

/** To be spread into the options of a TLS connection. */
export interface Trust {
  /** Parsed once: hundreds of certificates for each connection would cost more than its handshake. */
  readonly secureContext: SecureContext;
  /** The editor adds certificates of its own to every TLS connection of an extension, except where these are said. */
  readonly ca: string[];
}

/** Reads the stores, which takes a moment: to be called for the first connection that needs it, not before. */
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

function trust(ca: string[], log: Log | undefined): SecureContext {
  try {
    return createSecureContext({ ca });
  } catch {
    // One that can't be parsed must not take the others with it.
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

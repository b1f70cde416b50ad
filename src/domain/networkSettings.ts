/** How the person's editor goes to the network: its proxy, whose certificates count, and what was learnt of its ways (C4). */

export interface NetworkSettings {
  /** False for a direct connection, whatever else is set here or in the environment. */
  readonly useProxy: boolean;
  /** As typed, with or without a scheme; may hold a user name and a password, so it is never shown as it stands. */
  readonly proxy?: string;
  /** What the proxy is told of who asks, in place of the user name and password of its address. A secret of the proxy's. */
  readonly proxyAuthorization?: string;
  /** Hosts that are spoken to without the proxy, beside those of the environment. */
  readonly noProxy: readonly string[];
  /** Whether the certificate of the proxy itself is checked. The gateway's always is. */
  readonly strictProxyCertificates: boolean;
  /** Whether the certificates of the system's store count beside Node's own. */
  readonly systemCertificates: boolean;
  /** Whether the editor's fetch knows ways that we don't. */
  readonly editorFetch: boolean;
}

/**
 * Reads VS Code's `http.*` settings; what is of another type than it should be counts as not set. Of the values of
 * `proxySupport` only `off` says something to us: the others say whose proxy counts where an extension brings its own.
 * `useLocalProxyConfiguration` decides which machine's settings are read here, and is the editor's to obey.
 */
export function readNetworkSettings(read: (id: string) => unknown): NetworkSettings {
  const text = (id: string): string => {
    const value = read(id);
    return typeof value === "string" ? value.trim() : "";
  };
  const [proxy, proxyAuthorization, noProxy] = [text("proxy"), text("proxyAuthorization"), read("noProxy")];
  const useProxy = read("proxySupport") !== "off";
  return {
    useProxy,
    ...(proxy === "" ? {} : { proxy }),
    ...(proxyAuthorization === "" ? {} : { proxyAuthorization }),
    noProxy: Array.isArray(noProxy) ? noProxy.filter((entry): entry is string => typeof entry === "string") : [],
    strictProxyCertificates: read("proxyStrictSSL") !== false,
    systemCertificates: read("systemCertificates") !== false,
    editorFetch: read("electronFetch") === true || (useProxy && read("fetchAdditionalSupport") !== false),
  };
}

/** VS Code's own defaults. */
export const defaultNetworkSettings = readNetworkSettings(() => undefined);

/** Both as `readNetworkSettings` made them. */
export function sameNetworkSettings(one: NetworkSettings, other: NetworkSettings): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The origins that only the editor's fetch reached, and when that was found out (milliseconds since 1970). */
export interface RememberedOrigins {
  read(origin: string): number | undefined;
  write(origin: string, since: number): void;
  /** All of them without an origin. */
  forget(origin?: string): void;
}

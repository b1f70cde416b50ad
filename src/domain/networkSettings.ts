/** How the person's editor goes to the network: its proxy and whose certificates count (C4). */

export interface NetworkSettings {
  /** As typed, with or without a scheme; may hold a user name and a password, so it is never shown as it stands. */
  readonly proxy?: string;
  /** Hosts that are spoken to without the proxy, beside those of the environment. */
  readonly noProxy: readonly string[];
  /** Whether the certificate of the proxy itself is checked. The gateway's always is. */
  readonly strictProxyCertificates: boolean;
  /** Whether the certificates of the system's store count beside Node's own. */
  readonly systemCertificates: boolean;
}

/** Reads VS Code's `http.*` settings; what is of another type than it should be counts as not set. */
export function readNetworkSettings(read: (id: string) => unknown): NetworkSettings {
  const proxy = read("proxy");
  const noProxy = read("noProxy");
  const isUsed = typeof proxy === "string" && proxy.trim() !== "" && read("proxySupport") !== "off";
  return {
    ...(isUsed ? { proxy: proxy.trim() } : {}),
    noProxy: Array.isArray(noProxy) ? noProxy.filter((entry): entry is string => typeof entry === "string") : [],
    strictProxyCertificates: read("proxyStrictSSL") !== false,
    systemCertificates: read("systemCertificates") !== false,
  };
}

export function sameNetworkSettings(one: NetworkSettings, other: NetworkSettings): boolean {
  return (
    one.proxy === other.proxy &&
    one.strictProxyCertificates === other.strictProxyCertificates &&
    one.systemCertificates === other.systemCertificates &&
    one.noProxy.length === other.noProxy.length &&
    one.noProxy.every((entry, index) => entry === other.noProxy[index])
  );
}

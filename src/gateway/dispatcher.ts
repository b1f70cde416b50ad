/** The connections of our own: direct or through a proxy, with the certificates that count here and no limits but ours (C4). */
import { Agent, type Dispatcher, Pool, ProxyAgent } from "undici";
import type { NetworkSettings } from "../domain/networkSettings";
import type { Trust } from "./certificates";
import type { Limits } from "./limits";
import { chooseProxy, describeProxy, type Environment } from "./proxyChoice";

export interface DispatcherOptions {
  readonly environment: Environment;
  /** Called for the first connection over TLS. */
  readonly trust: () => Trust;
  /** Each request on a connection of its own. */
  readonly alone?: boolean;
  /** The certificate of this proxy will not be checked. */
  readonly onUncheckedProxy?: (proxy: string) => void;
}

/** One pool of connections for each origin; `close` lets what is under way end first. */
export function createDispatcher(network: NetworkSettings, limits: Limits, options: DispatcherOptions): Dispatcher {
  const { environment, trust, alone = false, onUncheckedProxy } = options;
  const common = {
    headersTimeout: limits.firstByte,
    bodyTimeout: limits.silence,
    ...(alone ? { pipelining: 0 } : {}),
  };
  const open = (origin: string | URL): Dispatcher => {
    const target = new URL(origin);
    const overTls = (url: URL): Partial<Trust> => (url.protocol === "https:" ? trust() : {});
    const connect = { timeout: limits.connect, ...overTls(target) };
    const proxy = chooseProxy(target, network, environment);
    if (proxy === undefined) return new Pool(target.origin, { ...common, connect });
    const unchecked = proxy.protocol === "https:" && !network.strictProxyCertificates;
    if (unchecked) onUncheckedProxy?.(describeProxy(proxy));
    return new ProxyAgent({
      ...common,
      ...readAuthorization(proxy),
      requestTls: connect,
      proxyTls: {
        timeout: limits.connect,
        // CONNECT over HTTP/2 is understood by few.
        allowH2: false,
        ...overTls(proxy),
        // Only the way to the proxy: the gateway's certificate is checked inside the tunnel.
        ...(unchecked ? { rejectUnauthorized: false } : {}),
      },
      // A proxy that takes CONNECT and says nothing would be waited for during the library's own 300 s.
      clientFactory: (uri, given) => new Pool(uri, { ...given, headersTimeout: limits.connect }),
    });
  };
  return new Agent({ ...common, factory: open });
}

/** The library stumbles over a `%` that encodes nothing, which a password may well hold. */
function readAuthorization(proxy: URL): { readonly uri: string; readonly token?: string } {
  if (proxy.username === "" || !proxy.protocol.startsWith("http")) return { uri: proxy.href };
  const bare = new URL(proxy);
  bare.username = bare.password = "";
  const credentials = `${decode(proxy.username)}:${decode(proxy.password)}`;
  return { uri: bare.href, token: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

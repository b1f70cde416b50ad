/** Chooses the proxy of a request: from the settings, then from the environment; none for this machine (C4). */
import { BlockList, isIP } from "node:net";
import { isLoopback } from "../../../domain/address";
import { GatewayFailure } from "../../../domain/errors";
import type { NetworkSettings } from "../../../domain/networkSettings";

export type Environment = Readonly<Record<string, string | undefined>>;

const schemes = ["http:", "https:", "socks:", "socks5:"];

/** `undefined` for a direct connection. Throws a `GatewayFailure` for a proxy that can't be used. */
export function chooseProxy(url: URL, settings: NetworkSettings, environment: Environment): URL | undefined {
  if (!settings.useProxy || isLoopback(url) || url.hostname.endsWith(".localhost")) return undefined;
  const proxy = settings.proxy ?? readProxyVariable(url.protocol, environment);
  if (proxy === undefined) return undefined;
  const noProxy = readVariable("no_proxy", environment)?.split(/[\s,]+/) ?? [];
  return isExcepted(url, [...settings.noProxy, ...noProxy]) ? undefined : readProxyUrl(proxy);
}

/** The port of the address, or the default of its scheme. */
export function portOf({ protocol, port }: URL): string {
  return port || (protocol === "https:" ? "443" : protocol === "http:" ? "80" : "1080");
}

/** Host and port, without user name and password. */
export function hostAndPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

/**
 * The common forms: `*`, `host` and `.host` (with subdomains), `*.host` (subdomains only), `host:port`, an address, or a
 * network such as `10.0.0.0/8`.
 */
export function isExcepted(url: URL, entries: readonly string[]): boolean {
  const host = plainHost(url.hostname);
  const usedPort = portOf(url);
  return entries.some((text) => {
    const entry = text.trim().toLowerCase();
    if (entry === "") return false;
    if (entry.includes("/")) return isInNetwork(host, entry);
    // The colons of a bare IPv6 address are no port.
    const [, name = entry, wantedPort] = isIP(entry) === 0 ? (/^(.+?)(?::(\d+))?$/.exec(entry) ?? []) : [];
    if (wantedPort !== undefined && wantedPort !== usedPort) return false;
    if (name === "*") return true;
    const wanted = plainHost(name.replace(/^\*?\./, ""));
    return host.endsWith(`.${wanted}`) || (host === wanted && !name.startsWith("*"));
  });
}

function isInNetwork(host: string, entry: string): boolean {
  const [address = "", bits = ""] = entry.split("/");
  const family = isIP(host);
  const longest = family === 6 ? 128 : 32;
  if (family === 0 || isIP(address) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > longest) return false;
  const type = family === 6 ? "ipv6" : "ipv4";
  const network = new BlockList();
  network.addSubnet(address, Number(bits), type);
  return network.check(host, type);
}

/** The host without the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Also without the dot at the end of a full name. */
function plainHost(hostname: string): string {
  return bareHost(hostname).replace(/(?<=.)\.$/, "");
}

function readProxyVariable(protocol: string, environment: Environment): string | undefined {
  const names = [...(protocol === "https:" ? ["https_proxy"] : []), "http_proxy", "all_proxy"];
  return names.map((name) => readVariable(name, environment)).find((value) => value !== undefined);
}

function readVariable(name: string, environment: Environment): string | undefined {
  const values = [environment[name], environment[name.toUpperCase()]];
  return values.map((value) => value?.trim()).find((value) => value !== undefined && value !== "");
}

function readProxyUrl(text: string): URL {
  const full = text.includes("://") ? text : `http://${text}`;
  // `h`: the proxy looks up the name, which is always so here.
  const address = full.replace(/^socks5h:/i, "socks5:");
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && url.hostname !== "" && schemes.includes(url.protocol)) return url;
  // The text itself may hold a password.
  const message =
    url === undefined
      ? "The proxy that is set is no address."
      : `A proxy of the kind ${url.protocol}// can't be used. Name one of http://, https:// or socks5:// in http.proxy.`;
  throw new GatewayFailure({ kind: "unreachable", message, notSent: true });
}

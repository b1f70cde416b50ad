/** Chooses the proxy of a request from the settings, then from the environment. Requests to this machine get none (C4). */
import { BlockList, isIP } from "node:net";
import { isLoopback } from "../../../domain/gateway/address";
import { AppFailure } from "../../../domain/errors/appError";
import type { NetworkSettings } from "../../../domain/gateway/networkSettings";

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

const schemes = ["http:", "https:", "socks:", "socks5:"];

/** `undefined` for a direct connection. Throws an `AppFailure` for a proxy that can't be used. */
export function chooseProxy(url: URL, settings: NetworkSettings, environment: EnvironmentVariables): URL | undefined {
  const choice = explainProxy(url, settings, environment);
  return choice.state === "proxy" ? readProxyUrl(choice.address) : undefined;
}

/** Why a request goes through a proxy or not. `address` may hold a password; `source` is the setting or the variable. */
export type ProxyChoice =
  | { readonly state: "proxy"; readonly address: string; readonly source: string }
  /** No proxy is set, or proxies are off. */
  | { readonly state: "none" }
  | { readonly state: "this-machine" }
  /** The host is among those that get a direct connection. */
  | { readonly state: "excepted"; readonly source: string };

export function explainProxy(url: URL, settings: NetworkSettings, environment: EnvironmentVariables): ProxyChoice {
  if (isLoopback(url) || url.hostname.endsWith(".localhost")) return { state: "this-machine" };
  if (!settings.useProxy) return { state: "none" };
  const found =
    settings.proxy === undefined
      ? findProxyVariable(url.protocol, environment)
      : { value: settings.proxy, name: "http.proxy" };
  if (found === undefined) return { state: "none" };
  const { value: address, name: source } = found;
  const noProxy = findVariable("no_proxy", environment)?.value.split(/[\s,]+/) ?? [];
  return isExcepted(url, [...settings.noProxy, ...noProxy])
    ? { state: "excepted", source }
    : { state: "proxy", address, source };
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
 * Whether the URL matches an entry. An entry is `*`, `host` or `.host` (with subdomains), `*.host` (subdomains only), `host:port`, an
 * address, or a network such as `10.0.0.0/8`.
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

/** The host without brackets, and without the dot at the end of a full name. */
function plainHost(hostname: string): string {
  return bareHost(hostname).replace(/(?<=.)\.$/, "");
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

function findProxyVariable(protocol: string, environment: EnvironmentVariables): Variable | undefined {
  const names = [...(protocol === "https:" ? ["https_proxy"] : []), "http_proxy", "all_proxy"];
  return names.map((name) => findVariable(name, environment)).find((found) => found !== undefined);
}

function findVariable(name: string, environment: EnvironmentVariables): Variable | undefined {
  const found = [name, name.toUpperCase()].map((one) => ({ name: one, value: environment[one]?.trim() ?? "" }));
  return found.find(({ value }) => value !== "");
}

function readProxyUrl(text: string): URL {
  const full = text.includes("://") ? text : `http://${text}`;
  // With `h` the proxy looks up the name, which is always the case here.
  const address = full.replace(/^socks5h:/i, "socks5:");
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && url.hostname !== "" && schemes.includes(url.protocol)) return url;
  // The text itself may hold a password.
  const message =
    url === undefined
      ? "The proxy that is set is no address."
      : `A proxy of the kind ${url.protocol}// can't be used. Name one of http://, https:// or socks5:// in http.proxy.`;
  throw new AppFailure({ kind: "unreachable", message, notSent: true });
}

/** Resolves what a gateway names as the address of a result to a web address. Pure. */
import { isPrivateHost } from "../../base/privateAddress";
import { isLoopback } from "./address";

/** A name with dots before the first slash, which is no file: a host without its scheme. */
const bareHost = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}(?::\d{1,5})?\//i;
const hostWithPort = /^[a-z0-9.-]{1,253}:\d{1,5}\//i;

/** A relative address begins at the gateway's own one; an address without a scheme has the gateway's. `undefined` for what is no address. */
export function assetUrlOf(text: string, gateway: URL): URL | undefined {
  const given = text.trim();
  if (given === "") return undefined;
  const host = hostWithPort.test(given) || (bareHost.test(given) && !/^[^:/]*:\/\//.test(given));
  const full = host ? `${gateway.protocol}//${given}` : given;
  // The base ends with a slash, so that relative addresses resolve below the gateway's path and not next to it.
  const base = new URL(gateway);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  base.search = "";
  base.hash = "";
  return URL.canParse(full, base.href) ? new URL(full, base) : undefined;
}

/**
 * Returns why a result may not be fetched from `url`; `undefined` when it may. An address into this machine or its network is refused, unless the
 * gateway itself is there. `from` is the address that redirects to `url`; without it, the gateway has named `url`.
 */
export function refuseAssetUrl(url: URL, gateway: URL, from?: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "The result's address is no web address.";
  if (url.username !== "" || url.password !== "") return "The result's address holds a user name or password.";
  if (from?.protocol === "https:" && url.protocol === "http:") {
    return "The result's address leads from https: to http:, where it could be read and changed on its way.";
  }
  if (isPrivateHost(url.hostname) && !isAtGateway(url, gateway)) {
    return "The result's address leads into this machine or its network, where the gateway is not.";
  }
  return undefined;
}

/** Whether the address is on the host of the gateway or, like the gateway, on this machine. */
export function isAtGateway(url: URL, gateway: URL): boolean {
  return url.hostname === gateway.hostname || (isLoopback(url) && isLoopback(gateway));
}

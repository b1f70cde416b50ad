/** Whether an address may be reached for a result: what leads into this machine or its network is refused, unless the gateway itself is there. */
import { isPrivateHost } from "../../base/privateAddress";
import { isLoopback } from "./address";

/**
 * Why a result may not be fetched from `url`; `undefined` when it may. `from` is the address that redirects there; without it
 * the gateway has named it.
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

/** On the host of the gateway, or, like the gateway, on this machine. */
export function isAtGateway(url: URL, gateway: URL): boolean {
  return url.hostname === gateway.hostname || (isLoopback(url) && isLoopback(gateway));
}

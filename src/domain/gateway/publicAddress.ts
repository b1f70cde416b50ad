/** Whether an address may be reached for a result: what leads into this machine or its network is refused, unless the gateway itself is there. */
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

/** `hostname` as URLs have it: IPv4 in four decimal numbers, IPv6 in brackets. */
function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost") || name.endsWith(".local") || name.endsWith(".internal")) {
    return true;
  }
  return isPrivateAddress(name.startsWith("[") ? name.slice(1, -1) : name);
}

/** An IP address of no public network: this machine, private, link-local, shared, multicast. False for anything else. */
export function isPrivateAddress(address: string): boolean {
  const v4 = /^(?:::(?:ffff:(?:0:)?)?|64:ff9b::)?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/i.exec(address);
  if (v4) return isPrivateV4(v4.slice(1).map(Number));
  if (!address.includes(":")) return false;
  const mapped = /^(?:::(?:ffff:(?:0:)?)?|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (mapped) {
    const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
    return isPrivateV4([high >> 8, high & 255, low >> 8, low & 255]);
  }
  // Unspecified and loopback; unique local fc00::/7; link-local fe80::/10 and site-local fec0::/10; multicast ff00::/8.
  return /^::1?(?:%|$)/.test(address) || /^f(?:[cdf]|e[89a-f])[0-9a-f]*:/i.test(address);
}

function isPrivateV4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && (b === 168 || (b === 0 && c === 0))) ||
    (a === 198 && (b === 18 || b === 19))
  );
}

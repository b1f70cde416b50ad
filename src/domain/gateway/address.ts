/**
 * Decides which address a key may be sent to, and the origin that it is stored for (C1, C2): the one rule, for settings, stored tasks and requests.
 */
import { AppFailure } from "../errors/appError";

/** Throws an `AppFailure` for an address that no request may go to; nothing was sent then. */
export function readAddress(text: string): URL {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url === undefined) throw refuse("unreadable", `${withoutLogin(trimmed).slice(0, 200)} is no address.`);
  if (url.username !== "" || url.password !== "")
    throw refuse("login", "The address may not hold a user name or password.");
  // The address is stored in the settings and in the list of recent gateways, where no key may be.
  if (url.search !== "" || url.hash !== "") {
    throw refuse("query", "The address may not hold anything after ? or #.");
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) return url;
  throw refuse(
    "insecure",
    `${url.protocol}//${url.host} is not safe for a key: only https: is used, except on this machine.`,
  );
}

/** Adds the scheme that a person left out: `https:`, or `http:` for this machine, because a key is sent over these only. */
export function withScheme(text: string): string {
  const given = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return given;
  const [, host] = /^((?:[a-z0-9-]+\.)+[a-z0-9-]+|localhost|\[::1\])(?::\d{1,5})?(?:\/|$)/i.exec(given) ?? [];
  if (host === undefined) return given;
  const https = `https://${given}`;
  return URL.canParse(https) && isLoopback(new URL(https)) ? `http://${given}` : https;
}

/** The origin of an address, which identifies its key; throws as `readAddress` does. */
export function readOrigin(text: string): string {
  return readAddress(text).origin;
}

/** The origin under which facts about the gateway are kept. An address that can't be parsed is returned as it is: no request goes there. */
export function originOrText(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

/**
 * Whether a URL leads to this machine. The only name that counts is `localhost`: some systems resolve names below it (`a.localhost`) over the
 * network, and the key would be sent in plain text.
 */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** A password may hold any character, so everything before the last @ is removed. */
function withoutLogin(text: string): string {
  const end = text.lastIndexOf("@");
  const scheme = text.indexOf("//");
  const begin = scheme >= 0 && scheme + 2 <= end ? scheme + 2 : 0;
  return end < 0 ? text : `${text.slice(0, begin)}…${text.slice(end)}`;
}

/** The reason why an address is refused, in `code`; `describeAddressProblem` has the words. */
type AddressProblem = "unreadable" | "login" | "query" | "insecure";

function refuse(problem: AddressProblem, message: string): AppFailure {
  return new AppFailure({ kind: "unreachable", code: `address-${problem}`, message, notSent: true });
}

/** The origin of the local gateway in a task's home. */
export const localOrigin = "local";

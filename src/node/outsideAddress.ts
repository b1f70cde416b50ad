/** Decides whether an address may be opened outside VS Code, and for which reasons the person is asked first (P5). */
import { domainToUnicode } from "node:url";
import { isPrivateHost } from "../base/privateAddress";

/** Why the person is asked. VS Code's own confirmation covers neither mail nor the addresses of this machine. */
export type AddressCaution =
  | { readonly type: "mail" }
  | { readonly type: "private"; readonly host: string }
  | { readonly type: "user-info"; readonly host: string }
  /** `displayed`: the host as a browser may show it. */
  | { readonly type: "lookalike"; readonly host: string; readonly displayed: string };

export type OutsideAddress =
  | { readonly verdict: "open"; readonly url: string }
  | { readonly verdict: "ask"; readonly url: string; readonly cautions: readonly AddressCaution[] }
  | { readonly verdict: "refuse" };

/** Characters. The question shows the whole address, so longer ones are refused. */
const maxAskedLength = 2000;

export function judgeAddress(address: string): OutsideAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !["http:", "https:", "mailto:"].includes(url.protocol)) return { verdict: "refuse" };
  // VS Code decodes the user info and does not encode all of it again: `a%40127.0.0.1%3A80%2F@host` would open 127.0.0.1.
  if (`${url.username}${url.password}`.includes("%")) return { verdict: "refuse" };
  const cautions = url.protocol === "mailto:" ? [{ type: "mail" } as const] : cautionsOf(url);
  if (cautions.length === 0) return { verdict: "open", url: url.href };
  return url.href.length > maxAskedLength ? { verdict: "refuse" } : { verdict: "ask", url: url.href, cautions };
}

/** The console's address from the settings: web pages only. The person wrote it, so a private host needs no question. */
export function judgeConsole(setting: string): OutsideAddress {
  const judged = judgeAddress(setting);
  if (judged.verdict !== "ask") return judged;
  const cautions = judged.cautions.filter(({ type }) => type !== "private");
  if (cautions.some(({ type }) => type === "mail")) return { verdict: "refuse" };
  return cautions.length === 0 ? { verdict: "open", url: judged.url } : { ...judged, cautions };
}

function cautionsOf(url: URL): AddressCaution[] {
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  const displayed = domainToUnicode(host);
  return [
    ...(isPrivateHost(url.hostname) ? [{ type: "private", host } as const] : []),
    ...(url.username !== "" || url.password !== "" ? [{ type: "user-info", host } as const] : []),
    // The URL parser writes non-ASCII labels as `xn--`.
    ...(/(?:^|\.)xn--/.test(host) ? [{ type: "lookalike", host, displayed } as const] : []),
  ];
}

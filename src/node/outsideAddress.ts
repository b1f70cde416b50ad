/** Decides whether an address may be opened outside VS Code, and for which reasons the person is asked first (P5). */
import { BlockList, isIPv4, isIPv6 } from "node:net";
import { domainToUnicode } from "node:url";

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
    ...(isPrivate(host) ? [{ type: "private", host } as const] : []),
    ...(url.username !== "" || url.password !== "" ? [{ type: "user-info", host } as const] : []),
    // The URL parser writes non-ASCII labels as `xn--`.
    ...(/(?:^|\.)xn--/.test(host) ? [{ type: "lookalike", host, displayed } as const] : []),
  ];
}

/** This machine, its network, and the link-local addresses at which clouds keep credentials. */
const privateIPv4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const;
const privateIPv6 = [
  // ::, ::1 and IPv4 addresses written as IPv6; those translated or tunnelled to IPv4 (NAT64, Teredo, 6to4); unique local,
  // link-local, site-local, multicast.
  ["::", 96],
  ["::ffff:0:0:0", 96],
  ["2001::", 32],
  ["2002::", 16],
  ["64:ff9b::", 32],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const;

/** Made with the first address that is judged: two dozen native calls are no part of the start. */
let privateRanges: BlockList | undefined;

function createPrivateRanges(): BlockList {
  const ranges = new BlockList();
  for (const [network, prefix] of privateIPv4) ranges.addSubnet(network, prefix, "ipv4");
  for (const [network, prefix] of privateIPv6) ranges.addSubnet(network, prefix, "ipv6");
  return ranges;
}

/** `host` as the URL parser normalises it: IPv4 as four decimal numbers, however it was typed. */
function isPrivate(host: string): boolean {
  privateRanges ??= createPrivateRanges();
  if (isIPv4(host)) return privateRanges.check(host, "ipv4");
  if (isIPv6(host)) return privateRanges.check(host, "ipv6");
  return (
    !host.includes(".") ||
    /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain|private|test)$/.test(host)
  );
}

/** Recognises hosts that are not on the public internet: this machine, its network, and the link-local addresses that give cloud credentials. */
import { BlockList, isIP } from "node:net";

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
  // ::, ::1 and the deprecated form of an IPv4 address.
  ["::", 96],
  // Translated or tunnelled to an IPv4 address: SIIT, NAT64 of a local network, Teredo, 6to4.
  ["::ffff:0:0:0", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  // Unique local, link-local, site-local, multicast.
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const;
/** The first 96 bits of a NAT64 address, by which IPv6-only networks reach public IPv4 addresses: it is private if the IPv4 address in it is. */
const translated = "64:ff9b::";

/** Domains that only local resolvers resolve. */
const privateName = /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain|private|test)$/;

/** Created with the first address that is checked: three dozen native calls would slow down the start. */
let privateRanges: BlockList | undefined;

/** Whether the text is an IP address of this machine, of its network, or reserved. False for text that is no IP address. */
export function isPrivateAddress(text: string): boolean {
  // A resolver may append the zone of a link-local address, which BlockList does not read.
  const address = text.replace(/%.*$/s, "");
  const family = isIP(address);
  privateRanges ??= createPrivateRanges();
  return family !== 0 && privateRanges.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** `hostname` as URLs have it: in lower case, IPv4 in four decimal numbers, IPv6 in brackets. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  return isIP(host) === 0 ? !host.includes(".") || privateName.test(host) : isPrivateAddress(host);
}

/** `BlockList` applies the rules for IPv4 also to IPv4-mapped IPv6 addresses (`::ffff:10.0.0.1`). */
function createPrivateRanges(): BlockList {
  const ranges = new BlockList();
  for (const [network, prefix] of privateIPv4) {
    ranges.addSubnet(network, prefix, "ipv4");
    ranges.addSubnet(`${translated}${network}`, 96 + prefix, "ipv6");
  }
  for (const [network, prefix] of privateIPv6) ranges.addSubnet(network, prefix, "ipv6");
  return ranges;
}

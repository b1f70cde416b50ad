/** The web address that a gateway means by what it names as a result's. Pure. */

/** A name with dots before the first slash, which is no file: a host without its scheme. */
const bareHost = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}(?::\d{1,5})?\//i;
const hostWithPort = /^[a-z0-9.-]{1,253}:\d{1,5}\//i;

/** Relative addresses begin at the gateway's own one; one without a scheme has the gateway's. `undefined` for what is no address. */
export function assetUrlOf(text: string, gateway: URL): URL | undefined {
  const given = text.trim();
  if (given === "") return undefined;
  const host = hostWithPort.test(given) || (bareHost.test(given) && !/^[^:/]*:\/\//.test(given));
  const full = host ? `${gateway.protocol}//${given}` : given;
  // Below the gateway's path, not beside it.
  const base = new URL(gateway);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  base.search = "";
  base.hash = "";
  return URL.canParse(full, base.href) ? new URL(full, base) : undefined;
}

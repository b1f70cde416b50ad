/** Reads web pages for tools over our own connections, to public addresses only, without cookies, keys or VS Code's fetch. */
import { lookup } from "node:dns";
import { isPrivateAddress } from "../base/privateAddress";
import { definedFields } from "../base/definedFields";
import { AppFailure } from "../domain/errors/appError";
import type { Log } from "../domain/ports";
import type { WebPort } from "../domain/tools/toolPorts";
import { defaultLimits } from "./http/network/wire";
import { chooseProxy, hostAndPort } from "./http/network/proxyChoice";
import { createPublicLookup, type Lookup } from "./http/network/sockets";
import { createTransport, type Network } from "./http/network/transport";
import { privateAddressCode } from "./http/network/transportError";

export interface WebReaderOptions {
  readonly network: Pick<Network, "settings" | "environment">;
  readonly log: Log;
  readonly now: () => number;
  /** The default is the system's resolver; for `isPrivate` it is the table of private addresses. */
  readonly resolve?: Lookup;
  readonly isPrivate?: (address: string) => boolean;
}

/** Milliseconds. The tool itself limits the whole time. */
const limits = { ...defaultLimits, connect: 10_000, firstByte: 20_000, silence: 20_000 };

const headers = {
  accept:
    "text/html, application/xhtml+xml, text/markdown, text/*, application/json, image/png, image/jpeg, image/webp, image/gif, */*;q=0.1",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "Mozilla/5.0 (compatible; Sluice)",
};

export function createWebReader(options: WebReaderOptions): WebPort {
  const { network, log, now, resolve = lookup, isPrivate = isPrivateAddress } = options;
  const { settings, environment } = network;
  // The remembered origins are left out, so that VS Code's fetch is never used.
  const transport = createTransport({ limits: () => limits, network: { settings, environment }, now, log });
  const checked = createPublicLookup(resolve, isPrivate);
  const proxyOf = (url: URL): string | undefined => {
    const proxy = chooseProxy(url, settings.current, environment);
    return proxy && hostAndPort(proxy);
  };
  return {
    proxyOf,
    async get(url, signal) {
      if (proxyOf(url) !== undefined) await refusePrivateName(url, checked);
      const response = await transport
        .send({
          method: "GET",
          url,
          headers,
          firstByte: limits.firstByte,
          alone: true,
          publicOnly: true,
          lookup: checked,
          signal,
        })
        .catch((error: unknown) => {
          throw error instanceof AppFailure && error.error.code === privateAddressCode ? leadsInside() : error;
        });
      const coding = response.headers.get("content-encoding") ?? "";
      // A few bytes that were compressed several times could grow without limit.
      if (coding.includes(","))
        throw new AppFailure({ kind: "malformed", message: "The answer is compressed more than once." });
      return {
        status: response.status,
        ...definedFields({
          location: response.headers.get("location"),
          contentType: response.headers.get("content-type"),
        }),
        body: response.body,
      };
    },
  };
}

function leadsInside(): AppFailure {
  const message = "Its name leads to this machine, its network or a reserved address, so nothing was sent.";
  return new AppFailure({ kind: "malformed", message, code: privateAddressCode, notSent: true });
}

/** Refuses a name that resolves to a private address here: a proxy looks the name up itself, and may get a private address too. */
async function refusePrivateName({ hostname }: URL, checked: Lookup): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>();
  checked(hostname.replace(/^\[(.*)\]$/, "$1"), { all: true }, (error) => resolve(error));
  if ((await promise)?.code === privateAddressCode) throw leadsInside();
}

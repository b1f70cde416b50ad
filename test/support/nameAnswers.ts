/** Answers for a name in place of the system's resolver, for every connection of this process, as the owner of a domain can. */
import dns, { type LookupAddress, type LookupOptions } from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { isIPv6 } from "node:net";

type Done = (error: Error | null, address?: string | readonly LookupAddress[], family?: number) => void;

/** Answers each lookup with the next address, and with the last one for ever; `undefined` for no answer. `restoreNames` ends it. */
export function answerName(name: string, ...answers: readonly (string | undefined)[]): void {
  const before = dns.lookup;
  const left = [...answers];
  const lookup = (host: string, options: LookupOptions, done: Done): void => {
    if (host !== name) {
      (before as unknown as typeof lookup)(host, options, done);
      return;
    }
    const address = left.length > 1 ? left.shift() : left[0];
    setImmediate(() => {
      if (address === undefined) done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }));
      else if (options.all === true) done(null, [{ address, family: familyOf(address) }]);
      else done(null, address, familyOf(address));
    });
  };
  replaceLookup(lookup);
}

const systemLookup = dns.lookup;

export function restoreNames(): void {
  replaceLookup(systemLookup);
}

/** Modules that import `lookup` by its name see it only after the second call. */
function replaceLookup(lookup: unknown): void {
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
}

const familyOf = (address: string): 4 | 6 => (isIPv6(address) ? 6 : 4);

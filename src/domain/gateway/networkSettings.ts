/**
 * The network settings: those of the editor (proxy, certificates, the origins that only its own fetch can reach) and `sluice.requestHeaders` (C4).
 */
import * as z from "zod/mini";

export interface NetworkSettings {
  /** False for a direct connection, whatever else is set here or in the environment. */
  readonly useProxy: boolean;
  /** The address as typed, with or without a scheme; may hold a user name and a password, so it is never shown unredacted. */
  readonly proxy?: string;
  /** The `Proxy-Authorization` header, in place of the user name and password of the address. A secret. */
  readonly proxyAuthorization?: string;
  /** Hosts that are connected to directly, in addition to those of the environment. */
  readonly noProxy: readonly string[];
  /** Whether the certificate of the proxy itself is checked. The gateway's always is. */
  readonly strictProxyCertificates: boolean;
  /** Whether certificates of the system's store are trusted in addition to Node's own. */
  readonly systemCertificates: boolean;
  /** Whether VS Code's fetch may reach hosts that undici cannot. */
  readonly editorFetch: boolean;
}

/**
 * Reads VS Code's `http.*` settings; a value of the wrong type is treated as not set. Of the values of `proxySupport`
 * only `off` matters here: the others decide between the proxy of the settings and one that an extension sets.
 * `useLocalProxyConfiguration` decides which machine's settings are read, which the editor does itself.
 */
export function readNetworkSettings(read: (id: string) => unknown): NetworkSettings {
  const text = (id: string): string => {
    const value = read(id);
    return typeof value === "string" ? value.trim() : "";
  };
  const [proxy, proxyAuthorization, noProxy] = [text("proxy"), text("proxyAuthorization"), read("noProxy")];
  const useProxy = read("proxySupport") !== "off";
  return {
    useProxy,
    ...(proxy === "" ? {} : { proxy }),
    ...(proxyAuthorization === "" ? {} : { proxyAuthorization }),
    noProxy: Array.isArray(noProxy) ? noProxy.filter((entry): entry is string => typeof entry === "string") : [],
    strictProxyCertificates: read("proxyStrictSSL") !== false,
    systemCertificates: read("systemCertificates") !== false,
    editorFetch: read("electronFetch") === true || (useProxy && read("fetchAdditionalSupport") !== false),
  };
}

/** VS Code's own defaults. */
export const defaultNetworkSettings = readNetworkSettings(() => undefined);

/** Compares two settings that `readNetworkSettings` made. */
export function sameNetworkSettings(one: NetworkSettings, other: NetworkSettings): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The origins that only the editor's fetch reached, each with the time when that was found (milliseconds since 1970). */
export interface RememberedOrigins {
  read(origin: string): number | undefined;
  write(origin: string, since: number): void;
  /** Forgets all of them when no origin is given. */
  forget(origin?: string): void;
}

// Reads the setting `sluice.requestHeaders`, the headers that a gateway wants in addition to the key. Each gateway has its own.

/** package.json has the same as a JSON Schema, by which VS Code checks settings.json. */
export const headerEntrySchema = z.strictObject({
  gateway: z.string().check(z.minLength(1), z.maxLength(2_000)),
  headers: z.record(z.string(), z.string().check(z.maxLength(8_000))),
});

/** Returns the secret values among the headers for a URL. */
export type HeaderSecrets = (url: URL) => readonly string[];

/** Returns the headers for a URL: only those of the entries with its origin, as a key goes to its origin only. */
export type RequestHeaders = (url: URL) => Readonly<Record<string, string>>;

/** These headers frame the request or carry the key, so an entry can't set them. */
const reserved =
  /^(?:authorization|x-api-key|x-goog-api-key|cookie|host|connection|keep-alive|upgrade|te|trailer|expect|accept-encoding|content-.*|transfer-encoding|proxy-.*)$/i;
const name = /^[!#$%&'*+.^_`|~0-9a-z-]{1,200}$/i;
/**
 * Matches the names of headers that carry a secret. The value of any other, such as the name of a provider, is not hidden, because an error may be
 * about it. Portkey's headers are named after itself, so `portkey` does not count as `key`.
 */
const secretName = /auth(?!or\b)|cred|(?<!port)key|passw|secret|session|token/i;
const variable = /\$\{env:([A-Za-z_]\w*)\}/g;

/**
 * Leaves out entries and headers that can't be used, because VS Code marks them in settings.json. `${env:NAME}` stands for a variable of the
 * environment, so that a secret need not be in the settings. A header whose variable is not set is left out.
 */
export function readRequestHeaders(
  entries: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  url: URL,
): ReturnType<RequestHeaders> {
  return Object.fromEntries(usable(entries, environment, url).map(({ key, value }) => [key, value]));
}

/**
 * Returns the values that must not be shown if the gateway echoes them: those from the environment, and those of headers named after a secret.
 */
export function readHeaderSecrets(...read: Parameters<typeof readRequestHeaders>): readonly string[] {
  const secrets = usable(...read).filter(({ key, given }) => secretName.test(key) || given.search(variable) >= 0);
  // A gateway that echoes `Bearer abc` may leave the scheme out, so the last word is a secret too.
  return [...new Set(secrets.flatMap(({ value }) => [value.trim(), ...value.trim().split(/\s+/).slice(-1)]))];
}

interface UsableHeader {
  readonly key: string;
  readonly value: string;
  /** The value as the settings have it, before variables are replaced. */
  readonly given: string;
}

function usable(
  entries: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  url: URL,
): readonly UsableHeader[] {
  const set = (Array.isArray(entries) ? entries : []).flatMap((entry) => {
    const { success, data } = headerEntrySchema.safeParse(entry);
    const isOfUrl = success && URL.canParse(data.gateway) && new URL(data.gateway).origin === url.origin;
    return isOfUrl ? Object.entries(data.headers) : [];
  });
  return set.flatMap(([key, given]) => {
    const isKnown = [...given.matchAll(variable)].every(([, wanted = ""]) => environment[wanted] !== undefined);
    const value = given.replaceAll(variable, (_, wanted: string) => environment[wanted] ?? "");
    // Any other character would end the header, or is not allowed in one.
    const isSafe = name.test(key) && !reserved.test(key) && /^[\t\x20-\x7e]*$/.test(value);
    return isKnown && isSafe ? [{ key: key.toLowerCase(), value, given }] : [];
  });
}

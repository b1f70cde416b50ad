/** The setting `sluice.requestHeaders`: what some gateways want to be told beside the key, each gateway its own. */
import * as z from "zod/mini";

/** package.json has it as JSON Schema. */
export const headerEntrySchema = z.strictObject({
  gateway: z.string().check(z.minLength(1), z.maxLength(2_000)),
  headers: z.record(z.string(), z.string().check(z.maxLength(8_000))),
});

/** For a URL: the values of its headers that are secret. */
export type HeaderSecrets = (url: URL) => readonly string[];

/** For a URL: its headers. Only those of the entries with its origin, as a key goes to its origin only. */
export type RequestHeaders = (url: URL) => Readonly<Record<string, string>>;

/** They frame the request, or carry the key. */
const reserved =
  /^(?:authorization|x-api-key|x-goog-api-key|cookie|host|connection|keep-alive|upgrade|te|trailer|expect|accept-encoding|content-.*|transfer-encoding|proxy-.*)$/i;
const name = /^[!#$%&'*+.^_`|~0-9a-z-]{1,200}$/i;
/** Of a header that carries a secret. The value of any other is a plain word, such as the name of a provider, which an error may need (Portkey's are named after itself). */
const secretName = /auth(?!or\b)|cred|(?<!port)key|passw|secret|session|token/i;
const variable = /\$\{env:([A-Za-z_]\w*)\}/g;

/**
 * Entries and headers that can't be used are left out: VS Code marks them in settings.json. `${env:NAME}` is the variable of the environment,
 * so that a secret need not stand in the settings; without it the header is left out.
 */
export function readRequestHeaders(
  entries: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  url: URL,
): ReturnType<RequestHeaders> {
  return Object.fromEntries(usable(entries, environment, url).map(({ key, value }) => [key, value]));
}

/** What must not be shown where the gateway says it back: values from the environment, and those of headers that are named after a secret. */
export function readHeaderSecrets(...read: Parameters<typeof readRequestHeaders>): readonly string[] {
  const secrets = usable(...read).filter(({ key, given }) => secretName.test(key) || given.search(variable) >= 0);
  // `Bearer abc`: a gateway that says it back may leave the scheme out.
  return [...new Set(secrets.flatMap(({ value }) => [value, ...value.split(/\s+/).slice(-1)]))];
}

interface UsableHeader {
  readonly key: string;
  readonly value: string;
  /** The value as it is set. */
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
    // Anything else would end the header, or is not allowed in one.
    const isSafe = name.test(key) && !reserved.test(key) && /^[\t\x20-\x7e]*$/.test(value);
    return isKnown && isSafe ? [{ key: key.toLowerCase(), value, given }] : [];
  });
}

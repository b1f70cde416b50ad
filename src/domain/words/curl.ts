/** A request as a command for a POSIX shell, with a variable in place of the key. */
import type { KeyPlace } from "../gateway/key";

/** A copied command reads the key from this environment variable. */
const key = "$SLUICE_API_KEY";

export interface CurlRequest {
  readonly url: string;
  /** `bearer` when left out. */
  readonly keyPlace?: KeyPlace;
  readonly headers?: Readonly<Record<string, string>>;
  /** With a body it is a POST. */
  readonly body?: string;
}

export function curl({ url, keyPlace = "bearer", headers = {}, body }: CurlRequest): string {
  const lines = [keyPlace === "query" ? `curl ${quote(withQuery(url))}"${key}"` : `curl ${quote(url)}`];
  if (keyPlace !== "query")
    lines.push(`-H "${keyPlace === "bearer" ? "Authorization: Bearer" : `${keyPlace}:`} ${key}"`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quote(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`--data-raw ${quote(body)}`);
  return lines.join(" \\\n  ");
}

function withQuery(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}key=`;
}

/** Within single quotation marks a shell expands nothing; the mark itself ends them, is escaped, and opens them again. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

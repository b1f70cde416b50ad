/** The bytes behind a result's URL, wherever it leads; the key goes along to the gateway's own origin only (T8, C2). */
import { GatewayFailure } from "../../domain/errors";
import type { Asset } from "../../domain/ports";
import type { Http } from "../http/gatewayHttp";

const mostRedirects = 5;
const unknownType = "application/octet-stream";

export async function downloadAsset(http: Http, origin: string, text: string, signal?: AbortSignal): Promise<Asset> {
  if (text.startsWith("data:")) return readDataUrl(text);
  let url = readAssetUrl(text);
  // Once another origin has had a say in where to go, the key stays at home, also when the way leads back there.
  let withKey = url.origin === origin;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const answer = await http.send({ method: "GET", url, accept: "*/*", withKey, signal });
    if (answer.status < 300) return { mimeType: readMimeType(answer.contentType), body: answer.body };
    await answer.text();
    const location = answer.headers.get("location");
    if (location === undefined) throw answer.toMalformed(`The result's address answered with status ${answer.status}.`);
    url = readAssetUrl(location, url);
    withKey &&= url.origin === origin;
  }
  throw new GatewayFailure({ kind: "malformed", message: "The result's address redirects without end." });
}

function readAssetUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new GatewayFailure({ kind: "malformed", message: "The result's address is no web address.", notSent: true });
}

function readMimeType(contentType: string | undefined): string {
  return contentType?.split(";")[0]?.trim().toLowerCase() || unknownType;
}

function readDataUrl(text: string): Asset {
  const comma = text.indexOf(",");
  const head = text.slice("data:".length, comma);
  const data = text.slice(comma + 1);
  const isBase64 = /;\s*base64\s*$/i.test(head);
  if (comma === -1) throw new GatewayFailure({ kind: "malformed", message: "The result's data URL is broken." });
  const bytes = isBase64 ? Buffer.from(data, "base64") : Buffer.from(decodePercent(data));
  return { mimeType: readMimeType(head === "" ? "text/plain" : head), body: once(bytes) };
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

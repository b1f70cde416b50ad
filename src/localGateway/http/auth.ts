/** Who may ask: the key in the header of service-spec 5, or where the clients of the other two families put it. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Family } from "../../domain/chat";
import { HttpError } from "./httpError";
import { type RequestHead, familyOf } from "./familyOf";

/** Why the key is refused, if it is. Compared by digest, so that the time taken tells nothing. */
export function checkKey(asked: RequestHead, key: string): HttpError | undefined {
  const family = familyOf(asked);
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(asked.request.headers.authorization ?? "") ?? [];
  const own = ownKey(asked, family);
  // As a relay does: what is only for this family goes before what is for all.
  const given = own ?? bearer;
  if (given !== undefined && timingSafeEqual(digest(given), digest(key))) return undefined;
  if (family === "generate-content") return refuseAsGoogle(given, own !== undefined);
  const message = given === undefined ? "No API key was sent." : "This API key is not the one of this gateway.";
  return new HttpError(401, "invalid_api_key", message, { headers: { "www-authenticate": "Bearer" } });
}

function ownKey({ request: { headers }, url }: RequestHead, family: Family): string | undefined {
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  if (family === "messages") return header("x-api-key");
  if (family === "generate-content") return header("x-goog-api-key") ?? url.searchParams.get("key") ?? undefined;
  return undefined;
}

/** Three answers for three mistakes: none is 403, a wrong key 400, a wrong bearer 401. */
function refuseAsGoogle(given: string | undefined, isKey: boolean): HttpError {
  if (given === undefined) {
    const message = "No API key was sent: this method is not for callers that nobody knows.";
    return new HttpError(403, "permission_denied", message);
  }
  if (isKey) return new HttpError(400, "API_KEY_INVALID", "API key not valid. Please pass a valid API key.");
  return new HttpError(401, "invalid_api_key", "The bearer token is not the key of this gateway.");
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

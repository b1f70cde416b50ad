/** The faults that strike the gateway itself rather than an answer: a restart, another key (K21, K22 of the quirk list). */
import { HttpError } from "../http/errors";
import { cutLine, type Exchange } from "../http/exchange";
import { faultKinds } from "./faultTable";
import type { Services } from "../services";

/** True when the line is cut and nothing is to be answered; throws the 401 that the old key gets. */
export function strikeGateway(exchange: Exchange, { whole }: Services): boolean {
  const away = exchange.faults.take(faultKinds.taskRestart)?.value;
  if (away !== undefined) {
    cutLine(exchange);
    whole.goAway(away);
    return true;
  }
  const key = exchange.faults.take(faultKinds.taskKeyRotated)?.value;
  if (key === undefined) return false;
  whole.rotateKey(key);
  throw new HttpError(401, "invalid_api_key", "This API key was replaced by another one.", {
    headers: { "www-authenticate": "Bearer" },
  });
}

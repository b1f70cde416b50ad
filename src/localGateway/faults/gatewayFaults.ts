/** The faults that strike the gateway itself rather than an answer: a restart, another key (K21, K22 of the quirk list). */
import { HttpError } from "../http/httpError";
import { cutConnection, type RequestContext } from "../http/requestContext";
import { faultKinds } from "./faultTable";
import type { Services } from "../services";

/** True when the line is cut and nothing is to be answered; throws the 401 that the old key gets. */
export function applyGatewayFault(context: RequestContext, { keys, listener }: Services): boolean {
  const away = context.faults.take(faultKinds.taskRestart)?.value;
  if (away !== undefined) {
    cutConnection(context);
    listener.suspend(away);
    return true;
  }
  const key = context.faults.take(faultKinds.taskKeyRotated)?.value;
  if (key === undefined) return false;
  keys.replace(key);
  throw new HttpError(401, "invalid_api_key", "This API key was replaced by another one.", {
    headers: { "www-authenticate": "Bearer" },
  });
}

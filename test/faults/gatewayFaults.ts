/** Quirks Q-K21 and Q-K22: faults of the gateway as a whole, a restart and a replaced key. */
import { HttpError } from "../../src/localGateway/http/httpError";
import { cutConnection, type RequestContext } from "../../src/localGateway/http/requestContext";
import { faultKinds } from "./faultTable";
import type { HttpServices } from "../../src/localGateway/http/httpServices";

/** True when the connection was cut, so no response follows; throws the 401 for the replaced key. */
export function applyGatewayFault(context: RequestContext, { keys, listener }: HttpServices): boolean {
  const away = context.faults.take(faultKinds.taskRestart)?.value;
  if (away !== undefined) {
    cutConnection(context);
    listener.suspend(away);
    return true;
  }
  const key = context.faults.take(faultKinds.taskKeyRotated)?.value;
  if (key === undefined) return false;
  keys.replace(key, context.account);
  throw new HttpError(401, "invalid_api_key", "This API key was replaced by another one.", {
    headers: { "www-authenticate": "Bearer" },
  });
}

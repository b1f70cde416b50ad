/** Faults that replace a whole response before the request has any effect. */
import { HttpError } from "../../src/localGateway/http/httpError";
import { type RequestContext, sendJson } from "../../src/localGateway/http/requestContext";
import { sendFailure } from "../../src/localGateway/http/familyErrors";
import { faultKinds } from "./faultTable";

/** True when a fault has sent the response, or keeps the request without one. */
export async function respondWithFault(context: RequestContext): Promise<boolean> {
  const { response, request, faults } = context;
  if (faults.take(faultKinds.httpHang) !== undefined) {
    await hang(context);
    return true;
  }
  if (faults.take(faultKinds.httpEmpty200) !== undefined) {
    request.resume();
    response.writeHead(200, { "content-length": 0 }).end();
    return true;
  }
  if (faults.take(faultKinds.httpHtml) !== undefined) {
    request.resume();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    return true;
  }
  const fault = faults.take(faultKinds.httpStatus);
  if (fault === undefined) return false;
  request.resume();
  const { status, headers = {}, body } = fault.value;
  if (typeof body === "string") {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
  } else {
    const { code, message } = statusTexts[status] ?? { code: "fault", message: `Made up by a fault: ${status}.` };
    if (body === undefined) sendFailure(context, new HttpError(status, code, message, { headers }));
    else sendJson(context, status, body, headers);
  }
  return true;
}

/** Sends no response; resolves when the client closes the connection. */
export async function hang({ request, response, signal }: RequestContext): Promise<void> {
  request.resume();
  response.socket?.setTimeout(0);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A response as a captive portal or a proxy sends it. */
const page = "<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in to go on</h1></body></html>\n";

const statusTexts: Readonly<Record<number, { code: string; message: string }>> = {
  401: { code: "invalid_api_key", message: "This API key is not the one of this gateway." },
  402: { code: "insufficient_balance", message: "The balance is too low for this request." },
  403: { code: "task_type_not_enabled", message: "This task type is not enabled for this account." },
  429: { code: "rate_limited", message: "Too many requests." },
  500: { code: "internal_error", message: "The gateway failed." },
  503: { code: "unavailable", message: "The gateway is overloaded." },
};

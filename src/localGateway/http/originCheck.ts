/** Refuses requests for another host name and from pages of other sites. */
import type { IncomingMessage } from "node:http";
import { foreignnessOf } from "../../base/foreignRequest";
import { HttpError } from "./httpError";

/** The error response, also for a request with the right key. */
export function refuseForeignRequest(request: IncomingMessage): HttpError | undefined {
  switch (foreignnessOf(request)) {
    case "host":
      return new HttpError(403, "forbidden_host", "This gateway answers to 127.0.0.1 and localhost only.");
    case "origin":
      return new HttpError(403, "forbidden_origin", "This gateway answers to no page of another site.");
    case undefined:
      return undefined;
  }
}

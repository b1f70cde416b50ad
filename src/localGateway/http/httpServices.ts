/** The services for receiving and routing a request. */
import type { Clock } from "../../base/clock";
import type { BodyTurns, RequestContext, ClientWatch, WatchedRequest } from "./requestContext";
import type { KeyRing } from "./keyRing";
import type { PortListener } from "./portListener";
import type { RequestFaults } from "./requestFaults";
import type { RequestLog } from "./requestLog";

export interface HttpServices {
  readonly keys: KeyRing;
  /** Aborts when the gateway closes. */
  readonly closing: AbortSignal;
  readonly clock: Clock;
  readonly bodyTurns: BodyTurns;
  readonly log: RequestLog;
  readonly listener: PortListener;
  /** Additional headers of each response. */
  readonly moreHeaders?: ((requestId: string) => Readonly<Record<string, string>>) | undefined;
  readonly clientReport: { watch(request: WatchedRequest): ClientWatch };
  /** The faults; missing when the gateway was started without them. */
  readonly injectedFaults?: HttpFaults;
}

/** The faults that act on whole requests. */
export interface HttpFaults {
  readonly switches: { readonly armed: readonly ShownFault[] };
  /** `onTaken` receives the names of all faults taken so far, each time one is added. */
  faultsOf(route: string, onTaken: (names: readonly string[]) => void): RequestFaults;
  /**
   * True when a fault has responded, cut the connection, or keeps the request without a response. `header`: the fault that the request
   * names for itself; throws a 400 for an unknown one.
   */
  respond(context: RequestContext, services: HttpServices, header: string | undefined): Promise<boolean>;
}

export interface ShownFault {
  readonly name: string;
  readonly route?: string;
  /** The remaining number of uses; when missing, the fault acts until it is cleared. */
  readonly times?: number;
}

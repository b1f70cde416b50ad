/** What a gateway does only to try a client: faults that are armed by name. Tests, and the gateway of contributors, pass it to the gateway that they start. */
import type { HttpServices } from "../../src/localGateway/http/httpServices";
import type { GatewayFaults } from "../../src/localGateway/services";
import { readJson, type RequestContext, sendJson, cutConnection } from "../../src/localGateway/http/requestContext";
import type { RequestFaults } from "../../src/localGateway/http/requestFaults";
import { type Route, route } from "../../src/localGateway/http/routeTable";
import { respondWithFault } from "./httpFaults";
import { taskEffects } from "./taskEffects";
import { type Fault, FaultSwitches, TakenFaults } from "./faultSwitches";
import { faultTable, faultKinds } from "./faultTable";
import { HttpError } from "../../src/localGateway/http/httpError";

const maxBodySize = 100_000;

export class InjectedFaults implements GatewayFaults {
  readonly switches: FaultSwitches;
  readonly tasks = taskEffects;

  constructor(faults: readonly Fault[] = []) {
    this.switches = new FaultSwitches(faults);
  }

  get routes(): readonly Route<unknown>[] {
    return faultRoutes(this.switches);
  }

  faultsOf(route: string, onTaken: (names: readonly string[]) => void): RequestFaults {
    return new TakenFaults(this.switches, route, onTaken);
  }

  async respond(context: RequestContext, services: HttpServices, header: string | undefined): Promise<boolean> {
    if (header !== undefined && context.faults instanceof TakenFaults) context.faults.armOwn(header);
    return applyGatewayFault(context, services) || (await respondWithFault(context));
  }
}

/** The endpoints that list, arm and clear faults. */
function faultRoutes(faults: FaultSwitches): readonly Route<unknown>[] {
  return [
    route("GET /_local/faults", (context) => {
      const table = faultTable.map(({ name, does }) => ({ name, does }));
      sendJson(context, 200, { armed: faults.armed, table });
    }),
    route("POST /_local/faults", async (context) => {
      sendJson(context, 200, { armed: faults.arm(await readJson(context, maxBodySize)) });
    }),
    route("DELETE /_local/faults", (context) => {
      faults.clear();
      sendJson(context, 200, { armed: [] });
    }),
  ];
}

/**
 * Quirks Q-K21 and Q-K22: faults of the gateway as a whole, a restart and a replaced key. True when the connection was cut, so no
 * response follows; throws the 401 for the replaced key.
 */
function applyGatewayFault(context: RequestContext, { keys, listener }: HttpServices): boolean {
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

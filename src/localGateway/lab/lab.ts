/** What a gateway does only to try a client: faults that are armed by name. Loaded where a gateway is started with it. */
import type { HttpLab, HttpServices } from "../http/httpServices";
import { readJson, type RequestContext, sendJson } from "../http/requestContext";
import type { RequestFaults } from "../http/requestFaults";
import { type Route, route } from "../http/routeTable";
import { applyGatewayFault } from "./gatewayFaults";
import { respondWithFault } from "./httpFaults";
import { taskEffects } from "./taskEffects";
import { type Fault, FaultSwitches, TakenFaults } from "./faultSwitches";
import { faultTable } from "./faultTable";

const maxBodySize = 100_000;

export class Lab implements HttpLab {
  readonly faults: FaultSwitches;
  readonly tasks = taskEffects;

  constructor(faults: readonly Fault[] = []) {
    this.faults = new FaultSwitches(faults);
  }

  get routes(): readonly Route<unknown>[] {
    return faultRoutes(this.faults);
  }

  faultsOf(route: string, onTaken: (names: readonly string[]) => void): RequestFaults {
    return new TakenFaults(this.faults, route, onTaken);
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

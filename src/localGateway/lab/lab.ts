/** What a gateway does only to try a client: faults that are armed by name. Loaded where a gateway is started with it. */
import type { HttpLab, HttpServices } from "../http/httpServices";
import type { RequestContext } from "../http/requestContext";
import type { RequestFaults } from "../http/requestFaults";
import type { Route } from "../http/routeTable";
import { applyGatewayFault } from "./effects/gatewayFaults";
import { respondWithFault } from "./effects/httpFaults";
import { taskEffects } from "./effects/taskEffects";
import { faultRoutes } from "./faultRoutes";
import { type Fault, FaultSwitches, TakenFaults } from "./switches/faultSwitches";

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

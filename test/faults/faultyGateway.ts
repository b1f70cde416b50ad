/** A local gateway whose faults a test can arm. */
import { type LocalGateway, type StartLocalGatewayOptions, startLocalGateway } from "../../src/localGateway/server";
import { Lab } from "./lab";
import type { Fault, FaultSwitches } from "./faultSwitches";

export type FaultyGateway = LocalGateway & { readonly faults: FaultSwitches };

export async function startFaultyGateway(
  options: StartLocalGatewayOptions,
  armed: readonly Fault[] = [],
): Promise<FaultyGateway> {
  const lab = new Lab(armed);
  const gateway = await startLocalGateway({ ...options, lab });
  return Object.assign(gateway, { faults: lab.faults });
}

/** A local gateway whose faults a test can arm. */
import { type LocalGateway, type StartLocalGatewayOptions, startLocalGateway } from "../../src/localGateway/server";
import { InjectedFaults } from "./injectedFaults";
import type { Fault, FaultSwitches } from "./faultSwitches";

export type FaultyGateway = LocalGateway & { readonly faults: FaultSwitches };

export async function startFaultyGateway(
  options: StartLocalGatewayOptions,
  armed: readonly Fault[] = [],
): Promise<FaultyGateway> {
  const injectedFaults = new InjectedFaults(armed);
  const gateway = await startLocalGateway({ ...options, injectedFaults });
  return Object.assign(gateway, { faults: injectedFaults.switches });
}

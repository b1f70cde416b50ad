/** Connects *Check Connection* with settings, keys and network; the gateway's code is loaded with the first check. */
import { systemClock } from "../../base/async/systemClock";
import { definedFields } from "../../base/definedFields";
import type { Disposable } from "../../base/disposable";
import { readOrigin } from "../../domain/gateway/address";
import type { CheckConnection, ProbeAddress } from "../../domain/gateway/connectionCheck";
import { AppFailure } from "../../domain/errors/appError";
import type { Log } from "../../domain/ports";
import type { CheckPorts } from "../checkConnection";
import type { Limits } from "../http/network/limits";
import type { Network } from "../http/network/transport";
import { registerCheckConnection } from "./checkConnectionCommand";
import type { Dialogs } from "../../vscode/interface/dialogs";
import type { Keys } from "./keys";
import type { LocalGatewayProcess } from "../localGatewayProcess";
import type { Settings } from "../../vscode/settings/settings";

export interface CheckConnectionPorts {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly local: LocalGatewayProcess;
  readonly network: Network;
  readonly dialogs: Dialogs;
  readonly log: Log;
}

export function mountCheckConnection(ports: CheckConnectionPorts): Disposable {
  const { settings, keys, local, network, dialogs, log } = ports;
  return registerCheckConnection({
    dialogs,
    target: async () => {
      const baseUrl = settings.baseUrl.current;
      const surroundings = { addressFrom: settings.baseUrlSource(), limits: settings.limits() };
      if (baseUrl === "") {
        const { url, key } = await local.start();
        return { baseUrl: url, key, isLocal: true, ...surroundings };
      }
      const key = await readKey(keys, baseUrl);
      return { baseUrl, ...definedFields({ key }), isLocal: false, ...surroundings };
    },
    load: () => loadConnectionCheck({ settings, network, log }),
  });
}

type LoadPorts = Pick<CheckConnectionPorts, "settings" | "network" | "log">;

export async function loadConnectionCheck(ports: LoadPorts): Promise<CheckConnection> {
  const { createConnectionCheck, defaultLimits } = await import("../checkConnection");
  return createConnectionCheck(checkPorts(ports, defaultLimits));
}

export async function loadAddressProbe(ports: LoadPorts): Promise<ProbeAddress> {
  const { createAddressProbe, defaultLimits } = await import("../checkConnection");
  return createAddressProbe(checkPorts(ports, defaultLimits));
}

function checkPorts({ settings, network, log }: LoadPorts, defaults: Limits): CheckPorts {
  return {
    network,
    limits: () => ({ ...defaults, ...settings.limits() }),
    stylizedImageWord: settings.stylizedImageWord(),
    clock: systemClock,
    log,
  };
}

/** `undefined` also for an address that no key can belong to, which the check reports. */
async function readKey(keys: Keys, baseUrl: string): Promise<string | undefined> {
  try {
    return await keys.read(readOrigin(baseUrl));
  } catch (failure) {
    if (failure instanceof AppFailure) return undefined;
    throw failure;
  }
}

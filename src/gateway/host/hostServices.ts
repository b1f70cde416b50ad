/** The services for reaching gateways: settings, keys, network, connections. They are created first, because everything else needs them. */
import * as vscode from "vscode";
import type { DisposableStore } from "../../base/disposable";
import type { Attention, Connections, Log } from "../../domain/ports";
import { originOrText } from "../../domain/gateway/address";
import { systemClock } from "../../base/async/systemClock";
import { Balances } from "../balances";
import { Bills } from "../bills";
import { LearntAccess } from "../learntAccess";
import { KeyAccounts, type ConnectionOptions, GatewayConnections } from "../connections";
import type { Network } from "../http/network/transport";
import { createKeylessLog } from "../scrub";
import { createAttention } from "../../vscode/attention";
import { createKeys, type Keys } from "./keys";
import { createLocalGatewayProcess, type LocalGatewayProcess } from "../localGatewayProcess";
import { createLogChannel, type LogChannel } from "../../vscode/log";
import { createNetworkSettings, createRememberedOrigins } from "../../vscode/network";
import { createSettings, type Settings } from "../../vscode/settings";
import type { StoragePaths } from "../../vscode/storagePaths";
import { injectedTimes } from "../../vscode/injectedTimes";

export interface HostServices {
  readonly channel: LogChannel;
  /** The log of the channel, without keys. */
  readonly log: Log;
  readonly settings: Settings;
  readonly keys: Keys;
  readonly accounts: KeyAccounts;
  readonly local: LocalGatewayProcess;
  readonly network: Network;
  readonly connections: GatewayConnections;
  readonly learnt: LearntAccess;
  readonly balances: Balances;
  readonly bills: Bills;
  readonly attention: Attention;
}

export function createHostServices(
  context: vscode.ExtensionContext,
  storage: Pick<StoragePaths, "localGateway" | "balances">,
  mounted: DisposableStore,
): HostServices {
  const channel = mounted.add(createLogChannel());
  const keyless = createKeylessLog(channel);
  const { log } = keyless;
  const settings = mounted.add(createSettings());
  const keys = mounted.add(createKeys(context.secrets));
  const accounts = new KeyAccounts(keys.accounts);
  const local = mounted.add(
    createLocalGatewayProcess({
      program: vscode.Uri.joinPath(context.extensionUri, "dist", "localGateway.mjs").fsPath,
      state: storage.localGateway,
      speed: () => injectedTimes().speed ?? 1,
      relay: () => settings.get("localGateway.relay"),
      stylizedImageWord: () => settings.stylizedImageWord(),
      log,
    }),
  );
  mounted.add(settings.models.onDidChange(() => local.sendStylizedImageWord()));
  const network = {
    settings: mounted.add(createNetworkSettings()),
    environment: process.env,
    remembered: createRememberedOrigins(context.globalState),
    requestHeaders: (url: URL) => settings.requestHeaders(url),
    headerSecrets: (url: URL) => settings.headerSecrets(url),
  };
  const bills = new Bills({
    clock: systemClock,
    memory: {
      read: () => context.globalState.get("bills"),
      write: (findings) => void context.globalState.update("bills", findings),
    },
  });
  const learnt = new LearntAccess({
    read: () => context.globalState.get("learntAccess"),
    write: (entries) => void context.globalState.update("learntAccess", entries),
  });
  const connect = createConnect({ settings, network, log, bills, learnt });
  const connections = mounted.add(
    new GatewayConnections({
      baseUrl: settings.baseUrl,
      keys,
      accounts,
      local,
      log,
      connect: (endpoint) => {
        keyless.hide(endpoint.key);
        return connect(endpoint);
      },
    }),
  );
  const balances = mounted.add(
    new Balances({
      connections,
      settings,
      clock: systemClock,
      log,
      openBudget: async () => {
        const { openBalanceBudget } = await import("../balanceBudget");
        return openBalanceBudget(storage.balances);
      },
    }),
  );
  const attention = createAttention(mounted);
  return { channel, log, settings, keys, accounts, local, network, connections, learnt, balances, bills, attention };
}

/** Whether the gateway of the settings is the local one. */
export function isLocal({ current }: Connections): boolean {
  return current.current.state === "ready" && current.current.local;
}

/** The gateway's code, with the HTTP client in it, is loaded with the first connection. */
function createConnect({
  settings,
  network,
  log,
  bills,
  learnt,
}: Pick<HostServices, "settings" | "network" | "log" | "bills" | "learnt">): ConnectionOptions["connect"] {
  return async ({ baseUrl, key }) => {
    const { createHttpGateway } = await import("../httpGateway");
    const origin = originOrText(baseUrl);
    return createHttpGateway({
      baseUrl,
      key,
      log,
      bill: (verdict) => bills.add(origin, verdict),
      limits: () => settings.limits(),
      chat: (model) => settings.chat(model),
      learnt: learnt.at(origin),
      network,
      stylizedImageWord: () => settings.stylizedImageWord(),
    });
  };
}

/** Connects *Check Connection* with settings, keys and network; the gateway's code is loaded with the first check. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { systemClock } from "../../base/async/systemClock";
import { definedFields } from "../../base/definedFields";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { readOrigin } from "../../domain/gateway/address";
import {
  type CheckConnection,
  type ProbeAddress,
  type CheckEndpoint,
  type CheckReport,
  type CheckContext,
  emptyReport,
} from "../../domain/gateway/connectionCheck";
import { AppFailure } from "../../domain/errors/appError";
import type { Log } from "../../domain/ports";
import type { ConnectionCheckOptions } from "../checkConnection";
import type { Limits } from "../http/network/wire";
import type { Network } from "../http/network/transport";
import type { Dialogs } from "../../vscode/interface/dialogs";
import type { Keys } from "./keys";
import type { LocalGatewayProcess } from "../localGatewayProcess";
import type { Settings } from "../../vscode/settings";
import { isAbort } from "../../base/async/abort";
import { type ReportText, writeReport } from "./connect/writeReport";
import { commands } from "../../vscode/ids";
import { createLens } from "../../vscode/interface/show";
import { shownLine } from "../../vscode/interface/shownText";

interface CheckConnectionOptions {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly local: LocalGatewayProcess;
  readonly network: Network;
  readonly dialogs: Dialogs;
  readonly log: Log;
}

export function mountCheckConnection(options: CheckConnectionOptions): Disposable {
  const { settings, keys, local, network, dialogs, log } = options;
  return registerCheckConnection({
    dialogs,
    target: async () => {
      const baseUrl = settings.baseUrl.current;
      const checkContext = { addressFrom: settings.baseUrlSource(), limits: settings.limits() };
      if (baseUrl === "") {
        const { url, key } = await local.start();
        return { baseUrl: url, key, isLocal: true, ...checkContext };
      }
      const key = await readKey(keys, baseUrl);
      return { baseUrl, ...definedFields({ key }), isLocal: false, ...checkContext };
    },
    load: () => loadConnectionCheck({ settings, network, log }),
  });
}

type LoadOptions = Pick<CheckConnectionOptions, "settings" | "network" | "log">;

export async function loadConnectionCheck(options: LoadOptions): Promise<CheckConnection> {
  const { createConnectionCheck, defaultLimits } = await import("../checkConnection");
  return createConnectionCheck(checkOptions(options, defaultLimits));
}

export async function loadAddressProbe(options: LoadOptions): Promise<ProbeAddress> {
  const { createAddressProbe, defaultLimits } = await import("../checkConnection");
  return createAddressProbe(checkOptions(options, defaultLimits));
}

function checkOptions({ settings, network, log }: LoadOptions, defaults: Limits): ConnectionCheckOptions {
  return {
    network,
    limits: () => ({ ...defaults, ...settings.limits() }),
    stylizedImageWord: settings.stylizedImageWord(),
    clock: systemClock,
    log,
  };
}

/** Also `undefined` for an address that can have no key, which the check reports. */
async function readKey(keys: Keys, baseUrl: string): Promise<string | undefined> {
  try {
    return await keys.read(readOrigin(baseUrl));
  } catch (failure) {
    if (failure instanceof AppFailure) return undefined;
    throw failure;
  }
}

// *Check Connection* (C3) is a read-only document that fills in step by step, with buttons above failed steps.

const scheme = "sluice-connection";

interface CheckCommandOptions {
  readonly dialogs: Pick<Dialogs, "register" | "act">;
  /** The gateway to check. Rejects when the local gateway can't start. */
  readonly target: () => Promise<CheckEndpoint & CheckContext>;
  /** Loaded with the first check. */
  readonly load: () => Promise<CheckConnection>;
}

/** The actions that the document's buttons pass to the command. */
const buttonActions = [
  "cancel",
  "copy",
  "set-key",
  "choose-gateway",
  "choose-model",
  "open-console",
  "add-funds",
  "show-log",
] as const;
type ButtonAction = (typeof buttonActions)[number];

function registerCheckConnection(options: CheckCommandOptions): Disposable {
  const document = new ReportDocument();
  const store = new DisposableStore();
  store.add(document);
  store.add(
    options.dialogs.register(commands.checkConnection, async (argument) => {
      const action = buttonActions.find((one) => one === argument);
      if (action === "cancel") document.cancel();
      else if (action === "copy") await vscode.env.clipboard.writeText(document.text);
      else if (action !== undefined) options.dialogs.act(action);
      else await check(options, document);
    }),
  );
  return store;
}

async function check({ target, load }: CheckCommandOptions, document: ReportDocument): Promise<void> {
  const signal = document.begin();
  await document.show();
  try {
    const [endpoint, run] = await Promise.all([target(), load()]);
    const day = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: "medium", timeStyle: "short" });
    const write = (report: CheckReport): void => {
      if (!signal.aborted) document.set(writeReport(report, endpoint, (at) => day.format(at)));
    };
    write(emptyReport);
    await run(endpoint, write, signal);
    if (!signal.aborted) document.end();
  } catch (failure) {
    if (signal.aborted && isAbort(failure)) return;
    const message = failure instanceof Error ? failure.message : String(failure);
    document.end();
    document.set({ text: `${shownLine(t("The check could not be made: {0}", message), 600)}\n`, buttons: [] });
  }
}

class ReportDocument implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, Disposable {
  readonly #uri = vscode.Uri.from({ scheme, path: `/${t("Check Connection")}.md` });
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #registrations = new DisposableStore();
  #report: ReportText = { text: "", buttons: [] };
  #running: AbortController | undefined;

  constructor() {
    const { workspace, languages } = vscode;
    this.#registrations.add(workspace.registerTextDocumentContentProvider(scheme, this));
    this.#registrations.add(languages.registerCodeLensProvider({ scheme }, this));
    this.#registrations.add(
      // Closing the document aborts the check, because nobody waits for it any more.
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#running?.abort();
      }),
    );
    this.#registrations.add(this.#changed);
    this.#registrations.add(this.#lensesChanged);
  }

  get onDidChange(): vscode.Event<vscode.Uri> {
    return this.#changed.event;
  }

  get onDidChangeCodeLenses(): vscode.Event<void> {
    return this.#lensesChanged.event;
  }

  get text(): string {
    return this.#report.text;
  }

  /** Aborts the check before, and returns the signal of the next one. */
  begin(): AbortSignal {
    this.#running?.abort();
    this.#running = new AbortController();
    this.set({ text: `${t("Checking. Nothing is paid and nothing is created.")}\n`, buttons: [] });
    return this.#running.signal;
  }

  async show(): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.#uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  set(report: ReportText): void {
    this.#report = report;
    this.#changed.fire(this.#uri);
    this.#lensesChanged.fire();
  }

  end(): void {
    this.#running = undefined;
    this.#lensesChanged.fire();
  }

  cancel(): void {
    if (!this.#running) return;
    this.#running.abort();
    this.end();
    this.set({ text: `${this.#report.text}${t("Cancelled.")}\n`, buttons: this.#report.buttons });
  }

  provideTextDocumentContent(): string {
    return this.#report.text;
  }

  provideCodeLenses(): vscode.CodeLens[] {
    const command = commands.checkConnection;
    const lens = (line: number, label: string, ...args: readonly ButtonAction[]): vscode.CodeLens =>
      createLens(line, label, command, args);
    const first = this.#running
      ? [lens(0, t("Cancel"), "cancel")]
      : [lens(0, t("Run Again")), lens(0, t("Copy"), "copy")];
    const others = this.#report.buttons.flatMap(({ line, label, action }) => {
      const known = buttonActions.find((one) => one === action);
      return known === undefined ? [] : [lens(line, label, known)];
    });
    return [...first, ...others];
  }

  dispose(): void {
    this.#running?.abort();
    this.#registrations.dispose();
  }
}

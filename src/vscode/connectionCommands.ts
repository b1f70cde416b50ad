/** The commands for the gateway and its key (C1, C2). A key is typed into a password box and kept in the secret storage only. */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../base/disposable";
import type { AccountsOfKeys } from "../domain/account";
import { type GatewayError, GatewayFailure } from "../domain/errors";
import type { Connections } from "../domain/ports";
import { isKey } from "../domain/key";
import { countAccounts } from "../tasks/accountTasks";
import type { TaskBoard } from "../tasks/board";
import { askForAccount } from "./askForAccount";
import type { Dialogs } from "./dialogs";
import { commands } from "./ids";
import type { Keys } from "./keys";
import { type PickChoice, StepPicker } from "./pickSteps";
import type { Settings } from "./settings";
import { askSecret, notifyInformation } from "./show";

export interface ConnectionCommandPorts {
  readonly connections: Connections;
  readonly settings: Settings;
  readonly keys: Keys;
  readonly accounts: AccountsOfKeys;
  readonly board: Pick<TaskBoard, "tasks">;
  readonly dialogs: Dialogs;
  readonly memory: vscode.Memento;
  /** The origin of a base URL. Throws a `GatewayFailure` with the reason when the URL is not acceptable. */
  readonly readOrigin: (baseUrl: string) => string;
}

const recentKey = "recentGateways";

export function registerConnectionCommands(ports: ConnectionCommandPorts): Disposable {
  const { settings, dialogs } = ports;
  const store = new DisposableStore();
  store.add(dialogs.register(commands.chooseGateway, () => chooseGateway(ports)));
  store.add(dialogs.register(commands.useLocalGateway, () => settings.setBaseUrl("")));
  store.add(dialogs.register(commands.setKey, () => setKey(ports)));
  store.add(dialogs.register(commands.forgetKey, () => forgetKey(ports)));
  return store;
}

async function chooseGateway(ports: ConnectionCommandPorts): Promise<void> {
  const { settings, keys, memory, readOrigin } = ports;
  const recent = readRecent(memory);
  const url = await askForGateway(recent, readOrigin);
  if (url === undefined) return;
  await settings.setBaseUrl(url);
  if (url === "") return;
  await memory.update(recentKey, [url, ...recent.filter((other) => other !== url)].slice(0, 10));
  const origin = readOrigin(url);
  if ((await keys.read(origin)) === undefined) await askForKey(ports, origin);
}

async function askForGateway(
  recent: readonly string[],
  readOrigin: (baseUrl: string) => string,
): Promise<string | undefined> {
  const picker = new StepPicker(t("Choose Gateway"));
  try {
    const answer = await picker.ask({
      placeholder: t("Choose, or type an address such as https://gateway.example/v1"),
      choices: [
        { label: t("Local gateway"), description: t("ships with Sluice, needs no account"), value: "" },
        ...recent.map((url): PickChoice<string> => ({ label: url, value: url })),
      ],
      typed: (url) => {
        const problem = problemOf(url, readOrigin);
        // An unusable address can't be accepted: its item shows the reason.
        return problem === undefined
          ? { label: url, description: t("use this address"), value: url }
          : { label: url, description: problem };
      },
    });
    return typeof answer === "string" ? undefined : answer.value;
  } finally {
    picker.dispose();
  }
}

function problemOf(url: string, readOrigin: (baseUrl: string) => string): string | undefined {
  try {
    readOrigin(url);
    return undefined;
  } catch (failure) {
    return failure instanceof GatewayFailure ? describeAddressProblem(failure.error) : String(failure);
  }
}

/** Of an address that `readOrigin` refuses. */
function describeAddressProblem({ code, message }: GatewayError): string {
  switch (code) {
    case "address-unreadable":
      return t("This is no address. It looks like https://gateway.example/v1.");
    case "address-login":
      return t("The address may not hold a user name or password.");
    case "address-query":
      return t("The address may not hold anything after ? or #. A key is set by Sluice: Set API Key.");
    case "address-insecure":
      return t("Only https: is safe for a key, except on this machine.");
    case undefined:
    default:
      return message;
  }
}

async function setKey(ports: ConnectionCommandPorts): Promise<void> {
  const baseUrl = ports.settings.baseUrl.current;
  if (baseUrl === "") {
    const choose = t("Choose Gateway");
    const chosen = await notifyInformation(
      t("The local gateway has its own key. Choose another gateway to use yours."),
      choose,
    );
    if (chosen === choose) await chooseGateway(ports);
    return;
  }
  await askForKey(ports, ports.readOrigin(baseUrl));
}

async function askForKey(ports: ConnectionCommandPorts, origin: string): Promise<void> {
  const key = await askSecret({
    title: t("API Key for {0}", origin),
    prompt: t("Kept in this machine's secret storage and sent to {0} only.", origin),
    problemOf: (value) =>
      value === "" || isKey(value.trim()) ? undefined : t("A key has no blanks and only plain characters."),
  });
  // Pasted text often ends with a line break.
  const trimmed = key?.trim() ?? "";
  if (trimmed !== "") await storeKey(ports, origin, trimmed);
}

/** A key is no account: where tasks of another one are known, the person says once whose key this is. */
async function storeKey({ keys, accounts, board }: ConnectionCommandPorts, origin: string, key: string): Promise<void> {
  const before = await keys.read(origin);
  const known = await accounts.at(origin);
  const account = known.ofKey(key);
  const others = countAccounts(board.tasks.values(), origin, known.resolve).filter(({ id }) => id !== account);
  if (others.length > 0 && !known.isAssigned(key)) {
    const last = before === undefined ? undefined : known.ofKey(before);
    const answer = await askForAccount(origin, others, last);
    if (answer === undefined) return;
    await accounts.assign(origin, key, answer.account);
  }
  await keys.store(origin, key);
}

async function forgetKey({ settings, keys, readOrigin }: ConnectionCommandPorts): Promise<void> {
  const baseUrl = settings.baseUrl.current;
  if (baseUrl === "") {
    void notifyInformation(t("The local gateway has its own key; there is none to forget."));
    return;
  }
  const origin = readOrigin(baseUrl);
  await keys.forget(origin);
  void notifyInformation(t("The key for {0} is forgotten on this machine.", origin));
}

function readRecent(memory: vscode.Memento): string[] {
  const kept: unknown = memory.get(recentKey);
  return Array.isArray(kept) ? kept.filter((url): url is string => typeof url === "string") : [];
}

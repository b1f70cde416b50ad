/** The commands for the gateway and its key (C1, C2). A key is typed into a password box and kept in the secret storage only. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable";
import type { CheckConnection } from "../../domain/gateway/connectionCheck";
import { type AccountsOfKeys, shortAccount } from "../../domain/gateway/account";
import { readOrigin } from "../../domain/gateway/address";
import { countAccounts, type AccountTasks } from "../../domain/task/taskPort";
import type { Task } from "../../domain/task/task";
import { askForAddress, consoleChoice, readRecentGateways, rememberGateway } from "./connect/addressStep";
import type { LearntAccess } from "../learntAccess";
import { refusalOf } from "../../domain/words/describeCheck";
import { keyProblem, askSecret } from "./connect/keyStep";
import type { Dialogs } from "../../vscode/interface/dialogs";
import { commands, focusChat, internalCommands } from "../../vscode/ids";
import type { Keys } from "./keys";
import { StepPicker, type PickChoice } from "../../vscode/interface/pickSteps";
import { runCommand } from "../../vscode/interface/runCommand";
import type { Settings } from "../../vscode/settings";
import { notifyInformation, notifyWarning } from "../../vscode/interface/show";
import { plural } from "../../domain/words/plural";
import { createTimes } from "../../domain/words/timeFormats";

export interface ConnectionCommandOptions {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly accounts: AccountsOfKeys;
  readonly learnt: LearntAccess;
  readonly board: { readonly listed: ReadonlyMap<string, Task> };
  readonly dialogs: Dialogs;
  readonly memory: vscode.Memento;
  /** *Connect to a Gateway…*; `address`: an address that was chosen already. */
  readonly connect: (address?: string) => Promise<void>;
  readonly loadCheck: () => Promise<CheckConnection>;
}

export function registerConnectionCommands(options: ConnectionCommandOptions): Disposable {
  const { dialogs } = options;
  const store = new DisposableStore();
  store.add(dialogs.register(commands.chooseGateway, () => chooseGateway(options)));
  store.add(dialogs.register(commands.connectGateway, () => options.connect()));
  store.add(dialogs.register(internalCommands.useLocalGateway, () => useLocalGateway(options)));
  store.add(dialogs.register(commands.setKey, () => setKey(options)));
  return store;
}

/** Switches to a recent gateway with a key at once; for any other one the connect flow starts. */
async function chooseGateway(options: ConnectionCommandOptions): Promise<void> {
  const { settings, keys, learnt, memory, dialogs, connect } = options;
  const { current } = settings.baseUrl;
  // One that was set by hand is not among the recent ones.
  const recent = [...new Set([...readRecentGateways(memory), current])].filter((url) => url !== "");
  const hasConsole = current !== "" && settings.get("consoleUrl") !== "";
  const picker = new StepPicker(t("Choose Gateway"));
  const question = { recent, hasConsole, learnt, current };
  const answer = await askForAddress(picker, question).finally(() => picker.dispose());
  if (typeof answer === "string") return;
  const url = answer.value;
  if (url === consoleChoice) dialogs.act("open-console");
  else if (url === "") await useLocalGateway(options);
  else if (recent.includes(url) && (await keys.read(readOrigin(url))) !== undefined) {
    await settings.setBaseUrl(url);
    await rememberGateway(memory, url);
  } else await connect(url);
}

async function useLocalGateway({ settings, dialogs }: ConnectionCommandOptions): Promise<void> {
  const isUsed = settings.baseUrl.current === "";
  await settings.setBaseUrl("");
  // The command ends with the list and does not wait for the message.
  void offerFirstUse(isUsed).catch((failure: unknown) => dialogs.showFailure(failure, "read"));
}

async function offerFirstUse(isUsed: boolean): Promise<void> {
  const [chat, task] = [t("Open Chat"), t("New Task")];
  const text = isUsed
    ? t("The local gateway is in use already.")
    : t("The local gateway is in use: free, and nothing leaves this machine.");
  const chosen = await notifyInformation(text, chat, task);
  if (chosen === chat) await runCommand(focusChat);
  if (chosen === task) await runCommand(commands.newTask);
}

async function setKey(options: ConnectionCommandOptions): Promise<void> {
  const baseUrl = options.settings.baseUrl.current;
  if (baseUrl === "") {
    const choose = t("Choose Gateway");
    const chosen = await notifyInformation(
      t("The local gateway has its own key. Choose another gateway to use yours."),
      choose,
    );
    if (chosen === choose) await chooseGateway(options);
    return;
  }
  await askForKey(options, baseUrl);
}

/** A key that the gateway refuses is not stored. A key that can't be checked now is stored, and a message says so. */
async function askForKey(options: ConnectionCommandOptions, baseUrl: string): Promise<void> {
  const { settings, keys, loadCheck } = options;
  const origin = readOrigin(baseUrl);
  const isKnown = (await keys.read(origin)) !== undefined;
  const checkContext = { isLocal: false, addressFrom: settings.baseUrlSource(), limits: settings.limits() };
  const answer = await askSecret<{ readonly key: string; readonly isChecked: boolean }>({
    title: t("API Key for {0}", origin),
    prompt: t("Checked with Enter, kept in this machine's secret storage, and sent to {0} only.", origin),
    problemOf: keyProblem,
    ...(isKnown
      ? {
          button: {
            icon: "trash",
            tooltip: t("Forget the Key"),
            press: () => void forgetKey(options, origin),
          } as const,
        }
      : {}),
    async check(value, signal) {
      // Pasted text often ends with a line break.
      const key = value.trim();
      if (key === "") return { value: { key, isChecked: true } };
      const report = await (await loadCheck())({ baseUrl, key }, () => undefined, signal);
      const problem = refusalOf(report, checkContext);
      return problem === undefined ? { value: { key, isChecked: report.key.state === "passed" } } : { problem };
    },
  });
  if (typeof answer === "string" || answer.value.key === "") return;
  if (!(await storeKey(options, origin, answer.value.key)) || answer.value.isChecked) return;
  const check = t("Check Connection");
  const text = t(
    "The key for {0} is kept, but it could not be checked: the address did not answer as a gateway does.",
    origin,
  );
  if ((await notifyWarning(text, check)) === check) await runCommand(commands.checkConnection);
}

/** Stores a key. Several keys may belong to one account, so if tasks of other accounts are known, the person chooses the key's account once. */
export async function storeKey(
  { keys, accounts, board }: Pick<ConnectionCommandOptions, "keys" | "accounts" | "board">,
  origin: string,
  key: string,
  beforeQuestion: () => void = () => undefined,
): Promise<boolean> {
  const before = await keys.read(origin);
  const known = await accounts.at(origin);
  const account = known.ofKey(key);
  const others = countAccounts(board.listed.values(), origin, known.resolve).filter(({ id }) => id !== account);
  if (others.length > 0 && !known.isAssigned(key)) {
    const last = before === undefined ? undefined : known.ofKey(before);
    beforeQuestion();
    const answer = await askForAccount(origin, others, last);
    if (answer === undefined) return false;
    await accounts.assign(origin, key, answer.account);
  }
  await keys.store(origin, key);
  return true;
}

async function forgetKey({ keys, dialogs }: ConnectionCommandOptions, origin: string): Promise<void> {
  try {
    await keys.forget(origin);
    await notifyInformation(t("The key for {0} is forgotten on this machine.", origin));
  } catch (failure) {
    await dialogs.showFailure(failure, "read");
  }
}

// Asks whether a new key belongs to the same account as before, so that the account's tasks go on under the new key (C2).

interface AccountAnswer {
  /** `undefined`: a separate account. */
  readonly account: string | undefined;
}

/** `last`: the account of the replaced key. Resolves with `undefined` when the person leaves: then the caller should change nothing. */
async function askForAccount(
  origin: string,
  accounts: readonly AccountTasks[],
  last: string | undefined,
): Promise<AccountAnswer | undefined> {
  const times = createTimes(vscode.env.language, Date.now());
  const hasSeveral = accounts.length > 1;
  const choiceOf = ({ id, count, lastAt }: AccountTasks): PickChoice<AccountAnswer> => ({
    label: hasSeveral ? t("The same as account {0}", shortAccount(id)) : t("Yes, the same account"),
    description: plural(count, { one: "1 task, {1}", other: "{0} tasks, last {1}" }, count, times.short(lastAt)),
    detail: t("Its tasks, results and unknown outcomes go on under the new key."),
    value: { account: id },
  });
  const sorted = accounts.toSorted((one, other) => Number(other.id === last) - Number(one.id === last));
  const choices = sorted.map(choiceOf);
  const other: PickChoice<AccountAnswer> = {
    label: hasSeveral ? t("Another account") : t("No, another account"),
    detail: t("Its tasks wait until a key of theirs is set again. Nothing of them is sent."),
    value: { account: undefined },
  };
  const picker = new StepPicker(t("API Key for {0}", origin));
  try {
    const answer = await picker.ask({
      placeholder: t("Does the new key belong to the same account as before?"),
      choices: [...choices, other],
      preselected: choices[0],
      // The key's box closes at the same time and moves the focus back, which would close this list.
      staysOpen: true,
    });
    return typeof answer === "string" ? undefined : answer.value;
  } finally {
    picker.dispose();
  }
}

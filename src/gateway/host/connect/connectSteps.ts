/** *Connect to a Gateway…*: address, key with its check, and model in one quick pick with Back (C1 to C5). */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { CheckReport, CheckContext } from "../../../domain/gateway/connectionCheck";
import {
  type CheckVerdict,
  explainCheck,
  connectActionLabel,
  type ConnectAction,
} from "../../../domain/words/describeCheck";
import type { Connections } from "../../../domain/ports";
import { type ModelCatalog, isChatModel } from "../../modelCatalog";
import { readOrigin } from "../../../domain/gateway/address";
import { commands, focusChat, internalCommands } from "../../../vscode/ids";
import { StepPicker, type StepPosition, type StepResult, type PickChoice } from "../../../vscode/interface/pickSteps";
import type { ReportDocuments } from "../../../vscode/interface/reportDocuments";
import { runCommand } from "../../../vscode/interface/runCommand";
import { notifyInformation, notifyWarning, type Icon, type PickItem } from "../../../vscode/interface/show";
import { askForAddress, readRecentGateways, rememberGateway } from "./addressStep";
import type { Connecting } from "../../connecting";
import { askForKeyStep } from "./keyStep";
import { pickChatModel } from "./pickModel";
import { writeReport } from "./writeReport";
import { wrapWords } from "../../../base/text/wrapWords";

export interface ConnectOptions {
  readonly connecting: Connecting;
  readonly connections: Connections;
  readonly models: ModelCatalog;
  readonly memory: vscode.Memento;
  readonly reports: Pick<ReportDocuments, "show">;
  readonly limits: () => CheckContext["limits"];
}

const at = (step: number): StepPosition => ({ step, totalSteps: 3 });

type ConnectStepName = "address" | "key" | "model";
type Ending =
  | { readonly end: "left" }
  | { readonly end: "local" }
  | { readonly end: "connected" }
  | { readonly end: "unchecked"; readonly verdict: CheckVerdict };

/** `address`: an address that was chosen already, so that the key is the first question. */
export async function runConnectSteps(options: ConnectOptions, address?: string): Promise<void> {
  if (address !== undefined) options.connecting.draft.address = address;
  const picker = new StepPicker(connectTitle());
  let ending: Ending;
  try {
    ending = await takeSteps(options, picker, address === undefined ? "address" : "key");
  } finally {
    picker.dispose();
  }
  const { draft } = options.connecting;
  const { address: used } = draft;
  // The box begins with the typed address the next time only if the person left before it was in use.
  if (ending.end === "connected" || ending.end === "unchecked") draft.address = "";
  await tellEnding(options.models, ending, used);
}

const connectTitle = (): string => t("Connect to a Gateway");

async function takeSteps(options: ConnectOptions, picker: StepPicker, first: ConnectStepName): Promise<Ending> {
  let step: ConnectStepName = first;
  let isInUse = false;
  for (;;) {
    const next: ConnectStepName | Ending = await steps[step](options, picker);
    if (typeof next === "object") return next.end === "left" && isInUse ? { end: "connected" } : next;
    // The next step is the model only once the gateway is in use, so leaving after that undoes nothing.
    isInUse ||= next === "model";
    step = next;
  }
}

type ConnectStep = (options: ConnectOptions, picker: StepPicker) => Promise<ConnectStepName | Ending>;
const left = { end: "left" } as const;

const steps: Readonly<Record<ConnectStepName, ConnectStep>> = {
  async address(options, picker) {
    const { connecting, memory } = options;
    const { draft } = connecting;
    const answer = await askForAddress(picker, {
      recent: readRecentGateways(memory),
      typed: draft.address,
      onText: (text) => (draft.address = text.trim()),
      probe: connecting.probe,
      position: at(1),
    });
    if (typeof answer === "string") return left;
    if (answer.value === "") return { end: "local" };
    draft.address = answer.value;
    const hasKey = draft.isBeingCorrected && (await connecting.keySource()) !== "none";
    draft.isBeingCorrected = false;
    return hasKey ? again(options, picker, checkContextOf(options)) : "key";
  },
  async key(options, picker) {
    const checkContext = checkContextOf(options);
    const place = (show: () => void): boolean => picker.giveWay(show);
    const answer = await askForKeyStep(options.connecting, connectTitle(), checkContext, at(2), place);
    if (typeof answer === "string") return answer === "back" ? "address" : left;
    return decide(options, picker, answer.value, checkContext);
  },
  async model(options, picker) {
    const answer = await askForChatModel(picker, options, at(3));
    return answer === "back" ? "key" : answer === "cancelled" ? left : { end: "connected" };
  },
};

function checkContextOf({ limits }: ConnectOptions): CheckContext {
  return { isLocal: false, addressFrom: t("as typed"), limits: limits() };
}

/** Takes the gateway into use after a check without problems, or if the person chooses to. No other step does. */
async function decide(
  options: ConnectOptions,
  picker: StepPicker,
  report: CheckReport,
  checkContext: CheckContext,
): Promise<ConnectStepName | Ending> {
  const { connecting, memory, reports } = options;
  const verdict = explainCheck(report, checkContext);
  const use = async (next: ConnectStepName | Ending): Promise<ConnectStepName | Ending> => {
    if (!(await useShown(picker, connecting, at(3)))) return left;
    await rememberGateway(memory, connecting.draft.address);
    return next;
  };
  if (verdict.state === "works") return use("model");
  const showReport = (text: string): Promise<void> => reports.show(t("Check Connection"), text);
  const answer = await askAboutVerdict(picker, verdict, report, checkContext, { position: at(2), showReport });
  if (answer === "cancelled") return left;
  if (answer === "back") return "key";
  switch (answer.value) {
    case "go-on":
      return use("model");
    case "use-anyway":
      return use({ end: "unchecked", verdict });
    case "try-again":
      return again(options, picker, checkContext);
    case "change-key":
      return "key";
    case "change-address":
      connecting.draft.isBeingCorrected = true;
      return "address";
  }
}

/** Checks the same key again while the pick shows it; Back and Esc end the check. */
async function again(
  options: ConnectOptions,
  picker: StepPicker,
  checkContext: CheckContext,
): Promise<ConnectStepName | Ending> {
  const { connecting } = options;
  const placeholder = t("Checking {0}. Nothing is paid and nothing is created. Esc ends it.", connecting.origin);
  const answer = await showWaiting(picker, at(2), placeholder, (signal) => connecting.check(() => undefined, signal));
  if (typeof answer === "string") return answer === "back" ? "key" : left;
  if (answer.value.status === "rejected") throw answer.value.reason;
  return decide(options, picker, answer.value.value, checkContext);
}

/** Shows one message with the gateway that is in use now and the next step. */
async function tellEnding({ models }: ModelCatalog, ending: Ending, address: string): Promise<void> {
  switch (ending.end) {
    case "left":
      return;
    case "local":
      await runCommand(internalCommands.useLocalGateway);
      return;
    case "unchecked": {
      const check = t("Check Connection");
      const text = t("{0} is in use, but its check failed: {1}", hostOf(address), ending.verdict.title);
      if ((await notifyWarning(text, check)) === check) await runCommand(commands.checkConnection);
      return;
    }
    case "connected": {
      const host = hostOf(address);
      const id = models.current.chat?.id;
      const used =
        id === undefined
          ? t("{0} is in use. Choose a model before the first chat, or submit a task.", host)
          : t("{0} is in use, and the chat asks {1}. Ask something, or submit a task.", host, id);
      const [chat, task] = [t("Open Chat"), t("New Task")];
      const chosen = await notifyInformation(used, chat, task);
      if (chosen === chat) await runCommand(focusChat);
      if (chosen === task) await runCommand(commands.newTask);
    }
  }
}

function hostOf(address: string): string {
  return new URL(readOrigin(address)).host;
}

/**
 * Takes the gateway into use while the pick shows it; false when the person left the question about the key's account. The next question
 * is the model of the chat, if there are several (C5).
 */
async function useShown(picker: StepPicker, connecting: Connecting, position: StepPosition): Promise<boolean> {
  // VS Code shows one quick pick at a time.
  const used = connecting.use(() => picker.stepAside());
  await showWaiting(picker, position, t("Connecting to {0}", connecting.origin), () => used);
  return used;
}

/** Waits for the list of models of the gateway in use. The catalogue has the result. */
function awaitModels(
  picker: StepPicker,
  { connections, models }: { readonly connections: Connections; readonly models: ModelCatalog },
  position: StepPosition,
): Promise<StepResult<unknown>> {
  return showWaiting(picker, position, t("Reading the list of models"), async (signal) => {
    await connections.ready(signal);
    await (models.models.current.error ? models.load() : models.loaded());
  });
}

async function askForChatModel(
  picker: StepPicker,
  options: { readonly connections: Connections; readonly models: ModelCatalog },
  position: StepPosition,
): Promise<"chosen" | "back" | "cancelled"> {
  const waited = await awaitModels(picker, options, position);
  if (typeof waited === "string") return waited;
  const [first, second] = options.models.models.current.list.filter(isChatModel);
  // A single model is chosen without a question. Without a list there is nothing to choose from, so the chat asks for the model's id.
  if (first !== undefined && second === undefined) options.models.choose(first.id);
  if (second === undefined) return "chosen";
  const answer = await pickChatModel(picker, options.models, { position, canSkip: true });
  if (answer === "back") return "back";
  return answer === "check" || answer === "cancelled" ? "cancelled" : "chosen";
}

// Words the result of the check while a person connects, and the possible actions (C3).

/** Characters that fit into a row of a quick pick next to an icon, even in a wide font as on Linux. */
const rowWidth = 76;

/** Shows the result of the check in words, with the actions. The person may look at the report and come back. */
async function askAboutVerdict(
  picker: StepPicker,
  verdict: CheckVerdict,
  report: CheckReport,
  checkContext: CheckContext,
  { position, showReport }: { readonly position: StepPosition; readonly showReport: (text: string) => Promise<void> },
): Promise<StepResult<Exclude<ConnectAction, "show-report">>> {
  const actions = verdict.actions.map((action): PickChoice<ConnectAction> => ({
    icon: actionIcons[action],
    label: connectActionLabel(action),
    value: action,
    ...(action === "use-anyway" ? { description: t("without a check that it works") } : {}),
  }));
  for (;;) {
    const answer = await picker.ask<ConnectAction>({
      position,
      placeholder:
        verdict.state === "fails"
          ? t("Not connected: nothing was stored")
          : t("The gateway answers, but look at this first"),
      choices: [...textRows(verdict), { label: t("What to do"), isHeading: true }, ...actions],
      preselected: actions[0],
    });
    if (typeof answer === "string") return answer;
    if (answer.value !== "show-report") return { value: answer.value };
    const day = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: "medium", timeStyle: "short" });
    await showReport(writeReport(report, checkContext, (at) => day.format(at)).text);
  }
}

const actionIcons: Readonly<Record<ConnectAction, Icon>> = {
  "go-on": "arrow-right",
  "try-again": "refresh",
  "change-address": "globe",
  "change-key": "key",
  "show-report": "output",
  "use-anyway": "arrow-right",
};

/** Spreads the sentences over several rows, because a row has one line. */
function textRows({ state, title, advice }: CheckVerdict): readonly PickItem[] {
  const [first = "", ...rest] = wrapWords(title, rowWidth);
  const icon = state === "fails" ? "error" : "warning";
  return [{ icon, label: first, alwaysShow: true }, ...[...rest, ...wrapWords(advice, rowWidth)].map(plainRow)];
}

function plainRow(label: string): PickItem {
  return { label, alwaysShow: true };
}

/**
 * Shows a step without choices while `work` runs, and ends with its outcome. The signal of `work` aborts when the person leaves by Back
 * or Esc.
 */
function showWaiting<T>(
  picker: StepPicker,
  position: StepPosition,
  placeholder: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<StepResult<PromiseSettledResult<T>>> {
  return picker.ask<PromiseSettledResult<T>>({
    position,
    placeholder,
    choices: [],
    live: (_show, end) => {
      const left = new AbortController();
      void Promise.allSettled([work(left.signal)]).then(([outcome]) => end(outcome));
      return { dispose: () => left.abort() };
    },
  });
}

/** *Connect to a Gateway…*: address, key with its check, and model in one quick pick with Back (C1 to C5). */
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { CheckReport, CheckSurroundings } from "../../../domain/gateway/connectionCheck";
import { type CheckVerdict, explainCheck } from "../../../domain/words/explainCheck";
import type { Connections } from "../../../domain/ports";
import type { ModelCatalog } from "../../models/modelCatalog";
import { readOrigin } from "../../../domain/gateway/address";
import { commands, focusChat, internalCommands } from "../../../vscode/ids";
import { StepPicker, type StepPosition } from "../../../vscode/interface/pickSteps";
import type { ReportDocuments } from "../../../vscode/interface/reportDocuments";
import { runCommand } from "../../../vscode/interface/runCommand";
import { notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { askForAddress, readRecentGateways, rememberGateway } from "./addressStep";
import { askAboutVerdict } from "./verdictStep";
import { showWaiting } from "./waitingStep";
import type { Connecting } from "../../connecting";
import { askForKeyStep } from "./keyStep";
import { askForChatModel, useShown } from "./modelStep";

export interface ConnectPorts {
  readonly connecting: Connecting;
  readonly connections: Connections;
  readonly models: ModelCatalog;
  readonly memory: vscode.Memento;
  readonly reports: Pick<ReportDocuments, "show">;
  readonly limits: () => CheckSurroundings["limits"];
}

const at = (step: number): StepPosition => ({ step, totalSteps: 3 });

type ConnectStepName = "address" | "key" | "model";
type Ending =
  | { readonly end: "left" }
  | { readonly end: "local" }
  | { readonly end: "connected" }
  | { readonly end: "unchecked"; readonly verdict: CheckVerdict };

/** `address`: one that was chosen already; then the key is the first question. */
export async function connectGateway(ports: ConnectPorts, address?: string): Promise<void> {
  if (address !== undefined) ports.connecting.draft.address = address;
  const picker = new StepPicker(connectTitle());
  let ending: Ending;
  try {
    ending = await takeSteps(ports, picker, address === undefined ? "address" : "key");
  } finally {
    picker.dispose();
  }
  const { draft } = ports.connecting;
  const { address: used } = draft;
  // Only an address that was left is in the box the next time.
  if (ending.end === "connected" || ending.end === "unchecked") draft.address = "";
  await tellEnding(ports.models, ending, used);
}

const connectTitle = (): string => t("Connect to a Gateway");

async function takeSteps(ports: ConnectPorts, picker: StepPicker, first: ConnectStepName): Promise<Ending> {
  let step: ConnectStepName = first;
  let isInUse = false;
  for (;;) {
    const next: ConnectStepName | Ending = await steps[step](ports, picker);
    if (typeof next === "object") return next.end === "left" && isInUse ? { end: "connected" } : next;
    // The check leads to the models only once the gateway is in use: leaving afterwards undoes nothing.
    isInUse ||= next === "model";
    step = next;
  }
}

type ConnectStep = (ports: ConnectPorts, picker: StepPicker) => Promise<ConnectStepName | Ending>;
const left = { end: "left" } as const;

const steps: Readonly<Record<ConnectStepName, ConnectStep>> = {
  async address(ports, picker) {
    const { connecting, memory } = ports;
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
    return hasKey ? again(ports, picker, surroundingsOf(ports)) : "key";
  },
  async key(ports, picker) {
    const surroundings = surroundingsOf(ports);
    const place = (show: () => void): boolean => picker.giveWay(show);
    const answer = await askForKeyStep(ports.connecting, connectTitle(), surroundings, at(2), place);
    if (typeof answer === "string") return answer === "back" ? "address" : left;
    return decide(ports, picker, answer.value, surroundings);
  },
  async model(ports, picker) {
    const answer = await askForChatModel(picker, ports, at(3));
    return answer === "back" ? "key" : answer === "cancelled" ? left : { end: "connected" };
  },
};

function surroundingsOf({ limits }: ConnectPorts): CheckSurroundings {
  return { isLocal: false, addressFrom: t("as typed"), limits: limits() };
}

/** Only here the gateway comes into use: after a check that went well, or because the person says so. */
async function decide(
  ports: ConnectPorts,
  picker: StepPicker,
  report: CheckReport,
  surroundings: CheckSurroundings,
): Promise<ConnectStepName | Ending> {
  const { connecting, memory, reports } = ports;
  const verdict = explainCheck(report, surroundings);
  const use = async (next: ConnectStepName | Ending): Promise<ConnectStepName | Ending> => {
    if (!(await useShown(picker, connecting, at(3)))) return left;
    await rememberGateway(memory, connecting.draft.address);
    return next;
  };
  if (verdict.state === "works") return use("model");
  const showReport = (text: string): Promise<void> => reports.show(t("Check Connection"), text);
  const answer = await askAboutVerdict(picker, verdict, report, surroundings, { position: at(2), showReport });
  if (answer === "cancelled") return left;
  if (answer === "back") return "key";
  switch (answer.value) {
    case "go-on":
      return use("model");
    case "use-anyway":
      return use({ end: "unchecked", verdict });
    case "try-again":
      return again(ports, picker, surroundings);
    case "change-key":
      return "key";
    case "change-address":
      connecting.draft.isBeingCorrected = true;
      return "address";
  }
}

/** The same key once more, while the pick shows that it is checked; Back and Esc end that. */
async function again(
  ports: ConnectPorts,
  picker: StepPicker,
  surroundings: CheckSurroundings,
): Promise<ConnectStepName | Ending> {
  const { connecting } = ports;
  const placeholder = t("Checking {0}. Nothing is paid and nothing is created. Esc ends it.", connecting.origin);
  const answer = await showWaiting(picker, at(2), placeholder, (signal) => connecting.check(() => undefined, signal));
  if (typeof answer === "string") return answer === "back" ? "key" : left;
  if (answer.value.status === "rejected") throw answer.value.reason;
  return decide(ports, picker, answer.value.value, surroundings);
}

/** One message: what is in use now, and what comes next. */
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

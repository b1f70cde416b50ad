/** The question once the gateway is in use: the model of the chat, where there are several (C5). */
import { t } from "@vscode/l10n";
import type { Connections } from "../../../domain/ports";
import { isChatModel, type ModelCatalog } from "../../models/modelCatalog";
import type { Connecting } from "../../connecting";
import { showWaiting } from "./waitingStep";
import { pickChatModel } from "./pickModel";
import type { StepPicker, StepPosition, StepResult } from "../../../vscode/interface/pickSteps";

/** Takes the gateway into use while the pick shows it; false when the person left the question about the key's account. */
export async function useShown(picker: StepPicker, connecting: Connecting, position: StepPosition): Promise<boolean> {
  // VS Code shows one quick pick at a time.
  const used = connecting.use(() => picker.stepAside());
  await showWaiting(picker, position, t("Connecting to {0}", connecting.origin), () => used);
  return used;
}

/** Waits for the list of the gateway that is in use now. What came of it is in the catalogue. */
function awaitModels(
  picker: StepPicker,
  { connections, models }: { readonly connections: Connections; readonly models: ModelCatalog },
  position: StepPosition,
): Promise<StepResult<unknown>> {
  return showWaiting(picker, position, t("Reading the list of models"), async (signal) => {
    await connections.ready(signal);
    await (models.models.current.error ? models.load() : models.settled());
  });
}

export async function askForChatModel(
  picker: StepPicker,
  ports: { readonly connections: Connections; readonly models: ModelCatalog },
  position: StepPosition,
): Promise<"chosen" | "back" | "cancelled"> {
  const waited = await awaitModels(picker, ports, position);
  if (typeof waited === "string") return waited;
  const [first, second] = ports.models.models.current.list.filter(isChatModel);
  // Of one there is no choice, and without a list the id of one is not at hand: the chat asks for it.
  if (first !== undefined && second === undefined) ports.models.choose(first.id);
  if (second === undefined) return "chosen";
  const answer = await pickChatModel(picker, ports.models, { position, canSkip: true });
  if (answer === "back") return "back";
  return answer === "check" || answer === "cancelled" ? "cancelled" : "chosen";
}

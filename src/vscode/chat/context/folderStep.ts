/** The question for a folder of the workspace, a step behind what to attach: listed are those that hold files, and another can be typed. */
import { trimEnd } from "../../../base/text/trimEnd";
import { t } from "@vscode/l10n";
import { findFolders } from "./fileReferences";
import { type PickChoice, type StepPicker, type StepResult, typedId } from "../../interface/pickSteps";

/** VS Code draws more rows slowly; what is not listed is found by typing its path. */
const listedCap = 1000;

/** Resolves with its path, as tools read it. */
export async function askForFolder(picker: StepPicker): Promise<StepResult<string>> {
  let listed: readonly string[] = [];
  return picker.ask<string>({
    position: { step: 2, totalSteps: 2 },
    placeholder: t("Folder of the workspace, or type its path"),
    choices: [],
    later(show) {
      void findFolders("").then((found) => {
        listed = found.slice(0, listedCap);
        show(listed.map(choiceOf));
      });
      return { dispose: () => undefined };
    },
    // While a listed folder has the letters, Enter takes that.
    typed(text) {
      const path = trimEnd(text.replaceAll("\\", "/"), "/");
      return path === "" || listed.some((folder) => folder.toLowerCase().includes(path.toLowerCase()))
        ? { label: text }
        : { ...typedId(path), icon: "folder" };
    },
  });
}

function choiceOf(path: string): PickChoice<string> {
  return { icon: "folder", label: `${path}/`, value: path };
}

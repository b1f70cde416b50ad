/** Entry of the page that converts a picture and has it saved in the project (T17). */
import "../styles/page.css";
import "../styles/convert.css";
import { t } from "@vscode/l10n";
import type { ConvertPageContract } from "../../protocol/convertPageContract";
import { nextState, startPage } from "../shared/page";
import { ConvertPage } from "./convertPage";
import { savedWords } from "./convertTemplate";

startPage<ConvertPageContract>((actions) => {
  const page = new ConvertPage(actions);
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject, choices: page.choices }),
    announce: (before, now) =>
      now.isSaving || !before.isSaving ? undefined : now.saved ? savedWords(now.saved) : t("Nothing was saved."),
  };
});

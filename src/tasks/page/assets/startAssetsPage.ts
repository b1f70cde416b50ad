/** Entry of two pages that are used together, as one bundle: what of the project was made here, and the conversion of a picture (T17). */
import "../../../webview/styles/page.css";
import "../../../webview/styles/fields.css";
import "../../../webview/styles/assets.css";
import { t } from "@vscode/l10n";
import type { AssetsPageContract, AssetsPageSnapshot } from "../../contract/assetsPageContract";
import type { ConvertPageContract, ConvertPageSnapshot } from "../../contract/convertPageContract";
import type { ProjectedContract } from "../../../base/contract/pageContract";
import { followRemovals } from "../../../webview/focusAfterRemoval";
import { nextState, startPage } from "../../../webview/page";
import { assetsTemplate } from "./assetsTemplate";
import { ConvertPage } from "./convertPage";
import { savedWords } from "./convertTemplate";

type Snapshot = AssetsPageSnapshot | ConvertPageSnapshot;
type Intents = AssetsPageContract["intents"] & ConvertPageContract["intents"];

startPage<ProjectedContract<Intents, Snapshot, Snapshot>>((actions) => {
  const convert = new ConvertPage(actions);
  const follow = followRemovals(".asset", ".assets-bar button");
  return {
    reduce: nextState,
    template: (snapshot) => ("picture" in snapshot ? convert.render(snapshot) : assetsTemplate(snapshot, actions.send)),
    rendered: follow,
    // The section is that of the gallery, the choices are those of a conversion.
    saved: (snapshot) => ({
      subject: snapshot.subject,
      ...("picture" in snapshot ? {} : { section: "assets" }),
      choices: convert.choices,
    }),
    announce: (before, now) => {
      if ("picture" in now) return savedSince(before, now);
      const hasLooked = "looking" in before && now.looking === undefined;
      return hasLooked ? t("The project was looked through.") : undefined;
    },
  };
});

function savedSince(before: Snapshot, { saved }: ConvertPageSnapshot): string | undefined {
  const known = "picture" in before ? before.saved?.at : undefined;
  return saved === undefined || saved.at === known ? undefined : savedWords(saved.files);
}

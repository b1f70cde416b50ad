/** Entry of the page that shows what of the project was made here (T17). */
import "../styles/page.css";
import "../styles/assets.css";
import { t } from "@vscode/l10n";
import type { AssetsPageContract } from "../../protocol/assetsPageContract";
import { nextState, startPage } from "../shared/page";
import { assetsTemplate } from "./assetsTemplate";

startPage<AssetsPageContract>(({ send }) => ({
  reduce: nextState,
  template: (snapshot) => assetsTemplate(snapshot, send),
  saved: ({ subject }) => ({ subject }),
  announce: (before, now) =>
    before.looking !== undefined && now.looking === undefined ? t("The project was looked through.") : undefined,
}));

/** Entry of the page that converts a picture and has it saved in the project (T17). */
import "../styles/page.css";
import "../styles/convert.css";
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
      now.saved === undefined || now.saved.at === before.saved?.at ? undefined : savedWords(now.saved.files),
  };
});

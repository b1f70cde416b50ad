/** Entry of the form for media (T15). */
import "../styles/page.css";
import "../styles/fields.css";
import "../styles/mediaForm.css";
import type { MediaFormPageContract } from "../../protocol/mediaFormPageContract";
import { nextState, startPage } from "../shared/page";
import { MediaFormPage } from "./mediaFormPage";

startPage<MediaFormPageContract>((actions) => {
  const page = new MediaFormPage(actions);
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    saved: () => ({ subject: "mediaForm" }),
    // What changes is in elements with a role that is read out.
    announce: () => undefined,
    rendered: () => page.rendered(),
  };
});

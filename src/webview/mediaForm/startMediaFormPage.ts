/** Entry of the form for media (T15). */
import "../styles/page.css";
import "../styles/fields.css";
import "../styles/mediaForm.css";
import type { MediaFormPageContract } from "../../protocol/mediaFormPageContract";
import { followRemovals } from "../shared/focusAfterRemoval";
import { nextState, startPage } from "../shared/page";
import { MediaFormPage } from "./mediaFormPage";

startPage<MediaFormPageContract>((actions) => {
  const page = new MediaFormPage(actions);
  const follow = followRemovals(".thumbnails li", ".references .buttons button");
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    saved: () => ({ subject: "mediaForm" }),
    // What changes is in elements with a role that is read out.
    announce: () => undefined,
    rendered: () => {
      page.rendered();
      follow();
    },
  };
});

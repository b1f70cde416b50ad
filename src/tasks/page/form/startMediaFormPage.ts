/** Entry of the form for media (T15). */
import "../../../webview/styles/page.css";
import "../../../webview/styles/fields.css";
import "../../../webview/styles/mediaForm.css";
import type { MediaFormPageContract } from "../../contract/mediaFormPageContract";
import { followRemovals } from "../../../webview/focusAfterRemoval";
import { nextState, startPage } from "../../../webview/page";
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

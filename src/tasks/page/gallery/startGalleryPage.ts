/** Entry of the page that shows the results on this machine as a grid (T15). */
import "../../../webview/styles/page.css";
import "../../../webview/styles/fields.css";
import "../../../webview/styles/actionList.css";
import "../../../webview/styles/results.css";
import "../../../webview/styles/gallery.css";
import "../../../webview/styles/compare.css";
import { type GalleryPageContract, reduceGallery } from "../../contract/galleryPageContract";
import { startPage } from "../../../webview/page";
import { GalleryPage } from "./galleryPage";

startPage<GalleryPageContract>((actions) => {
  const page = new GalleryPage(actions);
  return {
    reduce: reduceGallery,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject, section: "results", ...page.saved }),
    // The page itself announces how many results pass the filter.
    announce: () => undefined,
    rendered: () => page.rendered(),
  };
});

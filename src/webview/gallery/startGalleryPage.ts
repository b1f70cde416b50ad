/** Entry of the page that shows the results on this machine as a grid (T15). */
import "../styles/page.css";
import "../styles/fields.css";
import "../styles/actionList.css";
import "../styles/results.css";
import "../styles/gallery.css";
import "../styles/compare.css";
import { type GalleryPageContract, reduceGallery } from "../../protocol/galleryPageContract";
import { startPage } from "../shared/page";
import { GalleryPage } from "./galleryPage";

startPage<GalleryPageContract>((actions) => {
  const page = new GalleryPage(actions);
  return {
    reduce: reduceGallery,
    template: (snapshot) => page.render(snapshot),
    saved: ({ subject }) => ({ subject, ...page.saved }),
    // The page itself announces how many results pass the filter.
    announce: () => undefined,
    rendered: () => page.rendered(),
  };
});

/** The pages in a language that marks its words and makes them longer: nothing stays in English, and nothing is wider than its place. */
import assert from "node:assert/strict";
import { config } from "@vscode/l10n";
import type { Page } from "playwright-core";
import { pseudoWords, withoutWords } from "../../support/pseudoWords";
import { takePicture } from "./pictures";

/** What a page is opened with. */
export const pseudoLocale = { words: pseudoWords(), size: { width: 240, height: 720 } } as const;

/** The words that the host makes are in that language too, while the tests of the suite run. */
export function usePseudoLocale(): void {
  before("speak it", () => {
    config({ contents: pseudoLocale.words });
  });
  after("speak English again", () => {
    config({ contents: {} });
  });
}

/** In the page: each text but code that is shown or read aloud, and what sticks out of its place. */
const lookAtPage = `(() => {
  const texts = [];
  const wide = [];
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  for (const element of document.body.querySelectorAll("*")) {
    if (element.localName === "script" || !isShown(element)) continue;
    for (const name of ["aria-label", "aria-description", "aria-roledescription", "title", "placeholder", "alt"]) {
      const text = element.getAttribute(name);
      if (text) texts.push(text);
    }
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || element.closest("script, pre, code") !== null || !isShown(element)) continue;
    // The name in the line of a call, and the command in that of a question, are a part of its sentence.
    texts.push(element.closest(".tool-title, .approval-what")?.textContent ?? node.data);
    const range = document.createRange();
    range.selectNodeContents(node);
    const right = Math.max(...[...range.getClientRects()].map((box) => box.right), 0);
    for (let place = element; place; place = place.parentElement) {
      const { overflowX, textOverflow, position } = getComputedStyle(place);
      if (overflowX === "auto" || overflowX === "scroll" || textOverflow === "ellipsis") break;
      if (position === "absolute" && place.clientWidth <= 1) break;
      if (overflowX !== "visible" || place === document.body) {
        const end = place === document.body ? innerWidth : place.getBoundingClientRect().right;
        if (right > end + 1) wide.push([node.data, Math.round(right - end), place.className || place.localName]);
        break;
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) wide.push(["the page", document.documentElement.scrollWidth]);
  return { texts, wide };
})()`;

/** As `Intl` writes them in the browser's language. */
export const times = new RegExp(
  [
    ...["\\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \\d+\\b", "\\b\\d+:\\d+(?::\\d+)? [AP]M\\b"],
    ...["^now$", "\\b\\d+ ?(?:m|min|minutes?) ago"],
  ].join("|"),
  "g",
);

/** What is English or too wide. `isData`: whether the page got the text from elsewhere. */
export async function lookAtWords(page: Page, name: string, isData: (text: string) => boolean): Promise<unknown[]> {
  await takePicture(page, `${name}-pseudo-240`);
  const { texts, wide } = await page.evaluate<{ texts: string[]; wide: unknown[] }>(lookAtPage);
  assert.ok(
    texts.some((text) => text.includes("⟦")),
    `${name} shows no text of the interface`,
  );
  const left = texts.flatMap((text) => withoutWords(text).replaceAll(times, "").split("·"));
  const raw = left.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text) && !isData(text));
  return [...new Set(raw), ...wide].map((found) => [name, found]);
}

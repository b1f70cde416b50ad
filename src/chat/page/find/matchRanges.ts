/** Where a text is in a row of the transcript: ranges in its nodes, which are highlighted without a change of the markup; and how one comes into view. */
import { matchesIn } from "../../../domain/chat/findPattern";

const answerParts = ".markdown, .tool-content, .diff:not(.grouped), .diff-part";

/** What has the texts of an entry's parts, in the host's order. */
export function partsOf(row: Element): readonly Element[] {
  const { classList } = row;
  const texts = classList.contains("user")
    ? ".message"
    : classList.contains("task")
      ? ".task-card-prompt"
      : answerParts;
  return [...row.querySelectorAll(texts)];
}

/** Controls and labels between the texts. */
const skipped = "button, .code-bar, .tool-label, .diff-number, .diff-mark";
/** Between the texts of two of these is a line break. */
const blocks = "p, li, pre, td, th, h3, h4, h5, h6, span.markdown, .diff-line";

/** Of the first matches in the part. */
export function rangesIn(part: Element, pattern: RegExp, most: number): readonly Range[] {
  const texts: { readonly node: Text; readonly start: number }[] = [];
  let whole = "";
  let block: Element | null = null;
  for (const node of textsOf(part)) {
    const its = node.parentElement?.closest(blocks) ?? null;
    if (its !== block) whole += "\n";
    block = its;
    texts.push({ node, start: whole.length });
    whole += node.data;
  }
  let index = 0;
  const place = (range: Range, offset: number, set: "setStart" | "setEnd"): void => {
    // A range ends in the text of its last character.
    const isBefore = (start: number): boolean => (set === "setEnd" ? start < offset : start <= offset);
    while (isBefore(texts[index + 1]?.start ?? Infinity)) index += 1;
    const text = texts[index];
    if (text !== undefined) range[set](text.node, Math.min(Math.max(0, offset - text.start), text.node.length));
  };
  return Array.from(matchesIn(whole, pattern, most), ({ index: start, 0: found }) => {
    const range = document.createRange();
    place(range, start, "setStart");
    place(range, start + found.length, "setEnd");
    return range;
  });
}

function* textsOf(part: Element): Iterable<Text> {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
    return node instanceof Element && node.matches(skipped) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) if (node instanceof Text) yield node;
}

/** Opens what the place is folded in, and scrolls each box around it as far as needed. */
export function showPlace(place: Range | Element, scroller: Element): void {
  const inside = place instanceof Range ? place.startContainer.parentElement : place;
  for (let fold = inside?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  for (let box = inside; box !== null; box = box.parentElement) {
    const { top, bottom, left, right } = place.getBoundingClientRect();
    const view = box.getBoundingClientRect();
    const isClipped = (size: number, whole: number): boolean => whole > size + 1;
    if (box === scroller) {
      // Near the upper edge, but with something of what came before. The find bar lies over the padding.
      const hidden = Number.parseFloat(getComputedStyle(box).paddingTop);
      if (top < view.top + hidden || bottom > view.bottom) box.scrollTop += top - view.top - box.clientHeight / 4;
      return;
    }
    if (getComputedStyle(box).overflow === "visible") continue;
    if (isClipped(box.clientHeight, box.scrollHeight) && (top < view.top || bottom > view.bottom))
      box.scrollTop += top - view.top - box.clientHeight / 4;
    if (isClipped(box.clientWidth, box.scrollWidth) && (left < view.left || right > view.right))
      box.scrollLeft += left - view.left - box.clientWidth / 4;
  }
}

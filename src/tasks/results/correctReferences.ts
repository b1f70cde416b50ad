/** Corrects the references of a document to a result whose file has another name than expected. Nothing but the path in a reference changes. */
import { htmlReferences } from "../missing/htmlReferences";
import { markdownReferences } from "../missing/markdownReferences";
import { escapePath, type Markup } from "./reference";

/** A replacement of the characters from `start` up to `end`. */
interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The changes, in their order, that make each reference to `expected` one to `actual`. Both are paths relative to the document; `expected` is the
 * whole path that was written, which has no ending only where the type of the result was not known.
 */
export function correctReferences(
  text: string,
  expected: string,
  actual: string,
  markup: Markup | "mdx",
): readonly TextChange[] {
  const [written, wanted] = [escapePath(expected), escapePath(actual)];
  // Most results have the expected name, and most documents that are large don't hold it.
  if (written === "" || written === wanted || !text.includes(written)) return [];
  const isWanted = (path: string): boolean => path.replace(/[?#].*$/s, "") === written;
  const found =
    markup === "html" ? htmlReferences(text, 0, isWanted) : markdownReferences(text, markup === "mdx", isWanted);
  const starts = new Set(found.filter((one) => isWanted(one.written)).map(({ start }) => start));
  return [...starts]
    .sort((one, other) => one - other)
    .map((start) => ({ start, end: start + written.length, text: wanted }));
}

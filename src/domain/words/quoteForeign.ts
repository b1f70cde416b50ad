/** A gateway's text within a sentence of ours: in quotation marks that it can't close, on one line, cut within the marks. */

/** Characters that look like a double quotation mark. */
const doubleMarks = /["“”„‟«»″‶〝〞〟＂ˮʺ˝״❝❞⹂🙶🙷🙸]|[‘’‚‛'′`´＇ʹʻʼʽˈ]{2,}/gu;

/** A full stop at the end is removed: the sentence around it has its own. `limit` in characters. */
export function quoteForeign(text: string, limit = 300): string {
  // A longer text is not scanned: only this much can be shown.
  const begun = text
    .slice(0, limit * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  const characters = Array.from(begun.replaceAll(doubleMarks, "'"));
  const isCut = characters.length > limit || text.length > limit * 4;
  const kept = isCut ? `${characters.slice(0, limit).join("").trimEnd()}…` : characters.join("");
  return `“${kept.replace(/(?<!\.)\.$/, "")}”`;
}

/** Words of a gateway within a sentence of ours: in quotation marks that they can't close, on one line, cut with the marks kept. */

/** What is drawn like a double quotation mark. */
const doubleMarks = /["“”„‟«»″‶〝〞〟＂ˮʺ˝״❝❞⹂🙶🙷🙸]|[‘’‚‛'′`´＇ʹʻʼʽˈ]{2,}/gu;

/** Full stops at the end are left out: the sentence around has its own. `limit` in characters. */
export function quoteForeign(text: string, limit = 300): string {
  // Only so much is read as could be shown.
  const begun = text
    .slice(0, limit * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  const characters = Array.from(begun.replaceAll(doubleMarks, "'"));
  const isCut = characters.length > limit || text.length > limit * 4;
  const kept = isCut ? `${characters.slice(0, limit).join("").trimEnd()}…` : characters.join("");
  return `“${kept.replace(/(?<!\.)\.$/, "")}”`;
}

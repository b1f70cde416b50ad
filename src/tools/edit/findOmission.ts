/** Finds a line that a model wrote in the place of text that it left out, such as *… rest of the code …*. Pure. */

/** Characters of a line; a longer one says more than that. */
const maxLength = 120;

/** The first such line that the text before did not have. */
export function findOmission(before: string, after: string): string | undefined {
  const known = new Set(before.split("\n").map((line) => line.trim()));
  return after
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line.length <= maxLength && isOmission(line) && !known.has(line));
}

/** A comment with dots and a word for what is left out. */
function isOmission(line: string): boolean {
  return (
    /^(?:\/\/|\/\*|#|<!--|--|;|%|\{\/\*)\s*/.test(line) &&
    /\.{3}|…/.test(line) &&
    /\b(?:rest|existing|remaining|unchanged|previous|same as before|other (?:code|methods|functions|lines))\b/i.test(
      line,
    )
  );
}

/** Makes characters visible that are not drawn or change the order of reading: `⟨U+202E⟩`. */

const joinedScripts = [
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
];
const joined = `[${joinedScripts.map((script) => `\\p{Script=${script}}`).join("")}]`;

/** Joiners and selectors that scripts and emoji are normally written with. */
const inPlace = [
  String.raw`(?<=\p{Emoji})\ufe0f`,
  String.raw`(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})`,
  String.raw`(?<=${joined})[\u200c\u200d](?=${joined})`,
];

/**
 * Controls but tab and line ends; what Unicode calls ignorable (zero-width, bidirectional, tags, selectors, fillers); line and paragraph
 * separators; blanks that are no spaces (braille, a note without a head); halves of a pair; private characters, which a font may draw as
 * anything; marks piled on one letter.
 */
const hidden = [
  String.raw`(?![\t\n\r])[\p{Cc}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]`,
  String.raw`(?<=\p{Mn}{4})\p{Mn}`,
];

const pattern = new RegExp(`${inPlace.join("|")}|(${hidden.join("|")})`, "gu");

export function revealHidden(text: string): string {
  return text.replace(pattern, (found: string, hides: string | undefined) =>
    hides === undefined ? found : `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** Replaces characters that are not drawn or change the order of reading by their codes: `⟨U+202E⟩`. */

/**
 * The one table of characters that can't be seen as what they are, as parts of a character class of a regular expression with the flag `u`
 * or `v`. It has controls (tab and line ends too), formatting and bidirectional characters, unpaired surrogates, private characters, which
 * a font may draw as anything, and unassigned ones. It also has what Unicode calls ignorable (zero-width, tags, selectors, fillers), line
 * and paragraph separators, blanks that are no spaces (braille, the object replacement, a note without a head) and the few letters that are
 * drawn as nothing.
 */
export const unseenCharacters = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}`;

/** Every space except the usual one. They are drawn like it, and some languages use them on purpose. */
export const unusualSpaces = String.raw`\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`;

/** A pattern of marks that are stacked higher than a script needs. */
export const stackedMarks = String.raw`(?<=\p{M}{4})\p{M}`;

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

/** Unicode counts some characters as pictures before it assigns them. These are shown by their codes, so they join with nothing. */
const picture = String.raw`(?!\p{Cn})\p{Extended_Pictographic}`;

/** Joiners and selectors in the places where scripts and emoji normally have them. */
const inPlace = [
  String.raw`(?<=\p{Emoji})\ufe0f`,
  String.raw`(?<=${picture}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=${picture})`,
  String.raw`(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})`,
  String.raw`(?<=${joined})[\u200c\u200d](?=${joined})`,
];

const hidden = [String.raw`(?![\t\n\r])[${unseenCharacters}]`, stackedMarks];

const pattern = new RegExp(`${inPlace.join("|")}|(${hidden.join("|")})`, "gu");

export function revealHidden(text: string): string {
  return text.replace(pattern, (found: string, hides: string | undefined) =>
    hides === undefined ? found : codeOf(found),
  );
}

const unusual = new RegExp(`[${unusualSpaces}]`, "gu");

/** Also marks spaces that look like the usual one, for a name in a question to a person: another file may have a name that looks the same. */
export function revealInName(name: string): string {
  return revealHidden(name).replace(unusual, codeOf);
}

function codeOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** Makes characters visible that are not drawn or change the order of reading: `⟨U+202E⟩`. */
import { stackedMarks, unseenCharacters, unusualSpaces } from "./unseenCharacters";

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

const hidden = [String.raw`(?![\t\n\r])[${unseenCharacters}]`, stackedMarks];

const pattern = new RegExp(`${inPlace.join("|")}|(${hidden.join("|")})`, "gu");

export function revealHidden(text: string): string {
  return text.replace(pattern, (found: string, hides: string | undefined) =>
    hides === undefined ? found : codeOf(found),
  );
}

const unusual = new RegExp(`[${unusualSpaces}]`, "gu");

/** Also marks the spaces that look like the usual one: for a name that a person is asked about, which may be beside its look-alike. */
export function revealInName(name: string): string {
  return revealHidden(name).replace(unusual, codeOf);
}

function codeOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

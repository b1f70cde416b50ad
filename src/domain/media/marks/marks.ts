/**
 * The metadata in a picture's file that states how the picture was made. It lies apart from the pixels; `readMarks` reads it and `writeMarks` writes
 * it.
 */

/** Every field is missing where the file does not state it, or states it in a form that is not read here. */
export interface PictureMarks {
  /** A model made the picture, or a part of it, by the IPTC's digital source type. */
  readonly isGenerated?: true;
  /** A placeholder that was drawn for a rehearsal, and is to be replaced. */
  readonly isRehearsed?: true;
  readonly model?: string;
  /** The id of the task at its gateway. */
  readonly task?: string;
  /** Foreign text where the file came from elsewhere: it is shown and copied, and nothing in it is followed. */
  readonly prompt?: string;
  /** A safe integer: of a larger one the last digits would be lost, and it would give another picture. */
  readonly seed?: number;
  /** The file was encoded anew from one that had content credentials (C2PA), which were of that file and are not in this one. */
  readonly hadCredentials?: true;
  /** The file has content credentials (C2PA). They are neither checked nor written: only a signer can do that. */
  readonly hasCredentials?: true;
}

/** Characters of a prompt, a model's name and a task's id; what is longer is cut. */
export const markLimits = { prompt: 20_000, model: 200, task: 200 } as const;

/** The vocabulary of the IPTC for `Iptc4xmpExt:DigitalSourceType`, which requires the whole address: https://cv.iptc.org/newscodes/digitalsourcetype/ */
const sourceTypes = "http://cv.iptc.org/newscodes/digitalsourcetype/";
export const generatedSourceType = `${sourceTypes}trainedAlgorithmicMedia`;
/** A program drew it by rules: no model, and nothing that was learned. */
export const drawnSourceType = `${sourceTypes}algorithmicMedia`;
/** A picture of which only a part was made by a model. */
export const partlyGeneratedSourceType = `${sourceTypes}compositeWithTrainedAlgorithmicMedia`;

/**
 * Namespaces of XMP. The properties about models and prompts are those of the IPTC Photo Metadata Standard 2025.1: `AISystemUsed` and
 * `AIPromptInformation`. What it has no property for is in a namespace of Sluice.
 */
export const xmpNamespaces = {
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  Iptc4xmpExt: "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
  sluice: "urn:sluice:marks:1:",
} as const;

/** The contract of the page that converts a task's picture and has it saved in the project (T17). The page decodes and writes pictures; the host chooses the place. */
import * as z from "zod/mini";
import { convertedFormats } from "../../domain/media/convertedPicture";
import { maxPictureBytes } from "../../domain/media/pictureBounds";
import type { IntentOf, ProjectedContract } from "../../base/pageContract";

/** The bytes of a picture. The page offers no larger one to be saved. */
const bytes = z.instanceof(Uint8Array).check(z.refine(({ length }) => length <= maxPictureBytes));

const intents = {
  /** The second picture is for displays with two pixels per point. `path` is in the workspace, without an ending; without it a dialog asks. */
  "picture-save": {
    format: z.enum(convertedFormats),
    path: z.optional(z.string().check(z.maxLength(1000))),
    pictures: z.array(bytes).check(z.minLength(1), z.maxLength(2)),
    /** Prompt and seed are written into the files, in addition to the marks that always are. */
    hasPrompt: z.boolean(),
  },
  /** Fetches the result again, in the place of a file that is missing or damaged. */
  "result-get": {},
  "markup-copy": {},
  "saved-show": {},
};

export type ConvertPageContract = ProjectedContract<typeof intents, ConvertPageSnapshot, ConvertPageSnapshot>;
export const convertPageContract: ConvertPageContract = { intents };
export type ConvertPageIntent = IntentOf<ConvertPageContract>;

export interface ConvertPageSnapshot {
  /** The task's id. */
  readonly subject: string;
  /** The beginning of the prompt. */
  readonly title: string;
  /** `none`: there is no result, or it can't be fetched. */
  readonly picture: { readonly state: "reading" | "none" } | { readonly state: "here"; readonly url: string };
  /** The proposed path in the workspace, without an ending; missing where a dialog asks. */
  readonly path?: string;
  /** The proposed width in pixels; missing for that of the picture. */
  readonly width?: number;
  /** Whether prompt and seed were written when a picture was saved last. */
  readonly hasPrompt: boolean;
  readonly isSaving: boolean;
  /** The files that were written last, as a list in words, and when, in milliseconds since 1970. */
  readonly saved?: { readonly files: string; readonly at: number };
}

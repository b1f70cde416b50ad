/**
 * The shape of what a request holds in addition to the prompts: where the chat works, the instructions of the person and the project, and the active
 * editor.
 */
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";

const text = z.string();

/** A text that guides the model. It allows nothing: no rule and no guard reads it. */
export const instructionsSchema = z.object({
  /** The file, as tools name it; empty for the person's own, which are a setting. */
  path: text,
  text,
  /** Bytes of the whole, when `text` is only the beginning of it. */
  cutFrom: z.exactOptional(z.number()),
});

const rootSchema = z.object({
  /** The name that paths of tools begin with where there are several roots. */
  name: text,
  path: text,
  branch: z.exactOptional(text),
  /** The names at the top of the root that git tracks, folders with `/`; for a root without a repository, all that file lists show. */
  entries: z.array(text),
  /** The number of further names. */
  more: z.exactOptional(z.number()),
});

/** A file about one kind of work, which the model reads when it has such work. */
const skillSchema = z.object({ name: text, path: text, description: text });

/** The environment is read with the first request of a chat and kept with the chat, so that its requests begin with the same bytes each time. */
export const environmentSchema = z.object({
  /** The operating system. */
  system: text,
  /** The shell for a command line that is more than plain words. */
  shell: text,
  /** The local date, as 2026-11-24. */
  day: text,
  /** Empty where tools have no files. */
  roots: z.array(rootSchema),
  instructions: z.array(instructionsSchema),
  /** Files that would be instructions, but that git does not track and the person has not allowed. */
  offered: z.exactOptional(z.array(text)),
  /** Missing for none. */
  skills: z.exactOptional(z.array(skillSchema)),
});

/** The context that is sent with one prompt. */
export const promptContextSchema = z.object({
  /** The day, in the form of the environment. */
  day: z.exactOptional(text),
  /** The active editor: the lines are those of the selection, whose text is not sent. */
  editor: z.exactOptional(
    z.object({ path: text, lines: z.exactOptional(z.object({ first: z.number(), last: z.number() })) }),
  ),
});

export type Instructions = Immutable<z.infer<typeof instructionsSchema>>;
export type Skill = Immutable<z.infer<typeof skillSchema>>;
export type ChatEnvironment = Immutable<z.infer<typeof environmentSchema>>;
export type PromptContext = Immutable<z.infer<typeof promptContextSchema>>;

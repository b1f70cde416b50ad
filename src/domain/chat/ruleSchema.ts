/** The scope and subject of rules (A3), as they are offered on a card and stored for a workspace. Facts only; `describeRule.ts` has the words. */
import * as z from "zod/mini";
import { inputSchema } from "./chatEventSchema";

/**
 * `review`: edits of the workspace that are reviewed after they have landed, see `reviewed-edits`. `profile`, `full-profile`: the commands of the
 * session, see `workspace-commands`; the second with `edited`.
 */
export const scopeSchema = z.enum(["session", "workspace", "review", "profile", "full-profile"]);

export const ruleSubjectSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("command"),
    argv: z.array(z.string()),
    folder: z.string(),
    /** Indexes in `argv` of names that others may replace: plain files that git tracks, and folders inside of one. */
    places: z.exactOptional(z.array(z.number())),
  }),
  /**
   * The rule covers edits and new files, of source and documents in the workspace that nothing executes. `knowing`: the person gave it while text of
   * packages in these folders was part of what the model gets, and it applies despite such text.
   */
  z.object({ type: z.literal("plain-files"), knowing: z.exactOptional(z.array(z.string())) }),
  /** Edits of source and documents in the workspace that git tracks and nothing executes: an undo takes back all that can happen. */
  z.object({ type: z.literal("reviewed-edits") }),
  /**
   * Every command that runs code of the project, or reads and writes its files, see `isProfiled`. `edited`: also while files are listed that rules
   * let the model change.
   */
  z.object({ type: z.literal("workspace-commands"), edited: z.exactOptional(z.literal(true)) }),
  /** `left` more tasks by that model, with these options or smaller ones. */
  z.object({
    type: z.literal("submit-task"),
    taskType: z.string(),
    model: z.string(),
    options: inputSchema,
    left: z.number(),
  }),
  /** Pages of exactly that scheme, host and port. */
  z.object({ type: z.literal("fetch"), origin: z.string() }),
  z.object({ type: z.literal("foreign-tool"), name: z.string(), promise: z.string() }),
]);

/** `more`: further rules that the same yes makes, for the other parts of a command line. */
export const offerSchema = z.object({
  scope: scopeSchema,
  subject: ruleSubjectSchema,
  more: z.exactOptional(z.array(ruleSubjectSchema)),
});

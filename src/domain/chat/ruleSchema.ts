/** What rules cover (A3), as it is offered on a card and stored for a workspace. Facts only; `describeRule.ts` has the words. */
import * as z from "zod/mini";
import { inputSchema } from "./chatEventSchema";

export const scopeSchema = z.enum(["session", "workspace"]);

export const ruleSubjectSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("command"),
    argv: z.array(z.string()),
    folder: z.string(),
    /** Names of tests and files of the project may follow; see `isCoveredRest`. */
    open: z.exactOptional(z.literal(true)),
  }),
  /** Edits and new files, of source and documents in the workspace that nothing executes. */
  z.object({ type: z.literal("plain-files") }),
  /** `left` more tasks by that model, with these options or smaller ones. */
  z.object({
    type: z.literal("submit-task"),
    taskType: z.string(),
    model: z.string(),
    options: inputSchema,
    left: z.number(),
  }),
  z.object({ type: z.literal("foreign-tool"), name: z.string(), promise: z.string() }),
]);

export const offerSchema = z.object({ scope: scopeSchema, subject: ruleSubjectSchema });

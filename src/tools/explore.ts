/** Tool: has a reader answer one question about the workspace. What the reader reads fills its own context and not that of the chat. */
import * as z from "zod/mini";
import type { ToolAction } from "../domain/chat/chat";
import { type CallEffects, type Tool, ToolRefusal } from "../domain/tools/tool";
import { alias } from "./base/argumentRules";
import { defineTool } from "./base/defineTool";

export function explore(): Tool {
  return defineTool({
    name: "explore",
    effect: "delegates",
    description:
      "Has a reader with a context of its own answer one question about the workspace, with paths and lines. Use it where many files have to be read and only the answer matters: how something works, where all uses are, what a change would touch; not for what one or two calls of yours find. Independent questions go into one answer as several calls. The reader knows nothing of this conversation.",
    parameters: z.strictObject({
      question: z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(4000),
          z.describe("The whole question, with what is known already, such as paths and names, and what to leave out."),
        ),
    }),
    rules: [alias("question", "prompt", "task", "query", "description")],
    prepare: ({ question }) =>
      Promise.resolve({
        action: { type: "explore" as const, question },
        async run(signal: AbortSignal, effects?: CallEffects) {
          if (effects?.explore === undefined) throw new ToolRefusal("There is no reader here. Read yourself.");
          const { text, ...took } = await effects.explore(question, signal);
          const action: ToolAction = { type: "explore", question, ...took };
          effects.did?.(action);
          return text;
        },
      }),
  });
}

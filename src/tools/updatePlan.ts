/** Tool: the plan of the work as steps, which the person sees above the composer and may change. */
import * as z from "zod/mini";
import { planProgress, stepCap, stepLengthCap, stepStates } from "../domain/chat/plan";
import { type CallEffects, type Tool, ToolRefusal } from "../domain/tools/tool";
import { defineTool } from "./base/defineTool";

export function updatePlan(): Tool {
  return defineTool({
    name: "update_plan",
    effect: "tracks",
    description:
      "Shows the person your work as steps, in place of those before. Call it at the start of work with three or more steps, and when a step begins or is done: all steps each time, at most one of them doing. The person may change the plan; keep their changes.",
    parameters: z.strictObject({
      steps: z
        .array(
          z.strictObject({
            text: z
              .string()
              .check(
                z.minLength(1),
                z.maxLength(stepLengthCap),
                z.describe("What is done in this step, in a few words that stay the same from call to call."),
              ),
            state: z.enum(stepStates).check(z.describe("Where the step is.")),
          }),
        )
        .check(z.minLength(1), z.maxLength(stepCap), z.describe("All steps, in order.")),
    }),
    prepare: ({ steps }) =>
      Promise.resolve({
        action: { type: "update-plan" as const, steps },
        run(_signal: AbortSignal, effects?: CallEffects) {
          if (effects?.setPlan === undefined)
            return Promise.reject(new ToolRefusal("There is no place for a plan here. Go on without."));
          const kept = effects.setPlan(steps);
          if (kept !== undefined)
            return Promise.reject(
              new ToolRefusal(
                `The person has changed the plan since you gave it, so it was not replaced. ${kept} Call this again with their changes kept.`,
              ),
            );
          const { done, count } = planProgress(steps);
          return Promise.resolve(`The person sees the plan: ${done} of ${count} done.`);
        },
      }),
  });
}

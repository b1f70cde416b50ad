/** Tool: the plan of the work as steps, which the person sees above the composer and may change. */
import * as z from "zod/mini";
import { planProgress, stepCap, stepLengthCap, stepStates } from "../domain/chat/plan";
import { planDocumentCap } from "../domain/chat/planDocument";
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
          const { refused, kept } = effects.setPlan(steps);
          if (refused !== undefined)
            return Promise.reject(
              new ToolRefusal(
                `The person has changed the plan since you gave it, so it was not replaced. ${refused} Call this again with their changes kept.`,
              ),
            );
          if (kept !== undefined)
            return Promise.resolve(
              `The person sees the plan, whose document keeps its steps. ${kept} Use these words from now on.`,
            );
          const { done, count } = planProgress(steps);
          return Promise.resolve(`The person sees the plan: ${done} of ${count} done.`);
        },
      }),
  });
}

/** Tool of Plan mode: the plan of the work as a Markdown document, which the person edits, comments on and starts. */
export function presentPlan(): Tool {
  return defineTool({
    name: "present_plan",
    effect: "presents",
    description:
      "Presents the plan of the work to the person, who may edit it, comment on it and start it, whole or step by step. Call it once you have looked at all that the plan depends on, and again with the whole new plan when the person has commented on it. After it end your answer with one sentence.",
    parameters: z.strictObject({
      title: z.string().check(z.minLength(1), z.maxLength(100), z.describe("What the plan is for, in a few words.")),
      text: z
        .string()
        .check(
          z.minLength(1),
          z.maxLength(planDocumentCap / 2),
          z.describe(
            "The plan in Markdown: what is to be reached, then the work as numbered steps at the margin (1. …), each small enough to be done and checked alone, with the paths that it changes and how it is checked; then risks and what is left open.",
          ),
        ),
    }),
    prepare: ({ title, text }) =>
      Promise.resolve({
        action: { type: "present-plan" as const, title, text },
        run(_signal: AbortSignal, effects?: CallEffects) {
          if (effects?.presentPlan === undefined)
            return Promise.reject(new ToolRefusal("A plan cannot be presented here. Write it into your answer."));
          effects.presentPlan();
          return Promise.resolve(
            "The person sees the plan and may edit and start it. Nothing is to be done until then.",
          );
        },
      }),
  });
}

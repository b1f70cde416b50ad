/** Plans a task when it is created: the time of each state, the outcome and the cost. */
import * as z from "zod/mini";
import { type TaskKind, taskKinds, type TaskTypeWord } from "../demo/taskKinds";
import { createRandom, hashText } from "../demo/seededRandom";

/** Milliseconds since 1970; a state begins at its time. */
export const taskPlanSchema = z.object({
  queuedAt: z.number(),
  processingAt: z.number(),
  /** Missing for a task that never completes: it expires. */
  endsAt: z.optional(z.number()),
  expiresAt: z.number(),
  outcome: z.discriminatedUnion("state", [
    /** `usage`: what it really costs, in minor units. */
    z.object({ state: z.literal("succeeded"), usage: z.int() }),
    z.object({ state: z.literal("failed"), errorCode: z.string(), errorMessage: z.string() }),
  ]),
});
export type TaskPlan = z.infer<typeof taskPlanSchema>;

const timeToLive = 15 * 60_000;
/** Factor for the duration of a prompt with `[slow]`. */
const slowness = 8;

export interface PlanRequest {
  readonly type: TaskTypeWord;
  readonly prompt: string;
  readonly seed: number;
  readonly now: number;
  /** Divides all durations. */
  readonly speed: number;
}

/** The same request always has the same durations. `[fail]`, `[slow]` and `[stuck]` in a prompt select these outcomes. */
export function planTask({ type, prompt, seed, now, speed }: PlanRequest): TaskPlan {
  const { seconds, estimate }: TaskKind = taskKinds[type];
  const random = createRandom(hashText("plan", type, prompt, seed));
  const factor = (prompt.includes("[slow]") ? slowness : 1) / speed;
  const total = random.between(...seconds) * 1000 * factor;
  const after = (part: number): number => now + Math.round(total * part);
  const times = {
    queuedAt: after(random.between(0.02, 0.05)),
    processingAt: after(random.between(0.1, 0.25)),
    expiresAt: now + Math.round(timeToLive / speed),
  };
  const usage = Math.round(estimate * random.between(0.7, 1.1));
  if (prompt.includes("[fail]")) {
    const errorCode = random.pick(failureCodes);
    const errorMessage = failures[errorCode];
    return { ...times, endsAt: after(random.between(0.4, 0.9)), outcome: { state: "failed", errorCode, errorMessage } };
  }
  const outcome = { state: "succeeded", usage } as const;
  return prompt.includes("[stuck]") ? { ...times, outcome } : { ...times, endsAt: after(1), outcome };
}

const failureCodes = ["generation_failed", "content_rejected", "upstream_timeout"] as const;
const failures = {
  generation_failed: "The generator stopped before the result was complete.",
  content_rejected: "The prompt was not accepted by the content filter.",
  upstream_timeout: "The generator did not answer in time.",
} as const;

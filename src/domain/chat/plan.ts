/** The plan of a chat (A13): the steps that the model checks off and the person changes. Pure. */
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";

const text = z.string();

export const stepCap = 40;
/** Characters of one step. */
export const stepLengthCap = 400;

export const stepStates = ["pending", "doing", "done"] as const;

export const planStepSchema = z.object({
  /** The id is given when the step is created, and stays when the step is reworded. */
  id: text,
  text,
  state: z.enum(stepStates),
});
export type PlanStep = Immutable<z.infer<typeof planStepSchema>>;

/** The call that has presented a plan. */
export const planPlaceSchema = z.object({ answer: text, call: text });
export type PlanPlace = Immutable<z.infer<typeof planPlaceSchema>>;

export const planSchema = z.object({
  /** Empty once the person has removed all steps, until the model has got that. */
  steps: z.array(planStepSchema),
  /** The id of the answer in which the model last set the plan. A branch without that answer has an earlier plan. */
  answer: text,
  /** The call that has presented the document of these steps, if the plan has one. */
  document: z.exactOptional(planPlaceSchema),
  /** The person has changed it, and the model has not got that yet. */
  isEdited: z.exactOptional(z.literal(true)),
  /** The source of foreign text that the model had read when it wrote the plan. */
  untrusted: z.exactOptional(text),
});
export type Plan = Immutable<z.infer<typeof planSchema>>;

/** The edits that a person makes to a plan. */
export const planEditSchema = z.discriminatedUnion("do", [
  z.object({ do: z.literal("mark"), step: text, state: z.enum(stepStates) }),
  z.object({ do: z.literal("reword"), step: text, text }),
  z.object({ do: z.literal("remove"), step: text }),
  /** `step` is the id of the new step, which is added at the end. */
  z.object({ do: z.literal("add"), step: text, text }),
  z.object({ do: z.literal("clear") }),
]);
export type PlanEdit = Immutable<z.infer<typeof planEditSchema>>;

/** Returns the same plan where the edit changes nothing, as when its step is gone. */
export function editPlan(plan: Plan, edit: PlanEdit): Plan {
  const steps = editSteps(plan.steps, edit);
  return steps === plan.steps ? plan : { ...plan, steps, isEdited: true };
}

function editSteps(steps: readonly PlanStep[], edit: PlanEdit): readonly PlanStep[] {
  if (edit.do === "clear") return steps.length === 0 ? steps : [];
  const at = steps.findIndex(({ id }) => id === edit.step);
  const step = steps[at];
  if (edit.do === "add") {
    const isFull = steps.length >= stepCap || step !== undefined;
    return isFull ? steps : [...steps, { id: edit.step, text: edit.text, state: "pending" }];
  }
  if (step === undefined) return steps;
  switch (edit.do) {
    case "mark":
      return step.state === edit.state ? steps : steps.with(at, { ...step, state: edit.state });
    case "reword":
      return step.text === edit.text ? steps : steps.with(at, { ...step, text: edit.text });
    case "remove":
      return steps.filter(({ id }) => id !== edit.step);
  }
}

/**
 * Gives ids to the model's steps. A step whose text was there before keeps its id, so that edits which the person makes meanwhile still apply to it.
 */
export function withStepIds(
  before: readonly PlanStep[],
  steps: readonly Omit<PlanStep, "id">[],
  newId: () => string,
): readonly PlanStep[] {
  const left = [...before];
  return steps.map((step) => {
    const at = left.findIndex((one) => one.text === step.text);
    const [known] = at < 0 ? [] : left.splice(at, 1);
    return { ...step, id: known?.id ?? newId() };
  });
}

interface PlanProgress {
  readonly done: number;
  readonly count: number;
  /** The text of the step that is being done, else of the next one; missing once all are done. */
  readonly current?: string;
}

export function planProgress(steps: readonly Omit<PlanStep, "id">[]): PlanProgress {
  const current = steps.find(({ state }) => state === "doing") ?? steps.find(({ state }) => state === "pending");
  const done = steps.filter(({ state }) => state === "done").length;
  return { done, count: steps.length, ...(current === undefined ? {} : { current: current.text }) };
}

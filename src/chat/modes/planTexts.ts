/** The plan of a chat as requests have it: in one line, so that no step can look like a line of the conversation. Pure. */
import { fenceCode } from "../../base/text/codeFence";
import type { PlanStep } from "../../domain/chat/plan";
import { oneLine } from "../context/environmentText";

/** *1. [done] Read the parser; 2. [doing] Mend it.* */
export function planText(steps: readonly PlanStep[]): string {
  if (steps.length === 0) return "It has no steps any more.";
  return `It reads now: ${steps.map(({ text, state }, at) => `${at + 1}. [${state}] ${oneLine(text)}`).join("; ")}.`;
}

/** Before a prompt. */
export function editedPlanLine(steps: readonly PlanStep[]): string {
  return `(The person has changed the plan of the work. ${planText(steps)})`;
}

/** After a summary. */
export function planOfSummary(steps: readonly PlanStep[]): string {
  return `The plan of the work, as it was then. ${planText(steps)}`;
}

/** Before a prompt, like an attachment: its text is the person's by now. */
export function editedDocumentText(text: string): string {
  return `The person attached the plan as they have edited it:\n${fenceCode(text)}`;
}

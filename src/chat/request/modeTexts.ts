/** The texts about plan and mode in requests. A plan is one line, so that no step can look like a line of the conversation. Pure. */
import { fenceCode } from "../../base/text/codeFence";
import type { PlanStep } from "../../domain/chat/plan";
import type { ChatMode } from "../../domain/chat/chatMode";
import { oneLine } from "./environmentText";

/** Writes a plan, for example *1. [done] Read the parser; 2. [doing] Mend it.* */
export function planText(steps: readonly PlanStep[]): string {
  if (steps.length === 0) return "It has no steps any more.";
  return `It reads now: ${steps.map(({ text, state }, at) => `${at + 1}. [${state}] ${oneLine(text)}`).join("; ")}.`;
}

/** The line before a prompt, once the person has edited the plan. */
export function editedPlanLine(steps: readonly PlanStep[]): string {
  return `(The person has changed the plan of the work. ${planText(steps)})`;
}

/** The plan that follows a summary, because the summary may not mention it. */
export function planOfSummary(steps: readonly PlanStep[]): string {
  return `The plan of the work, as it was then. ${planText(steps)}`;
}

/** The document of a plan that the person has edited. It is before a prompt like an attachment, because its text is now the person's. */
export function editedDocumentText(text: string): string {
  return `The person attached the plan as they have edited it:\n${fenceCode(text)}`;
}

/**
 * The line before each prompt of a mode that only reads, and before the first prompt after such a mode. It is in the conversation, because the
 * system prompt is the same in all modes.
 */
export function modeLines(mode: ChatMode, before: ChatMode): readonly string[] {
  if (mode === "agent" && before === "agent") return [];
  return [modeTexts[mode].line];
}

/** The result of a call that the mode withholds. */
export function withheldText(tool: string, mode: ChatMode): string {
  return `${tool} is not offered in ${modeTexts[mode].name} mode, so nothing was done. ${modeTexts[mode].remedy}`;
}

const modeTexts: Readonly<Record<ChatMode, { readonly name: string; readonly line: string; readonly remedy: string }>> =
  {
    agent: {
      name: "Agent",
      line: "(The person has switched this chat to Agent mode: the tools that change and run things are there again.)",
      remedy: "Use the tools that are declared.",
    },
    ask: {
      name: "Ask",
      line: "(This chat is in Ask mode: look and answer, with the tools that are declared. Nothing can be changed, run or submitted; where that is wanted, say what you would do.)",
      remedy:
        "Answer with what you can read. Where a change is needed, describe it and say that the person can switch the chat to Agent mode.",
    },
    plan: {
      name: "Plan",
      line: "(This chat is in Plan mode: look with the tools that are declared, then write the plan of the work as numbered steps. Nothing can be changed, run or submitted before the person starts the plan.)",
      remedy: "Make it a step of the plan: the person starts the plan, whole or step by step.",
    },
  };

/** How far a tool call is, by what is reported of it. Pure. */
import { emptyOutput, joinOutput } from "../cappedText";
import type { SessionEvent, ToolCallBlock, ToolStep } from "../chat";

export type CallEvent = Extract<
  SessionEvent,
  { readonly type: "tool-progress" | "tool-reading" | "tool-activity" | "tool-step" | "tool-output" }
>;

export function reduceCall(block: ToolCallBlock, event: CallEvent): ToolCallBlock {
  switch (event.type) {
    case "tool-progress":
      return { ...block, progress: event.progress };
    case "tool-reading":
      return { ...block, reading: event.reading };
    case "tool-activity":
      return { ...block, activity: event.activity };
    case "tool-step":
      return { ...block, steps: withStep(block.steps ?? [], event.step) };
    case "tool-output":
      return { ...block, output: joinOutput(block.output ?? emptyOutput, event.output) };
  }
}

/** A reader that makes more calls goes on unseen. */
const stepCap = 200;

function withStep(steps: readonly ToolStep[], step: ToolStep): readonly ToolStep[] {
  const at = steps.findLastIndex(({ call }) => call === step.call);
  if (at >= 0) return steps.with(at, step);
  return steps.length < stepCap ? [...steps, step] : steps;
}

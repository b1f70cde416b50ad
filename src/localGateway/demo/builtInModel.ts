/** The demonstrator: rules that read the prompt, call the declared tools for real and answer with what came back. The same (messages, seed) give the same answer. */
import { createRandom, hashText, type SeededRandom } from "./seeded";
import type { CalledTool, Conversation, DeclaredTool, Turn } from "../chat/conversation";
import { pathOf, readSteps, type Step } from "./intents";
import { freeAnswer } from "./freeAnswer";
import type { SeenImage } from "../chat/images";
import { jsonAnswer } from "../chat/jsonAnswer";
import { type DoneCall, isFailure, reportCalls } from "./toolReport";
import { fitStep, type FittedCall } from "./toolFit";

export interface Answer {
  readonly reasoning: string;
  /** Thought, and not to be shown; only some wires can carry it. */
  readonly hidden: string;
  readonly text: string;
  readonly calls: readonly CalledTool[];
}

/** Calls that go out together, or the reason why there are none. */
type Round =
  { readonly step: Step; readonly calls: readonly FittedCall[] } | { readonly step: Step; readonly calls: undefined };

export function answerOf(conversation: Conversation): Answer {
  const { turns, seed, thinking, json } = conversation;
  const random = createRandom(hashText("answer", seed, JSON.stringify(turns.map(withoutIds))));
  const asked = turns.findLastIndex(({ role }) => role === "user");
  const prompt = turns[asked]?.text ?? "";
  const tools = conversation.toolChoice === "none" ? [] : conversation.tools;
  const names = tools.map(({ name }) => name);
  const steps = readSteps(prompt, names, lastPath(turns.slice(0, Math.max(0, asked)), names));
  const done = doneRounds(turns.slice(asked + 1));
  const plan = planRounds(steps, tools, conversation);
  const answer =
    plan.length > 0 || done.length > 0
      ? { ...goOn(plan, done, { tools, random }), hidden: "" }
      : { ...freeAnswer(prompt, { tools, random, images: imagesOf(turns[asked]) }), calls: [] };
  const text = json === undefined || answer.calls.length > 0 ? answer.text : jsonAnswer(prompt, json.schema, random);
  return { ...answer, text, ...(thinking ? {} : { reasoning: "", hidden: "" }) };
}

/** Ids differ from family to family; what is said does not. */
function withoutIds(turn: Turn): unknown {
  if (turn.role === "tool") return [turn.role, turn.text];
  if (turn.role === "assistant") return [turn.role, turn.text, turn.calls.map((call) => [call.name, call.arguments])];
  return [turn.role, turn.text, turn.images];
}

function planRounds(
  steps: readonly Step[],
  tools: readonly DeclaredTool[],
  conversation: Conversation,
): readonly Round[] {
  const { toolChoice, parallel } = conversation;
  if (steps.length === 0) {
    const forced =
      typeof toolChoice === "object" ? toolChoice.name : toolChoice === "required" ? tools[0]?.name : undefined;
    if (forced === undefined) return [];
    const step: Step = { kind: "named", tool: forced, jsons: [], texts: [] };
    return [{ step, calls: fitStep(step, tools) }];
  }
  return steps.flatMap((step): readonly Round[] => {
    const calls = fitStep(step, tools);
    if (calls === undefined || parallel) return [{ step, calls }];
    return calls.map((call) => ({ step, calls: [call] }));
  });
}

/** One round further: the next calls, or the report on all there were. */
function goOn(
  plan: readonly Round[],
  done: readonly (readonly DoneCall[])[],
  { tools, random }: { readonly tools: readonly DeclaredTool[]; readonly random: SeededRandom },
): Omit<Answer, "hidden"> {
  const failed = done.at(-1)?.some(isFailure) ?? false;
  const next = failed ? undefined : plan[done.length];
  if (next === undefined) {
    const left = failed ? plan.length - done.length : 0;
    return { reasoning: "", text: reportCalls(done.flat(), { left, random }), calls: [] };
  }
  if (next.calls === undefined) {
    const report = done.length === 0 ? "" : `${reportCalls(done.flat(), { left: 0, random })}\n\n`;
    return { reasoning: "", text: report + cannot(next.step, tools), calls: [] };
  }
  const calls = next.calls.map(({ tool, input }) => ({
    id: `call_${letters(random, 24)}`,
    name: tool.name,
    arguments: JSON.stringify(input),
  }));
  const ahead = plan.length - done.length - 1;
  const reasoning =
    done.length > 0
      ? `That worked. Next: ${describeStep(next.step)}.`
      : `The prompt asks to ${describeStep(next.step)}${ahead > 0 ? `, and then for ${ahead} more` : ""}. ` +
        `${tools.length} tools are declared; by its name and description \`${calls[0]?.name ?? ""}\` is the one for this.`;
  const text =
    done.length > 0 ? "" : `${random.pick(["First", "To begin", "Right away"])}: ${describeStep(next.step)}.`;
  return { reasoning, text, calls };
}

function cannot(step: Step, tools: readonly DeclaredTool[]): string {
  const wish = describeStep(step);
  if (tools.length === 0) {
    return (
      `To ${wish} a tool is needed, and this request declares none. ` +
      "Tools may be switched off, or the workspace may be in Restricted Mode, where chat works without them."
    );
  }
  const names = tools.map(({ name }) => `\`${name}\``).join(", ");
  return `To ${wish} none of the declared tools fits: ${names}.`;
}

function describeStep(step: Step): string {
  switch (step.kind) {
    case "read": {
      const files = step.paths.map((path) => `\`${path}\``).join(" and ");
      return step.from === undefined
        ? `read ${files}`
        : `read lines ${step.from} to ${step.to ?? step.from} of ${files}`;
    }
    case "list":
      return step.path === undefined ? "list the files" : `list the files in \`${step.path}\``;
    case "find":
      return `find \`${step.text}\`${step.path === undefined ? "" : ` in \`${step.path}\``}`;
    case "replace":
      return `change \`${step.old}\` to \`${step.replacement}\`${step.path === undefined ? "" : ` in \`${step.path}\``}`;
    case "run":
      return `run \`${step.command}\``;
    case "named":
      return `call \`${step.tool}\``;
  }
}

/** The calls since the last prompt with their results, round by round. */
function doneRounds(turns: readonly Turn[]): readonly (readonly DoneCall[])[] {
  const results = new Map(turns.flatMap((turn) => (turn.role === "tool" ? [[turn.callId, turn] as const] : [])));
  return turns.flatMap((turn) => {
    if (turn.role !== "assistant" || turn.calls.length === 0) return [];
    return [
      turn.calls.map((call) => {
        const { text = "", failed = false } = results.get(call.id) ?? {};
        return { call, result: text, failed };
      }),
    ];
  });
}

/** The file that was spoken of last, for *it* and for a change that names none. */
function lastPath(turns: readonly Turn[], names: readonly string[]): string | undefined {
  for (const turn of turns.toReversed()) {
    if (turn.role !== "user") continue;
    const path = readSteps(turn.text, names)
      .map(pathOf)
      .findLast((found) => found !== undefined);
    if (path !== undefined) return path;
  }
  return undefined;
}

function imagesOf(turn: Turn | undefined): readonly SeenImage[] {
  return turn?.role === "user" ? turn.images : [];
}

function letters(random: SeededRandom, count: number): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from({ length: count }, () => alphabet[random.integer(0, alphabet.length - 1)] ?? "x").join("");
}

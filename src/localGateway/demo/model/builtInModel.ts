/** The built-in model: rules that read the prompt, call the declared tools and report their results. The same messages and seed give the same answer. */
import { definedFields } from "../../../base/definedFields";
import type { Conversation, ConversationTurn, DeclaredTool, ToolCallTurn } from "../../conversation/conversation";
import { createRandom, hashText, type SeededRandom } from "../seededRandom";
import { takeAttached, withoutPlace } from "./attachedText";
import { summarizeConversation } from "./conversationSummary";
import { writeDemoCommit } from "./demoCommit";
import { writeFreeText } from "./freeText";
import { jsonAnswer } from "./jsonAnswer";
import { type PlayedCall, readPlayedCalls } from "./playedCalls";
import { type PromptStep, readSteps } from "./promptSteps";
import { type FinishedCall, isFailure, reportCalls, type StepReport } from "./toolReport";
import { planCalls, type PlannedCall, type ToolStep, wordsOf } from "./toolCalls";
import { writeOverview } from "./writeOverview";

export interface ModelAnswer {
  readonly reasoning: string;
  /** Reasoning that is not shown; only the messages family can carry it. */
  readonly hidden: string;
  readonly text: string;
  /** The words of a picture that is painted after the text. */
  readonly picture?: string;
  readonly calls: readonly ToolCallTurn[];
}

/** Calls of one answer; without `calls` no declared tool fits. */
interface PlannedRound {
  /** After _to_. */
  readonly what: string;
  readonly calls: readonly PlayedCall[] | undefined;
  /** Made also after a call that failed. */
  readonly isPlayed?: true;
  readonly report?: StepReport;
}

export function composeAnswer(conversation: Conversation): ModelAnswer {
  const { seed, thinking, json } = conversation;
  const turns = withResultImages(conversation.turns);
  const random = createRandom(hashText("answer", seed, JSON.stringify(turns.map(withoutIds))));
  const promptIndex = turns.findLastIndex(({ role }) => role === "user");
  const prompt = turns[promptIndex];
  const whole = prompt?.text ?? "";
  const asked = withoutPlace(whole);
  const written = summarizeConversation(asked) ?? writeDemoCommit(asked);
  if (written !== undefined) return { reasoning: "", hidden: "", text: written, calls: [] };
  const { text, attached } = takeAttached(asked);
  const tools = conversation.toolChoice === "none" ? [] : conversation.tools;
  // A code block `calls` in a file of instructions is obeyed, as a model might: what such a file gets is to be tried out.
  const instructions = whole.slice(0, whole.length - asked.length);
  const obeyed = readPlayedCalls(text) === undefined && readPlayedCalls(instructions) ? instructions : text;
  const done = finishedRounds(turns.slice(promptIndex + 1));
  const plan = planRounds(obeyed, tools, conversation, done);
  const answer =
    plan.length > 0 || done.length > 0
      ? { ...nextRound(plan, done, tools, random), hidden: "" }
      : {
          ...writeFreeText(text, { tools, random, attached, images: prompt?.role === "user" ? prompt.images : [] }),
          calls: [],
        };
  return {
    ...answer,
    ...(json !== undefined && answer.calls.length === 0 ? { text: jsonAnswer(text, json.schema, random) } : {}),
    ...(thinking ? {} : { reasoning: "", hidden: "" }),
  };
}

/** In two families the images of results follow them as a message of the user's, alone or with a text in brackets. */
function withResultImages(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns.reduce<readonly ConversationTurn[]>((read, turn) => {
    const last = read.at(-1);
    const isOfResult = turn.role === "user" && turn.images.length > 0 && /^(?:\([^()]*\)\s*)*$/.test(turn.text);
    if (last?.role !== "tool" || !isOfResult) return [...read, turn];
    return [...read.slice(0, -1), { ...last, images: [...(last.images ?? []), ...turn.images] }];
  }, []);
}

/** Ids differ from family to family; the answer must not. */
function withoutIds(turn: ConversationTurn): unknown {
  if (turn.role === "tool") return [turn.role, turn.text, ...(turn.images ?? [])];
  if (turn.role === "assistant") return [turn.role, turn.text, turn.calls.map((call) => [call.name, call.arguments])];
  return [turn.role, turn.text, turn.images];
}

function planRounds(
  prompt: string,
  tools: readonly DeclaredTool[],
  { toolChoice, parallel }: Conversation,
  done: readonly (readonly FinishedCall[])[],
): readonly PlannedRound[] {
  const played = tools.length > 0 ? readPlayedCalls(prompt) : undefined;
  if (played !== undefined) {
    const answers = parallel ? played : played.flat().map((call) => [call]);
    return answers.map((calls) => ({ what: describeCalls(calls), calls, isPlayed: true }));
  }
  const names = tools.map(({ name }) => name);
  const steps = readSteps(prompt, names);
  const forced = typeof toolChoice === "object" ? toolChoice.name : toolChoice === "required" ? names[0] : undefined;
  if (steps.length === 0 && forced !== undefined) {
    const step: ToolStep = { kind: "call", tool: forced, inputs: [] };
    return [{ what: describeStep(step), calls: planCalls(step, tools)?.map(writeCall) }];
  }
  return steps
    .flatMap((step) => toolSteps(step, done))
    .flatMap(({ step, report }): readonly PlannedRound[] => {
      const what = describeStep(step);
      const calls = planCalls(step, tools)?.map(writeCall);
      const asked = { what, ...definedFields({ report }) };
      return calls === undefined || parallel
        ? [{ ...asked, calls }]
        : calls.map((call) => ({ ...asked, calls: [call] }));
    });
}

/** An overview is written of what was listed in the round before. */
function toolSteps(
  step: PromptStep,
  done: readonly (readonly FinishedCall[])[],
): readonly { readonly step: ToolStep; readonly report?: StepReport }[] {
  if (step.kind === "read" && step.isExplained) return [{ step, report: "explain" }];
  if (step.kind === "make") return [{ step, report: "submitted" }];
  if (step.kind !== "overview") return [{ step }];
  const { path } = step;
  const listed = done.flat().findLast(({ call }) => wordsOf(call.name).includes("list"));
  return [
    { step: { kind: "list" }, report: "none" },
    { step: { kind: "write", path, text: writeOverview(listed?.result ?? "", path) }, report: "written" },
  ];
}

/** The calls since the last prompt with their results, one list for each answer. */
function finishedRounds(turns: readonly ConversationTurn[]): readonly (readonly FinishedCall[])[] {
  const results = new Map(turns.flatMap((turn) => (turn.role === "tool" ? [[turn.callId, turn] as const] : [])));
  return turns.flatMap((turn) => {
    // The call was not sent back with its result.
    if (turn.role === "tool" && turn.callId === "") {
      const { text: result, images = [], failed = false } = turn;
      return [[{ call: { id: "", name: "tool", arguments: "{}" }, result, images, failed }]];
    }
    if (turn.role !== "assistant" || turn.calls.length === 0) return [];
    return [
      turn.calls.map((call): FinishedCall => {
        const { text: result = "", images = [], failed = false } = results.get(call.id) ?? {};
        return { call, result, images, failed };
      }),
    ];
  });
}

/** The calls of the next step, or the report on all of them. */
function nextRound(
  plan: readonly PlannedRound[],
  done: readonly (readonly FinishedCall[])[],
  tools: readonly DeclaredTool[],
  random: SeededRandom,
): Omit<ModelAnswer, "hidden"> {
  const hasFailed = done.at(-1)?.some(isFailure) ?? false;
  const planned = plan[done.length];
  const next = hasFailed && planned?.isPlayed !== true ? undefined : planned;
  const reported = done.flatMap((calls, round) => calls.map((call) => ({ ...call, as: plan[round]?.report })));
  const report = reportCalls(reported, hasFailed ? plan.length - done.length : 0);
  if (next === undefined) return { reasoning: "", text: report, calls: [] };
  const { what } = next;
  if (next.calls === undefined) {
    const text = `${report}${report === "" ? "" : "\n\n"}${describeMissingTool(what, tools)}`;
    return { reasoning: "", text, calls: [] };
  }
  const calls = next.calls.map(({ name, json }) => ({ id: `call_${randomId(random)}`, name, arguments: json }));
  if (done.length > 0) return { reasoning: `That ${hasFailed ? "failed" : "worked"}. Next: ${what}.`, text: "", calls };
  const reasoning = `The prompt asks to ${what}. Of ${tools.length} declared tools \`${calls[0]?.name ?? ""}\` fits by its name.`;
  return { reasoning, text: `${random.pick(["First", "To begin", "Right away"])}: ${what}.`, calls };
}

function describeMissingTool(what: string, tools: readonly DeclaredTool[]): string {
  if (tools.length > 0) {
    const names = tools.map(({ name }) => `\`${name}\``).join(", ");
    return `To ${what} none of the declared tools fits: ${names}.`;
  }
  return (
    `To ${what} a tool is needed, and this request declares none. ` +
    "No folder may be open, the workspace may be in Restricted Mode, or tools may be switched off. Chat works without them."
  );
}

const writeCall = ({ name, input }: PlannedCall): PlayedCall => ({ name, json: JSON.stringify(input) });

function describeCalls(calls: readonly PlayedCall[]): string {
  return `call ${calls.map(({ name }) => `\`${name}\``).join(" and ")}`;
}

function describeStep(step: ToolStep): string {
  switch (step.kind) {
    case "read":
      return `read ${step.paths.map((path) => `\`${path}\``).join(" and ")}`;
    case "list":
      return step.path === undefined ? "list the files" : `list the files in \`${step.path}\``;
    case "find":
      return `find \`${step.text}\`${step.path === undefined ? "" : ` in \`${step.path}\``}`;
    case "replace":
      return `change \`${step.old}\` to \`${step.replacement}\` in \`${step.path}\``;
    case "write":
      return `write what files there are into \`${step.path}\``;
    case "make":
      return step.media === "video" ? "make a video" : "make a picture";
    case "call":
      return `call \`${step.tool}\``;
  }
}

function randomId(random: SeededRandom): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from({ length: 24 }, () => alphabet[random.integer(0, alphabet.length - 1)] ?? "x").join("");
}

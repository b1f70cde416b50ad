/** The built-in model: rules that read the prompt, call tools and report results. The same messages and seed give the same answer. */
import { definedFields } from "../../../base/definedFields";
import type { Conversation, ConversationTurn, DeclaredTool, ToolCallTurn } from "../conversation";
import { createRandom, hashText, type SeededRandom } from "../seededRandom";
import { describeImage } from "../images";
import { isOfAttached, readersQuestion, takeAttached, withoutPlace, withoutReminders } from "./attachedText";
import { fenceCode } from "../../../base/text/codeFence";
import { writeFreeText } from "./freeText";
import { jsonAnswer } from "./jsonAnswer";
import {
  type PlayedCall,
  readPlayedCalls,
  exploreCall,
  presentCall,
  questionCall,
  readPlanned,
  trackCall,
} from "./plannedWork";
import { type PromptStep, readSteps } from "./promptSteps";
import { type FinishedCall, isFailure, reportCalls, type StepReport } from "./toolReport";
import type { DemoWords } from "./demoWords";
import { planCalls, type PlannedCall, type DemoCallStep, nameWords } from "./toolCalls";
import { wordsFor } from "./wordsFor";

/** The most names of one folder that an overview lists. */
const maxNames = 12;

/** Writes the overview. `listed`: the tool's result, a path a line. `path`: the file of the overview. */
function writeOverview(listed: string, path: string, words: DemoWords): string {
  const { title, empty, count } = words.overview;
  const paths = listed.split("\n").filter((line) => line !== "" && line !== path && !line.startsWith("("));
  if (paths.length === 0) return `# ${title}\n\n${empty}\n`;
  const folders = new Map<string, string[]>();
  for (const one of paths) {
    const cut = one.lastIndexOf("/") + 1;
    const folder = one.slice(0, cut);
    folders.set(folder, [...(folders.get(folder) ?? []), one.slice(cut)]);
  }
  const lines = [...folders]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map((folder) => describeFolder(folder, words));
  return `# ${title}\n\n${count(paths.length)}\n\n${lines.join("\n")}\n`;
}

function describeFolder([folder, names]: readonly [string, readonly string[]], words: DemoWords): string {
  const shown = names.slice(0, maxNames).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  const list = shown.join(", ");
  const { top, folder: line } = words.overview;
  return `- ${line(folder === "" ? top : `\`${folder}\``, more > 0 ? words.more(list, more) : list)}`;
}

export interface ModelAnswer {
  readonly reasoning: string;
  /** Reasoning that is not shown; only the messages family can carry it. */
  readonly hidden: string;
  readonly text: string;
  /** The words of a picture that is painted after the text. */
  readonly picture?: string;
  readonly calls: readonly ToolCallTurn[];
}

/** The calls of one answer; `calls` is missing if no declared tool fits. */
interface PlannedRound {
  /** Words that complete a sentence after _to_. */
  readonly what: string;
  readonly calls: readonly PlayedCall[] | undefined;
  /** The calls are made even after a failed call. */
  readonly isPlayed?: true;
  /** A later round tries again if this one fails. */
  readonly isRetried?: true;
  readonly report?: StepReport;
}

export function composeAnswer(conversation: Conversation): ModelAnswer {
  const { seed, thinking, json } = conversation;
  const turns = withResultImages(conversation.turns);
  const random = createRandom(hashText("answer", seed, JSON.stringify(turns.map(withoutIds))));
  const promptIndex = turns.findLastIndex(({ role }) => role === "user");
  const prompt = turns[promptIndex];
  const whole = prompt?.text ?? "";
  const asked = withoutReminders(readersQuestion(withoutPlace(whole)));
  const first = withoutReminders(withoutPlace(turns.find(({ role }) => role === "user")?.text ?? ""));
  const written = summarizeConversation(asked) ?? writeDemoCommit(asked) ?? writeDemoEdit(first, asked);
  if (written !== undefined) return { reasoning: "", hidden: "", text: written, calls: [] };
  const { text, attached } = takeAttached(asked);
  const tools = conversation.toolChoice === "none" ? [] : conversation.tools;
  // A code block `calls` in a file of instructions is obeyed, as a model might do, so that such files can be tested.
  const instructions = whole.slice(0, whole.length - asked.length);
  const obeyed = readPlayedCalls(text) === undefined && readPlayedCalls(instructions) ? instructions : text;
  const done = finishedRounds(turns.slice(promptIndex + 1));
  const words = wordsFor(text);
  const images = prompt?.role === "user" ? prompt.images : [];
  const asides = images.length === 0 ? [] : [words.imagesGiven(words.join(images.map(describeImage)))];
  const plan = isOfAttached(text, attached) ? [] : planRounds(obeyed, { tools, words, done }, conversation);
  const answer =
    plan.length > 0 || done.length > 0
      ? { ...nextRound(plan, { tools, words, done, asides }, random), hidden: "" }
      : { ...writeFreeText(text, { tools, random, attached, images }), calls: [] };
  return {
    ...answer,
    ...(json !== undefined && answer.calls.length === 0 ? { text: jsonAnswer(text, json.schema, random) } : {}),
    ...(thinking ? {} : { reasoning: "", hidden: "" }),
  };
}

/** The first line of a user message in which an agent sends further parts of a result. */
const resultHeading = /^[^\n]{0,60}\btool results?:\s/i;

/**
 * Adds images to the result before them. In two families a user message follows with the parts of a result other than its text: images alone or
 * with a text in brackets, or content below a heading of the agent.
 */
function withResultImages(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns.reduce<readonly ConversationTurn[]>((read, turn) => {
    const last = read.at(-1);
    if (last?.role !== "tool" || turn.role !== "user") return [...read, turn];
    const isBare = turn.images.length > 0 && /^(?:\([^()]*\)\s*)*$/.test(turn.text);
    if (!isBare && !resultHeading.test(`${turn.text}\n`)) return [...read, turn];
    return [...read.slice(0, -1), { ...last, images: [...(last.images ?? []), ...turn.images] }];
  }, []);
}

/** Removes ids from a turn, because they differ between the families and the answer must not. */
function withoutIds(turn: ConversationTurn): unknown {
  if (turn.role === "tool") return [turn.role, turn.text, ...(turn.images ?? [])];
  if (turn.role === "assistant") return [turn.role, turn.text, turn.calls.map((call) => [call.name, call.arguments])];
  return [turn.role, turn.text, turn.images];
}

/** The input for an answer. `done`: the calls since the prompt, one list for each answer. */
interface AnswerContext {
  readonly tools: readonly DeclaredTool[];
  readonly words: DemoWords;
  readonly done: readonly (readonly FinishedCall[])[];
  /** Sentences that are added at the end of the report. */
  readonly asides?: readonly string[];
}

function planRounds(prompt: string, context: AnswerContext, conversation: Conversation): readonly PlannedRound[] {
  const { tools, words, done } = context;
  const { toolChoice, parallel } = conversation;
  const played = tools.length > 0 ? readPlayedCalls(prompt) : undefined;
  if (played !== undefined) {
    const answers = parallel ? played : played.flat().map((call) => [call]);
    return answers.map((calls) => ({ what: describeCalls(calls, words), calls, isPlayed: true }));
  }
  const question = questionCall(prompt, tools);
  if (question !== undefined) return [{ what: words.step.ask, calls: [question] }];
  const explored = exploreCall(prompt, tools);
  if (explored !== undefined) return [{ what: words.step.explore, calls: [explored] }];
  const planned = readPlanned(prompt);
  const tracked = planned && plannedRounds(planned, context, conversation);
  if (tracked !== undefined) return tracked;
  const names = tools.map(({ name }) => name);
  const steps = readSteps(prompt, names);
  const forced = typeof toolChoice === "object" ? toolChoice.name : toolChoice === "required" ? names[0] : undefined;
  if (steps.length === 0 && forced !== undefined) {
    const step: DemoCallStep = { kind: "call", tool: forced, inputs: [] };
    return [{ what: describeStep(step, words), calls: planCalls(step, tools)?.map(writeCall) }];
  }
  return steps
    .flatMap((step) => toolSteps(step, done, words))
    .flatMap(({ step, report, isRetried }): readonly PlannedRound[] => {
      const what = describeStep(step, words);
      const calls = planCalls(step, tools)?.map(writeCall);
      // If no tool can look for files, the failure is reported.
      if (step.kind === "locate" && calls === undefined) return [];
      const asked = { what, ...definedFields({ report, isRetried }) };
      return calls === undefined || parallel
        ? [{ ...asked, calls }]
        : calls.map((call) => ({ ...asked, calls: [call] }));
    });
}

/** Presents the plan if a tool for that exists, else shows it and works step by step; `undefined` if no tool takes a plan. */
function plannedRounds(
  clauses: readonly string[],
  context: AnswerContext,
  conversation: Conversation,
): readonly PlannedRound[] | undefined {
  const { tools, words } = context;
  const presented = presentCall(clauses, tools);
  if (presented !== undefined) {
    const look = planCalls({ kind: "list" }, tools)?.map(writeCall);
    const first: PlannedRound = { what: words.step.list(undefined), calls: look, report: "none" };
    return [
      ...(look === undefined ? [] : [first]),
      { what: words.step.present, calls: [presented], report: "presented" },
    ];
  }
  const track = (count: number): readonly PlannedRound[] => {
    const call = trackCall(clauses, count, tools);
    return call === undefined ? [] : [{ what: words.step.track, calls: [call], report: "none" }];
  };
  if (track(0).length === 0) return undefined;
  const rounds = clauses.flatMap((clause, at) => [...track(at), ...planRounds(clause, context, conversation)]);
  return [...rounds, ...track(clauses.length)];
}

interface PlannedStep extends Pick<PlannedRound, "isRetried" | "report"> {
  readonly step: DemoCallStep;
}

/** The steps for reading a file. People name files without their folder, so a file that is not at the top is looked for. */
function readingSteps(
  step: Extract<PromptStep, { readonly kind: "read" }>,
  done: readonly (readonly FinishedCall[])[],
): readonly PlannedStep[] {
  const read: PlannedStep = { step, ...(step.isExplained ? { report: "explain" } : {}) };
  const [path = ""] = step.paths;
  const calls = done.flat();
  const failed = calls.findIndex(
    (finished) => isFailure(finished) && finished.call.arguments.includes(JSON.stringify(path)),
  );
  if (step.paths.length !== 1 || path.includes("/") || failed < 0) return [read];
  const locate: PlannedStep = { step: { kind: "locate", name: path }, report: "none" };
  const located = calls[failed + 1];
  if (located === undefined) return [{ ...read, isRetried: true }, locate];
  const found = located.result.split("\n").find((line) => line.endsWith(`/${path}`));
  if (found === undefined) return [read, locate];
  return [{ ...read, isRetried: true }, locate, { ...read, step: { ...step, paths: [found] } }];
}

/** The steps for a step of the prompt. An overview is written from the list of the round before. */
function toolSteps(
  step: PromptStep,
  done: readonly (readonly FinishedCall[])[],
  words: DemoWords,
): readonly PlannedStep[] {
  if (step.kind === "read") return readingSteps(step, done);
  if (step.kind === "replace") return [{ step, report: "changed" }];
  if (step.kind === "make") return [{ step, report: "submitted" }];
  if (step.kind !== "overview") return [{ step }];
  const { path } = step;
  const listed = done.flat().findLast(({ call }) => nameWords(call.name).includes("list"));
  return [
    { step: { kind: "list" }, report: "none" },
    { step: { kind: "write", path, text: writeOverview(listed?.result ?? "", path, words) }, report: "written" },
  ];
}

/** The calls since the last prompt with their results, one list for each answer. */
function finishedRounds(turns: readonly ConversationTurn[]): readonly (readonly FinishedCall[])[] {
  const results = new Map(turns.flatMap((turn) => (turn.role === "tool" ? [[turn.callId, turn] as const] : [])));
  return turns.flatMap((turn) => {
    // The client sent the result without its call.
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
  { tools, words, done, asides = [] }: AnswerContext,
  random: SeededRandom,
): Omit<ModelAnswer, "hidden"> {
  const planned = plan[done.length];
  const isMadeUpFor = (round: number): boolean => plan[round]?.isRetried === true && round + 1 < plan.length;
  const hasFailed = (done.at(-1)?.some(isFailure) ?? false) && !isMadeUpFor(done.length - 1);
  const next = hasFailed && planned?.isPlayed !== true ? undefined : planned;
  const reported = done.flatMap((calls, round) =>
    isMadeUpFor(round) ? [] : calls.map((call) => ({ ...call, as: plan[round]?.report })),
  );
  // Other agents have tools with other names, and not Sluice's view.
  const isSluice = tools.some(({ name }) => name === "find_text");
  const report = reportCalls(reported, hasFailed ? plan.length - done.length : 0, words, { isSluice });
  if (next === undefined)
    return { reasoning: "", text: [report, ...asides].filter((part) => part !== "").join("\n\n"), calls: [] };
  const { what } = next;
  if (next.calls === undefined) {
    const text = `${report}${report === "" ? "" : "\n\n"}${describeMissingTool(what, tools, words)}`;
    return { reasoning: "", text, calls: [] };
  }
  const calls = next.calls.map(({ name, json }) => ({ id: `call_${randomId(random)}`, name, arguments: json }));
  if (done.length > 0) return { reasoning: words.next(hasFailed, what), text: "", calls };
  const reasoning = words.fits(what, tools.length, `\`${calls[0]?.name ?? ""}\``);
  return { reasoning, text: words.begin(random.pick(words.begins), what), calls };
}

const maxToolsNamed = 4;

function describeMissingTool(what: string, tools: readonly DeclaredTool[], words: DemoWords): string {
  if (tools.length === 0) return words.noTools(what);
  const named = tools.slice(0, maxToolsNamed).map(({ name }) => `\`${name}\``);
  const more = tools.length - named.length;
  return words.noToolFits(what, more > 0 ? words.more(named.join(", "), more) : words.join(named));
}

const writeCall = ({ name, input }: PlannedCall): PlayedCall => ({ name, json: JSON.stringify(input) });

function describeCalls(calls: readonly PlayedCall[], { step, join }: DemoWords): string {
  return step.call(join(calls.map(({ name }) => `\`${name}\``)));
}

function describeStep(step: DemoCallStep, { step: words, join }: DemoWords): string {
  const code = (text: string): string => `\`${text}\``;
  const place = (path: string | undefined): string | undefined => (path === undefined ? undefined : code(path));
  switch (step.kind) {
    case "read":
      return words.read(join(step.paths.map(code)));
    case "list":
      return words.list(place(step.path));
    case "locate":
      return words.locate(code(step.name));
    case "find":
      return words.find(code(step.text), place(step.path));
    case "replace":
      return words.replace(code(step.old), code(step.replacement), code(step.path));
    case "write":
      return words.write(code(step.path));
    case "fetch":
      return words.fetch(code(step.url));
    case "look":
      return words.look(code(step.url));
    case "make":
      return words.make(step.media);
    case "run":
      return words.run(code(step.command), step.isBackground === true);
    case "call":
      return words.call(code(step.tool));
  }
}

function randomId(random: SeededRandom): string {
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from({ length: 24 }, () => alphabet[random.integer(0, alphabet.length - 1)] ?? "x").join("");
}

/** Answers Sluice's prompt for a summary of a conversation; `undefined` for any other prompt. */
function summarizeConversation(prompt: string): string | undefined {
  if (!prompt.startsWith("Below is the earlier part of a conversation ")) return undefined;
  const lines = prompt.split("\n");
  const asked = lines.flatMap((line, index) => (/^Person\b.*:$/.test(line) ? [`- ${lines[index + 1] ?? ""}`] : []));
  const calls = lines.filter((line) => line.startsWith("Tool call ")).length;
  return [
    `A summary by rules, not by a language model: the first line of what was asked, and ${calls} tool calls.`,
    ...asked,
  ].join("\n");
}

/** Answers Sluice's prompt for a commit message; `undefined` for any other prompt. */
function writeDemoCommit(prompt: string): string | undefined {
  if (!prompt.startsWith("Write the message of a git commit ")) return undefined;
  const [, after = ""] = prompt.split("\nChanged files:\n```\n", 2);
  const [list = ""] = after.split("\n```", 1);
  const files = list.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
  const rest = files.length > 1 ? ` and ${files.length - 1} more` : "";
  return `Change ${files[0] ?? "files"}${rest}`;
}

/** Answers Sluice's prompts for an edit: the first one has the lines, later ones the next instruction. `undefined` for any other prompt. */
function writeDemoEdit(first: string, prompt: string): string | undefined {
  if (!/^(?:Rewrite the selected lines of a file|Write the lines that are to be inserted)/.test(first))
    return undefined;
  const { language, selected } = selectedIn(first.split("\n"));
  const wish =
    /(?:^|\n)What to do(?: next)?: ([^\n]*)/.exec(prompt.slice(prompt.lastIndexOf("\nWhat to do") + 1))?.[1] ?? "";
  const indent = /^[ \t]*/.exec(selected)?.[0] ?? "";
  if (/^(?:Rewrite this prompt|为生成(?:图像|视频)的模型改写此提示词)/.test(wish))
    return fenceCode(describeMore(selected), language);
  const changed = /capital|upper/i.test(wish)
    ? selected.toUpperCase()
    : [`${indent}${commentIn(language, `${wish} (written by rules, not by a language model)`)}`, selected]
        .filter((line) => line !== "")
        .join("\n");
  return fenceCode(changed, language);
}

/** Adds light and view to a prompt, in its language, for *Improve…* of a prompt file. */
function describeMore(prompt: string): string {
  const words = prompt.trimEnd();
  if (/\p{Script=Han}/u.test(words)) return `${words}，低机位，柔和的暖光，背景虚化`;
  return `${words}${/[.!?]$/.test(words) ? " Seen" : ", seen"} from a low angle, in soft warm light, with a blurred background`;
}

/** The block below *Selected:*. */
function selectedIn(lines: readonly string[]): { readonly language: string; readonly selected: string } {
  const start = lines.indexOf("Selected:") + 1;
  const [fence = "", language = ""] = /^(`{3,})([^]*)$/.exec(lines[start] ?? "")?.slice(1) ?? [];
  const end = lines.indexOf(fence, start + 1);
  return start === 0 || end < 0
    ? { language: "", selected: "" }
    : { language, selected: lines.slice(start + 1, end).join("\n") };
}

function commentIn(language: string, text: string): string {
  if (/^(?:python|shellscript|ruby|yaml|toml|makefile|perl|r|dockerfile)$/.test(language)) return `# ${text}`;
  if (/^(?:html|xml|markdown|vue)$/.test(language)) return `<!-- ${text} -->`;
  if (/^(?:css|scss|less)$/.test(language)) return `/* ${text} */`;
  if (/^(?:sql|lua|haskell)$/.test(language)) return `-- ${text}`;
  return /^(?:plaintext|)$/.test(language) ? text : `// ${text}`;
}

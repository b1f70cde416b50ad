/**
 * Reads prompts that make the built-in model show plans, questions, readers and tool calls: *Plan: …, then …*, *Ask me which …: this, that or
 * another*, *Explore: …*, and a code block `calls`.
 */
import { documentSteps } from "../../../domain/chat/planDocument";
import type { DeclaredTool } from "../conversation";
import { clausesOf } from "./promptSteps";

/** The parts of the work that a prompt asks to plan, or the open steps of a plan that it starts; `undefined` for another prompt. */
export function readPlanned(prompt: string): readonly string[] | undefined {
  if (/^\s*(?:carry out this plan|执行此计划)[:：]/i.test(prompt)) {
    const open = documentSteps(prompt).filter(({ words, isChecked }) => words !== "" && isChecked !== true);
    return open.length > 0 ? open.map(({ words }) => words) : undefined;
  }
  const [, rest] = /^\s*(?:make a plan(?: to)?|plan)\b[:,]?\s*([^]*)$/i.exec(prompt) ?? [];
  if (rest === undefined) return undefined;
  const clauses = clausesOf(rest);
  return clauses.length > 0 ? clauses : undefined;
}

/** The call that presents the plan before the work; `undefined` if no tool does that. */
export function presentCall(clauses: readonly string[], tools: readonly DeclaredTool[]): PlayedCall | undefined {
  const [first = ""] = clauses;
  const text = [
    "What is to be reached is in the steps below. I have looked at the files of the workspace first.",
    "",
    ...clauses.map((clause, at) => `${at + 1}. ${capitalised(clause)}`),
    "",
    "The demo model carries out what it understands of these lines.",
  ].join("\n");
  return callOf("present_plan", { title: capitalised(first).slice(0, 60).toWellFormed(), text }, tools);
}

/** The call that shows the first `done` parts as done and the next as begun; `undefined` if no tool does that. */
export function trackCall(
  clauses: readonly string[],
  done: number,
  tools: readonly DeclaredTool[],
): PlayedCall | undefined {
  const steps = clauses.map((clause, at) => ({
    text: capitalised(clause),
    state: at < done ? "done" : at === done ? "doing" : "pending",
  }));
  return callOf("update_plan", { steps }, tools);
}

/** The call that asks the person; `undefined` for a prompt that wants no question, and if no tool asks. */
export function questionCall(prompt: string, tools: readonly DeclaredTool[]): PlayedCall | undefined {
  const [, asked] = /^\s*ask me\s+([^]*)$/i.exec(prompt) ?? [];
  if (asked === undefined) return undefined;
  const [question = "", listed = ""] = asked.split(/:([^]*)/);
  const choices = listed
    .split(/,|\bor\b/)
    .map((label) => label.replace(/(?<![.?!\s])[.?!\s]+$/, "").trim())
    .filter((label) => label !== "")
    .slice(0, 6);
  const labels = choices.length < 2 ? ["The first way", "The second way"] : choices;
  return callOf(
    "ask_person",
    {
      question: `${capitalised(question.replace(/(?<![.?!\s])[.?!\s]+$/, ""))}?`,
      choices: labels.map((label, at) => ({
        label,
        ...(at === 0 ? { description: "The demo model would take this one." } : {}),
      })),
    },
    tools,
  );
}

/** The call that lets a reader answer the rest of *Explore: …*; `undefined` for another prompt, and if no tool does that. */
export function exploreCall(prompt: string, tools: readonly DeclaredTool[]): PlayedCall | undefined {
  const [, question = ""] = /^\s*explore\b[:,]?\s*([^]*)$/i.exec(prompt) ?? [];
  return question.trim() === "" ? undefined : callOf("explore", { question: capitalised(question) }, tools);
}

function callOf(name: string, input: unknown, tools: readonly DeclaredTool[]): PlayedCall | undefined {
  return tools.some((tool) => tool.name === name) ? { name, json: JSON.stringify(input) } : undefined;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// Reads a code block `calls` of a prompt, for people who test tools: the model makes these calls as they are written. Each line is a tool with a
// JSON object, `read_file {"path": "src/app.ts"}`. A blank line ends an answer. The calls after it belong to the next answer, which is given once
// all results have arrived, even if calls failed.

export interface PlayedCall {
  readonly name: string;
  /** The text as it is written, even if it is no JSON. */
  readonly json: string;
}

/** One list for each answer; `undefined` without such a block. */
export function readPlayedCalls(prompt: string): readonly (readonly PlayedCall[])[] | undefined {
  const [, block] = /^```calls[ \t]*\n(.*?)^```/ms.exec(prompt) ?? [];
  const answers = block?.split(/^[ \t]*\n/m).map((lines) =>
    lines.split("\n").flatMap((line): readonly PlayedCall[] => {
      const [, name, json = ""] = /^(\S+)\s*(.*)$/s.exec(line.trim()) ?? [];
      return name === undefined ? [] : [{ name, json: json === "" ? "{}" : json }];
    }),
  );
  return answers?.filter(({ length }) => length > 0);
}

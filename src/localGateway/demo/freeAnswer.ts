/** Answers that need no tool: who is speaking, what can be tried, and long texts on request for looking at a panel. */
import type { SeededRandom } from "./seeded";
import type { DeclaredTool } from "../chat/conversation";
import { describeImage, type SeenImage } from "../chat/images";
import { kilobytes, longAnswer, paragraphs } from "./longAnswer";
import { fence } from "./toolReport";
import { readCount } from "./words";

export interface FreeContext {
  readonly tools: readonly DeclaredTool[];
  readonly random: SeededRandom;
  readonly images: readonly SeenImage[];
}

const whoForm =
  /\b(who|what) are you\b|\bare you (?:real|an? (?:ai|llm|model|bot))\b|\b(?:which|what) model\b|\bdemonstrator\b|你是谁|你是什么/i;
const helloForm = /^\s*(?:hi|hello|hey|good (?:morning|evening|day)|你好|您好)\b[\s!.,]*$/i;
const longForm = /\b(?:long|lengthy|very detailed)\b.*\b(?:answer|text|reply|story|essay|document)\b/i;
const markdownForm = /\bmarkdown\b/i;
const paragraphsForm = /\b(\w+) paragraphs?\b/i;
const kilobytesForm = /\b(\d{1,4}) ?(?:kb|kib|kilobytes?)\b/i;
const codeForm = /\b(?:code|function|snippet|script|class)\b/i;
/** Thinking that stays unread: what the messages family calls redacted. */
const secretForm = /\b(?:redacted|secret(?:ly)?|hidden)\b.*\bthink|\bthink\w*\b.*\b(?:secretly|redacted|hidden)\b/i;
const thinkForm = /\b(?:think|reason|step by step|ponder|plan|why)\b/i;

export function freeAnswer(
  prompt: string,
  context: FreeContext,
): { readonly reasoning: string; readonly hidden: string; readonly text: string } {
  const { random } = context;
  const thoughts = thinkForm.test(prompt) || secretForm.test(prompt) ? ponder(prompt, random) : "";
  const text = freeText(prompt, context);
  return secretForm.test(prompt)
    ? { reasoning: "", hidden: thoughts, text }
    : { reasoning: thoughts, hidden: "", text };
}

function freeText(prompt: string, context: FreeContext): string {
  const { random, images } = context;
  const count = readCount(paragraphsForm.exec(prompt)?.[1] ?? "");
  const size = kilobytesForm.exec(prompt)?.[1];
  if (prompt.trim() === "") return "The prompt is empty, so there is nothing to answer.";
  if (whoForm.test(prompt)) return `${whoIAm}\n\n${whatToTry(context)}`;
  if (helloForm.test(prompt)) return `Hello. ${whoIAm}\n\n${whatToTry(context)}`;
  if (images.length > 0) return whatIsShown(images);
  if (size !== undefined) return kilobytes(Number(size), random);
  if (count !== undefined) return paragraphs(Math.min(count, 500), random);
  if (longForm.test(prompt)) return longAnswer(random, 6);
  if (markdownForm.test(prompt)) return longAnswer(random, 1);
  if (codeForm.test(prompt)) return codeAnswer(random);
  const opening = random.pick([
    "I can't really answer that:",
    "A real model would answer this. I can't:",
    "There is no honest answer I could give to that:",
  ]);
  return `${opening} ${whoIAm}\n\n> ${quote(prompt)}\n\n${whatToTry(context)}`;
}

function whatIsShown(images: readonly SeenImage[]): string {
  const list = images.map(describeImage);
  const last = list.pop() ?? "";
  const all = list.length === 0 ? last : `${list.join(", ")} and ${last}`;
  return `I was given ${all}. That much the first bytes tell; what is to be seen I can't say. ${whoIAm}`;
}

const whoIAm =
  "I am the demonstrator in the gateway that runs on this machine: a set of rules, not a language model. " +
  "My answers are made up; the tools that I call are real.";

function whatToTry({ tools }: FreeContext): string {
  const ways =
    tools.length === 0
      ? ["This request declares no tools, so I can't look into the workspace."]
      : [
          `${tools.length} tools are declared: ${tools.map(({ name }) => `\`${name}\``).join(", ")}. Try:`,
          "",
          "- `list files`",
          "- `read src/app.ts`, or `read a.ts and b.ts` for two calls at once",
          '- `find "text"`',
          "- ``replace `old` with `new` in src/app.ts``",
          "- several in one prompt, with *then* between them",
        ];
  return [
    ...ways,
    "",
    "Without tools: `write 5 paragraphs`, `write 100 KB`, `show markdown`, `write a long answer`, `think about …`, or an image.",
  ].join("\n");
}

function ponder(prompt: string, random: SeededRandom): string {
  const thoughts = [
    `The prompt is ${prompt.trim().length} characters long and asks me to think.`,
    "A rule can't think, but it can show where thinking would stand.",
    random.pick([
      "First I would look for what is known, then for what is missing.",
      "First I would say the question again in my own words.",
      "First I would try the smallest case that could go wrong.",
    ]),
    random.pick([
      "Then I would weigh two ways against each other and take the plainer one.",
      "Then I would look for a case that breaks the first idea.",
      "Then I would check the idea against an example from the workspace.",
    ]),
    "That is enough; the answer can begin.",
  ];
  return thoughts.join(" ");
}

function codeAnswer(random: SeededRandom): string {
  const sample = random.pick(samples);
  return `Here is a piece of code; it is one of a few that I know, whatever was asked for.\n\n${fence(sample.text, sample.language)}\n\n${sample.note}`;
}

interface Sample {
  readonly language: string;
  readonly text: string;
  readonly note: string;
}

const samples: readonly [Sample, ...Sample[]] = [
  {
    language: "ts",
    text: [
      "/** Runs `work` for each item, at most `width` at once. */",
      "export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>) {",
      "  const queue = [...items];",
      "  const lane = async () => {",
      "    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);",
      "  };",
      "  await Promise.all(Array.from({ length: width }, lane));",
      "}",
    ].join("\n"),
    note: "Each lane takes the next item when it is free, so a slow one holds up nobody else.",
  },
  {
    language: "python",
    text: [
      "from collections import Counter",
      "",
      "",
      "def most_common_words(text: str, count: int = 10) -> list[tuple[str, int]]:",
      '    """The words that come up most, with how often."""',
      "    words = (word.strip('.,;:!?').lower() for word in text.split())",
      "    return Counter(word for word in words if word).most_common(count)",
    ].join("\n"),
    note: "`Counter` does the work; ties keep the order in which the words were first seen.",
  },
];

function quote(prompt: string): string {
  const [line = ""] = prompt.trim().split("\n");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

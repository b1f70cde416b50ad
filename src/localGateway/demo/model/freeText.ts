/** Answers of the built-in model without tools: what it is, what can be tried, thoughts and long texts on request. */
import { describeImage, type PromptImage } from "../../conversation/images";
import type { DeclaredTool } from "../../conversation/conversation";
import type { SeededRandom } from "../seededRandom";
import type { AttachedText } from "./attachedText";
import { longMarkdown, paragraphs } from "./longText";
import { hasInOrder } from "./promptSteps";

export interface FreeTextOptions {
  readonly tools: readonly DeclaredTool[];
  readonly random: SeededRandom;
  readonly images: readonly PromptImage[];
  readonly attached: readonly AttachedText[];
}

export interface FreeText {
  readonly reasoning: string;
  /** Reasoning that the messages family sends encrypted. */
  readonly hidden: string;
  readonly text: string;
  readonly picture?: string;
}

const maxParagraphs = 500;

export function writeFreeText(prompt: string, options: FreeTextOptions): FreeText {
  // What is attached comes before the question.
  const last = prompt.trim().split("\n").at(-1) ?? "";
  const [, picture] = /^(?:please )?(?:draw|paint) +(\S.*)$/i.exec(last) ?? /^画：(.+)$/.exec(last) ?? [];
  if (picture !== undefined) {
    const text = "Here is a picture, drawn from the words and the seed. Other words give another one.";
    return { reasoning: "", hidden: "", text, picture };
  }
  const text = textFor(prompt, options);
  const thoughts = /\b(?:think|reason|step by step|plan|why)\b/i.test(prompt) ? thoughtsOn(prompt, options.random) : "";
  const isHidden = /\bthink secretly\b/i.test(prompt);
  return { reasoning: isHidden ? "" : thoughts, hidden: isHidden ? thoughts : "", text };
}

function textFor(prompt: string, { tools, random, images, attached }: FreeTextOptions): string {
  if (images.length > 0) {
    const list = images.map(describeImage).join(" and ");
    return `I was given ${list}. Counting pixels shows that much; what the picture is of I can't see. ${introduction}`;
  }
  const [, count] = /\b(\d{1,4}) paragraphs?\b/i.exec(prompt) ?? [];
  if (count !== undefined) return paragraphs(Math.min(Number(count), maxParagraphs), random);
  if (prompt.split("\n").some((line) => hasInOrder(line, /\blong\b/i, /\b(?:answer|text|story)\b/i)))
    return longMarkdown(random, 6);
  if (/\bmarkdown\b/i.test(prompt)) return longMarkdown(random, 1);
  if (hasInOrder(prompt, /\bconnect\b/i, /\bgateway\b/i) || hasInOrder(prompt, /连接/, /网关/)) return connecting;
  if (attached.length > 0) {
    const list = attached
      .map(({ label, lines }) => `\`${label}\` (${lines} ${lines === 1 ? "line" : "lines"})`)
      .join(" and ");
    return `I was given ${list} with the prompt. A language model would answer from it; rules can't. ${introduction}`;
  }
  return `${introduction}\n\n${suggestions(tools)}`;
}

const connecting =
  "Run **Sluice: Connect to a Gateway…** from the Command Palette.\n\n" +
  "1. Type the gateway's address, such as `https://gateway.example/v1`.\n" +
  "2. Paste its key: it is kept in this machine's secret storage, and sent to that gateway only.\n" +
  "3. A free check says whether it works. **Choose Gateway…** leads back here at any time.";

const introduction =
  "I am the demonstrator: rules instead of a language model, and what I do with your files and tasks is real.";

function suggestions(tools: readonly DeclaredTool[]): string {
  const withTools = [
    "Try, in words like these:",
    "",
    '- `explain src/app.ts`, `list the files`, `find "text"`',
    "- ``replace `old` with `new` in src/app.ts`` or `write an overview into OVERVIEW.md`: you are asked first",
    "- `make a picture of a lighthouse`: a task",
  ];
  const without = ["Without tools I can't look into files. Try, in words like these:", ""];
  return [
    ...(tools.length === 0 ? without : withTools),
    "- `draw a lighthouse`, `show markdown`, `write a long answer`, `think about rain`",
  ].join("\n");
}

function thoughtsOn(prompt: string, random: SeededRandom): string {
  const thoughts = [
    `The prompt is ${prompt.trim().length} characters long and asks me to think.`,
    "Rules can't think, but they can show where thinking would be.",
    random.pick([
      "First I would look for what is known, then for what is missing.",
      "First I would try the smallest case that could go wrong.",
    ]),
    "That is enough; the answer can begin.",
  ];
  return thoughts.join(" ");
}

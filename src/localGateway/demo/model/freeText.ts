/** Answers of the built-in model without tools: what it is, what can be tried, thoughts and long texts on request. */
import { describeImage, type PromptImage } from "../../conversation/images";
import type { DeclaredTool } from "../../conversation/conversation";
import type { SeededRandom } from "../seededRandom";
import { subjectNames, subjectOf } from "../drawing/subjects";
import { type AttachedText, pathOf } from "./attachedText";
import type { DemoWords } from "./demoWords";
import { explainFile } from "./explainFile";
import { longMarkdown, paragraphs } from "./longText";
import { hasInOrder } from "./promptSteps";
import { wordsFor } from "./wordsFor";

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
  const words = wordsFor(prompt);
  // What is attached comes before the question.
  const last = prompt.trim().split("\n").at(-1) ?? "";
  const [, picture] = /^(?:please )?(?:draw|paint) +(\S.*)$/i.exec(last) ?? /^画：(.+)$/.exec(last) ?? [];
  if (picture !== undefined) {
    return { reasoning: "", hidden: "", text: drawnOf(picture, words), picture };
  }
  const text = textFor(prompt, options, words);
  const isAsked = /\b(?:think|reason|step by step|plan|why)\b|想一想|思考|为什么/i.test(prompt);
  const thoughts = isAsked ? words.thoughts(prompt.trim().length, options.random.integer(0, 1)) : "";
  const isHidden = /\bthink secretly\b/i.test(prompt);
  return { reasoning: isHidden ? "" : thoughts, hidden: isHidden ? thoughts : "", text };
}

/** What was drawn of the words, and what could have been. */
export function drawnOf(prompt: string, words: DemoWords): string {
  const subject = subjectOf(prompt);
  return subject === undefined
    ? words.notDrawn(words.join(subjectNames.map((name) => words.subjects[name])))
    : words.drawn(words.subjects[subject]);
}

function textFor(prompt: string, { tools, random, images, attached }: FreeTextOptions, words: DemoWords): string {
  const { introduction, filler } = words;
  if (images.length > 0) {
    const files = attached.map(({ label, text }) => `\n\n${explainFile(pathOf(label), text, words)}`).join("");
    return `${words.imagesGiven(words.join(images.map(describeImage)))} ${introduction}${files}`;
  }
  const [, count] = /\b(\d{1,4}) paragraphs?\b/i.exec(prompt) ?? [];
  if (count !== undefined) return paragraphs(Math.min(Number(count), maxParagraphs), random, filler);
  const isLong = (line: string): boolean =>
    hasInOrder(line, /\blong\b/i, /\b(?:answer|text|story)\b/i) || hasInOrder(line, /长/, /回答|文字|故事/);
  if (prompt.split("\n").some(isLong)) return longMarkdown(random, 6, filler);
  if (/\bmarkdown\b/i.test(prompt)) return longMarkdown(random, 1, filler);
  if (hasInOrder(prompt, /\bconnect\b/i, /\bgateway\b/i) || hasInOrder(prompt, /连接/, /网关/)) return words.connecting;
  const [file] = attached;
  if (file !== undefined) {
    const asksWhat = /\b(?:explain|summari[sz]e|describe|review|what|how|about)\b|解释|总结|说明|什么/i.test(prompt);
    if (asksWhat) return attached.map(({ label, text }) => explainFile(pathOf(label), text, words)).join("\n\n");
    const files = attached.map(({ label, lines }) => words.fileOf(`\`${label}\``, lines));
    return `${words.filesGiven(words.join(files))} ${introduction}`;
  }
  // What can't be done is one line; whoever asks what can be done gets the list.
  const asksForHelp =
    prompt.trim().length < 12 ||
    /\bhelp\b|\bwho are you\b|\bwhat can you\b|\bwhat do you\b|你是谁|帮助|能做什么|可以做什么/i.test(prompt);
  if (asksForHelp) return `${introduction}\n\n${suggestions(tools, words)}`;
  return `${words.notUnderstood} ${tools.length === 0 ? words.shortly.without : words.shortly.withTools}`;
}

function suggestions(tools: readonly DeclaredTool[], { suggestions: said }: DemoWords): string {
  return `${tools.length === 0 ? said.without : said.withTools}\n${said.always}`;
}

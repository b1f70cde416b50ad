/** Takes the calls that a model wrote as text at the end of an answer, where it made none in the service's own form (A14). */
import { randomUUID } from "node:crypto";
import {
  type AnswerEntry,
  type Block,
  type Chat,
  type Entry,
  type SessionEvent,
  toolCalls,
} from "../../domain/chat/chat";
import type { Instructions } from "../../domain/chat/environmentSchema";
import { fenceCode } from "../../base/text/codeFence";
import type { AssistantPart, Message, ToolDeclaration, UserPart } from "../../domain/chat/message";
import { schemaLine } from "../../domain/tools/rootObject";
import { endsWithCallTokens, endsWithToolTag, findWrittenCalls, hasCallTokens } from "./findWrittenCalls";

type CallsWritten = Extract<SessionEvent, { readonly type: "calls-written" }>;

/** `declared`: the names of the tools that the model was offered. `undefined` where the answer has no such calls. */
export function takeWrittenCalls(
  chat: Chat,
  answer: AnswerEntry,
  declared: readonly string[],
): CallsWritten | undefined {
  const last = declared.length === 0 ? undefined : lastWords(answer);
  if (last === undefined) return undefined;
  const found = findWrittenCalls(last.text, declared);
  if (found === undefined) return undefined;
  const texts = found.calls.map(({ written }) => written);
  if (isAnyQuoted(chat, texts)) return undefined;
  const calls = found.calls.map((call) => ({ call: randomUUID(), ...call }));
  return { type: "calls-written", id: answer.id, block: last.block, from: found.from, calls };
}

/**
 * Whether an answer of which no call could be read ends with one in the tokens of a template. If text that the model was given has such tokens, the
 * answer may only quote them, and does not count.
 */
export function hasUnreadCall(chat: Chat, answer: AnswerEntry, declared: readonly string[]): boolean {
  const last = lastWords(answer);
  if (last === undefined) return false;
  if (endsWithCallTokens(last.text)) return !givenIn(chat).some(hasCallTokens);
  return endsWithToolTag(last.text, declared) && !isAnyQuoted(chat, [last.text]);
}

/** The text at the end of an answer that came to its end and made no call. */
function lastWords(answer: AnswerEntry): Extract<Block, { readonly type: "text" }> | undefined {
  if (answer.cut === true || !mayCall(answer)) return undefined;
  const spoken = answer.blocks.filter(({ type }) => type !== "opaque" && type !== "citation");
  const last = spoken.at(-1);
  if (last?.type !== "text" || last.refusal || answer.blocks.some(({ type }) => type === "tool-call")) return undefined;
  return last;
}

/** Whether the model finished the answer, so that a call may be at its end. */
function mayCall({ finish }: AnswerEntry): boolean {
  return finish === "stop" || finish === "tool-calls" || finish === "unknown";
}

/** Whether one of the texts was given to the model: then it quotes what it has read, and makes no call. */
function isAnyQuoted(chat: Chat, texts: readonly string[]): boolean {
  const wanted = texts.map(wordsOf).filter((words) => words !== "");
  if (wanted.length === 0) return false;
  const given = givenIn(chat).map(wordsOf);
  return wanted.some((words) => given.some((text) => text.includes(words)));
}

/** All texts that the model was given. */
function givenIn({ entries, environment }: Chat): readonly string[] {
  return [...instructionsOf(environment?.instructions), ...entries.flatMap(givenTexts)];
}

function givenTexts(entry: Entry): readonly string[] {
  if (entry.type === "user")
    return [entry.text, ...(entry.attachments ?? []).map((one) => ("text" in one ? one.text : ""))];
  // The model gets a summary in place of what it covers.
  if (entry.type === "summary") return entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  if (entry.type !== "answer") return [];
  return toolCalls(entry).flatMap(({ progress }) => [
    "result" in progress ? progress.result : "",
    ...instructionsOf("instructions" in progress ? progress.instructions : undefined),
  ]);
}

function instructionsOf(instructions: readonly Instructions[] = []): readonly string[] {
  return instructions.map(({ text }) => text);
}

/** Matches the beginning of a line in a diff, a quotation or a list of hits. */
const linePrefix = /^(?:[^\n:]{0,300}[:-]\d{1,9}[:-]|[ \t]*\d{1,9}[\t:|]|[-+>|])/gm;

/**
 * Reduces a text to its letters and digits, without fences, tags, escapes and prefixes of lines, because a quotation may be formatted
 * differently than its source.
 */
function wordsOf(text: string): string {
  return text
    .replaceAll(linePrefix, "")
    .replaceAll(/```\w*|<\/?[\w:|]+>|\\[nrt]|&(?:\w{2,4}|#\w{2,4});/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Rewrites messages for models without tools, in a form that every family takes: calls become text of the answer, results text of a user message. */
export function withToolsAsText(messages: readonly Message[], tools: readonly ToolDeclaration[]): readonly Message[] {
  const written: Message[] = [];
  let results: readonly string[] = [];
  let images: readonly UserPart[] = [];
  const close = (): void => {
    if (results.length > 0)
      written.push({ role: "user", parts: [{ type: "text", text: results.join("\n\n") }, ...images] });
    results = [];
    images = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      results = [
        ...results,
        `${message.isError ? "Error of" : "Result of"} ${message.name}:\n${fenceCode(message.text)}`,
      ];
      images = [...images, ...(message.images ?? [])];
      continue;
    }
    close();
    written.push(message.role === "assistant" ? { ...message, parts: message.parts.map(asTextPart) } : message);
  }
  close();
  return offer(written, tools);
}

/** Adds the tools to the end of the system text, where they are the same in each request. */
function offer(messages: readonly Message[], tools: readonly ToolDeclaration[]): readonly Message[] {
  if (tools.length === 0) return messages;
  const at = messages.findLastIndex(({ role }) => role === "system");
  const text = describeTools(tools);
  const system = messages[at];
  if (system?.role !== "system") return [{ role: "system", text }, ...messages];
  return messages.with(at, { ...system, text: `${system.text}\n\n${text}` });
}

function describeTools(tools: readonly ToolDeclaration[]): string {
  return [
    "# Tools",
    "You can call these tools. To call one, end your answer with a block of this form, and write nothing after it; several calls are several blocks:",
    '<tool_call>\n{"name": "the name of a tool", "arguments": {"an argument": "its value"}}\n</tool_call>',
    "You then get the result in the next message. Never write a result yourself. An argument with ? may be left out. When you need no tool, answer in plain text.",
    ...tools.map(
      ({ name, description, parameters }) =>
        `- ${name} ${schemaLine(parameters)}: ${description.replaceAll("\n", " ")}`,
    ),
  ].join("\n");
}

/** A call that was written as text is sent back unchanged. */
function asTextPart(part: AssistantPart): AssistantPart {
  if (part.type !== "tool-call") return part;
  const { name, input, written } = part;
  const text = written ?? `\n<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;
  return { type: "text", text };
}

/** Takes the calls that a model wrote as text at the end of an answer, where it made none of the service's form (A14). */
import { randomUUID } from "node:crypto";
import { type AnswerEntry, type Chat, type Entry, type SessionEvent, toolCalls } from "../../domain/chat/chat";
import { findWrittenCalls } from "./findWrittenCalls";

type CallsWritten = Extract<SessionEvent, { readonly type: "calls-written" }>;

/** `declared`: the names of the tools that the model was offered. `undefined` where the answer has no such calls. */
export function takeWrittenCalls(
  chat: Chat,
  answer: AnswerEntry,
  declared: readonly string[],
): CallsWritten | undefined {
  if (declared.length === 0 || answer.cut === true || !mayCall(answer)) return undefined;
  const spoken = answer.blocks.filter(({ type }) => type !== "opaque" && type !== "citation");
  const last = spoken.at(-1);
  if (last?.type !== "text" || last.refusal || answer.blocks.some(({ type }) => type === "tool-call")) return undefined;
  const found = findWrittenCalls(last.text, declared);
  if (found === undefined || found.calls.some(({ written }) => isQuoted(chat, written))) return undefined;
  const calls = found.calls.map((call) => ({ call: randomUUID(), ...call }));
  return { type: "calls-written", id: answer.id, block: last.block, from: found.from, calls };
}

/** The model came to its end. */
function mayCall({ finish }: AnswerEntry): boolean {
  return finish === "stop" || finish === "tool-calls" || finish === "unknown";
}

/** Whether the text was given to the model: then it shows what it has read, and calls nothing. */
function isQuoted({ entries }: Chat, written: string): boolean {
  const wanted = bare(written);
  return wanted !== "" && entries.some((entry) => givenTexts(entry).some((text) => bare(text).includes(wanted)));
}

function givenTexts(entry: Entry): readonly string[] {
  if (entry.type === "user")
    return [entry.text, ...(entry.attachments ?? []).map((one) => ("text" in one ? one.text : ""))];
  if (entry.type !== "answer") return [];
  return toolCalls(entry).map(({ progress }) => ("result" in progress ? progress.result : ""));
}

/** Without the fences and tags around a call, and without white space: a quotation may be set otherwise. */
function bare(text: string): string {
  return text.replaceAll(/```\w*|<\/?[\w:|]+>|\s+/g, "");
}

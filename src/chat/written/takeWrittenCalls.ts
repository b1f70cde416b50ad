/** Takes the calls that a model wrote as text at the end of an answer, where it made none of the service's form (A14). */
import { randomUUID } from "node:crypto";
import { type AnswerEntry, type Chat, type SessionEvent, toolCalls } from "../../domain/chat/chat";
import { findWrittenCalls, type WrittenCall } from "./findWrittenCalls";

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
  if (found === undefined || isQuoting(chat, found.calls)) return undefined;
  const calls = found.calls.map((call) => ({ call: randomUUID(), ...call }));
  return { type: "calls-written", id: answer.id, block: last.block, from: found.from, calls };
}

/** The model came to its end. */
function mayCall({ finish }: AnswerEntry): boolean {
  return finish === "stop" || finish === "tool-calls" || finish === "unknown";
}

/** Whether a call was given to the model as text: then it shows what it has read, and calls nothing. */
function isQuoting(chat: Chat, calls: readonly WrittenCall[]): boolean {
  const wanted = calls.map(({ written }) => letters(written)).filter((text) => text !== "");
  for (const text of givenTexts(chat)) {
    const given = letters(text);
    if (wanted.some((one) => given.includes(one))) return true;
  }
  return false;
}

function* givenTexts({ entries, environment }: Chat): Generator<string, void, undefined> {
  for (const { text } of environment?.instructions ?? []) yield text;
  for (const entry of entries) {
    if (entry.type === "summary") for (const block of entry.blocks) if (block.type === "text") yield block.text;
    if (entry.type === "user") {
      yield entry.text;
      for (const one of entry.attachments ?? []) if ("text" in one) yield one.text;
    }
    if (entry.type !== "answer") continue;
    for (const { progress } of toolCalls(entry)) {
      if ("result" in progress) yield progress.result;
      if (progress.state === "done") for (const { text } of progress.instructions ?? []) yield text;
    }
  }
}

/** Without the fences and tags around a call, and what else is no letter: searches and lists name or number their lines, patches mark them, and a quotation may be set otherwise. */
function letters(text: string): string {
  return text.replaceAll(/^[^\s:]{1,300}:\d+[:-]|```\w*|<\/?[\w:|]+>/gm, "").replaceAll(/[^\p{L}]+/gu, "");
}

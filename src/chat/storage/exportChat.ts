/** A chat as a document for people (Markdown), and as a file that another machine can import (JSON). */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { parseJson } from "../../base/jsonValue";
import { fenceCode, longestBackticks } from "../../base/text/codeFence";
import { describeAction, describeReference } from "../../domain/words/describeTool";
import { mergeSessionEvents } from "../../domain/chat/reduce/mergeSessionEvents";
import { momentSchema } from "../../base/momentSchema";
import type { AnswerEntry, Block, SessionEvent, ToolCallBlock, UserEntry } from "../../domain/chat/chat";
import { planDocumentOf } from "../../domain/chat/planOfChat";
import { eventsToImport } from "./eventsToImport";
import { readRecords } from "./readSession";
import type { SessionFolder } from "./sessionFolder";
import { isEvent, readRecord, type SessionRecord, sessionFileVersion, type SessionState, writeRecord } from "./records";
import { titleOf } from "./promptTitle";

const exportSchema = z.object({
  format: z.literal("sluice-chat"),
  version: z.literal(sessionFileVersion),
  title: z.string(),
  createdAt: momentSchema,
  /** Each is read by its own schema; those of a newer version are left out. */
  records: z.array(z.unknown()),
});

/** The JSON of a session that is in the folder. Rejects with the error of the file system. */
export async function exportJson(folder: SessionFolder, state: SessionState): Promise<string> {
  const records: SessionRecord[] = [];
  await readRecords(folder.fileOf(state.chat.id), 0, new AbortController().signal, (record) => {
    if (record === undefined || !isEvent(record) || isOfThisMachine(record)) return true;
    const last = records.at(-1);
    const merged = last && isEvent(last) ? mergeSessionEvents(last, record) : undefined;
    if (merged) records[records.length - 1] = merged;
    else records.push(record);
    return true;
  });
  const { createdAt } = state;
  const written = { format: "sluice-chat", version: sessionFileVersion, title: titleOf(state), createdAt, records };
  return `${JSON.stringify(written, undefined, 1)}\n`;
}

/** Folders and instructions, which no import reads: they are not handed on. */
function isOfThisMachine({ type }: SessionEvent): boolean {
  return type.startsWith("environment-") || type.startsWith("instructions-");
}

/** Makes a session of an exported one and returns its id; `undefined` where the text is none. Rejects with the error of the file system. */
export async function importJson(folder: SessionFolder, text: string): Promise<string | undefined> {
  const read = exportSchema.safeParse(parseJson(text));
  if (!read.success) return undefined;
  const { title, createdAt } = read.data;
  const id = randomUUID();
  const events = read.data.records
    .map((record) => readRecord(JSON.stringify(record)))
    .filter((record) => record !== undefined)
    .filter(isEvent);
  const head: SessionRecord[] = [
    { type: "session", version: sessionFileVersion, id, createdAt },
    { type: "title-set", title },
  ];
  const untrusted = title.slice(0, 100).toWellFormed();
  const records: SessionRecord[] = [...head, ...eventsToImport(events), { type: "chat-imported", untrusted }];
  await folder.add(id, records.map(writeRecord).join(""));
  return id;
}

/** In the person's language. */
export interface DocumentWords {
  /** The heading of a prompt. */
  readonly you: string;
  /** The line of a task that was submitted beside the chat. */
  readonly task: (prompt: string) => string;
}

/** Prompts, answers and what the tools did; without the model's thinking. */
export function chatToMarkdown(state: SessionState, { you, task }: DocumentWords): string {
  const parts = [`# ${titleOf(state)}`];
  for (const entry of state.chat.entries) {
    if (entry.type === "user") parts.push(`## ${you}`, ...attachedParts(entry), entry.text);
    else if (entry.type === "job") parts.push(task(entry.text));
    else if (entry.type === "answer") parts.push(...answerParts(entry));
  }
  return `${parts.join("\n\n")}\n`;
}

/** Only named: the JSON has their content. */
function attachedParts({ attachments = [] }: UserEntry): readonly string[] {
  if (attachments.length === 0) return [];
  return [attachments.map((attachment) => `- ${codeSpan(describeReference(attachment))}`).join("\n")];
}

function codeSpan(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ");
  const longest = longestBackticks(line);
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`;
}

function answerParts(answer: AnswerEntry): readonly string[] {
  const parts = answer.blocks.flatMap(blockParts);
  return parts.length === 0 ? [] : [`## ${answer.model}`, ...parts];
}

function blockParts(block: Block): readonly string[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [block.text];
    case "tool-call":
      return toolParts(block);
    case "citation":
      return block.url === undefined ? [] : [`- [${block.title ?? block.url}](<${block.url}>)`];
    case "media":
      return [`*${block.mimeType}*`];
    case "reasoning":
    case "opaque":
      return [];
  }
}

function toolParts(block: ToolCallBlock): readonly string[] {
  const { name, progress } = block;
  const plan = planDocumentOf(block);
  const title = `**${"action" in progress ? describeAction(progress.action) : name}**`;
  if (plan !== undefined) return [title, plan.text];
  return "result" in progress ? [title, fenceCode(progress.result)] : [title];
}

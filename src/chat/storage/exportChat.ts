/** A chat as a document for people (Markdown), and as a file that another machine can import (JSON). */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { TimeSlices } from "../../base/async/timeSlices";
import { fenceCode, longestBackticks } from "../../base/text/codeFence";
import { JsonBoundsFailure, partsOf, textOfPart } from "../../base/text/jsonParts";
import { describeAction, describeReference } from "../../domain/words/describeTool";
import { mergeSessionEvents } from "../../domain/chat/mergeSessionEvents";
import { momentSchema } from "../../base/momentSchema";
import type { AnswerEntry, Block, SessionEvent, ToolCallBlock, UserEntry } from "../../domain/chat/chat";
import { planDocumentOf } from "../../domain/chat/planOfChat";
import { eventsToImport } from "./eventsToImport";
import { readRecords } from "./readSession";
import type { SessionFolder } from "./sessionFolder";
import { isEvent, readRecord, type SessionRecord, sessionFileVersion, type SessionState, writeRecord } from "./records";
import { maxTitleLength, titleOf } from "./promptTitle";

/** What stands beside `records`. Each of those is read by its own schema; those of a newer version are left out. */
const exportSchema = z.object({
  format: z.literal("sluice-chat"),
  version: z.literal(sessionFileVersion),
  title: z.string(),
  createdAt: momentSchema,
});

/** Bytes of a file that is imported. */
export const maxImportLength = 200 * 1024 * 1024;
/**
 * More than any chat has. A record holds one image or one result of a tool. Each entry is copied with each record when the chat is shown, so both
 * are bounded.
 */
const importBounds = {
  records: 200_000,
  entries: 20_000,
  record: { bytes: 8 * 1024 * 1024, levels: 100, marks: 20_000 },
};

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

/**
 * Makes a session of an exported one and returns its id; `undefined` where the bytes are none. Reads in time slices. Rejects with a
 * `JsonBoundsFailure` for a chat that is larger or deeper than one can be, or with the error of the file system.
 */
export async function importJson(
  folder: SessionFolder,
  bytes: Uint8Array,
  slices = new TimeSlices(),
): Promise<string | undefined> {
  const read = await readExported(bytes, slices);
  if (!read) return undefined;
  const { createdAt, events } = read;
  const title = read.title.slice(0, maxTitleLength).toWellFormed();
  const id = randomUUID();
  const head: readonly SessionRecord[] = [
    { type: "session", version: sessionFileVersion, id, createdAt },
    { type: "title-set", title },
  ];
  const imported = await eventsToImport(events, slices);
  await folder.add(id, linesOf([...head, ...imported, { type: "chat-imported", untrusted: title }]));
  return id;
}

/** In pieces of about a megabyte, so that none of them is long to write out. */
function* linesOf(records: readonly SessionRecord[]): Generator<string> {
  let piece = "";
  for (const record of records) {
    piece += writeRecord(record);
    if (piece.length < 1_000_000) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

interface ExportedChat extends z.infer<typeof exportSchema> {
  readonly events: readonly SessionEvent[];
}

async function readExported(bytes: Uint8Array, slices: TimeSlices): Promise<ExportedChat | undefined> {
  const { records: maxRecords, entries: maxEntries, record: bounds } = importBounds;
  const head: Record<string, unknown> = {};
  const events: SessionEvent[] = [];
  let [records, entries] = [0, 0];
  try {
    for await (const part of partsOf(bytes, bounds, slices)) {
      const text = textOfPart(bytes, part);
      if (!part.isElement || part.name !== "records") {
        if (Object.hasOwn(exportSchema.shape, part.name)) head[part.name] = JSON.parse(text);
        continue;
      }
      records += 1;
      const record = readRecord(text);
      if (record !== undefined && isEvent(record)) events.push(record);
      if (record !== undefined && isEntry(record)) entries += 1;
      if (records > maxRecords || entries > maxEntries) throw new JsonBoundsFailure("A chat has fewer messages.");
      if (slices.isSpent) await slices.next();
    }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const read = exportSchema.safeParse(head);
  return read.success ? { ...read.data, events } : undefined;
}

function isEntry({ type }: SessionRecord): boolean {
  return type === "prompt-added" || type === "task-added" || type === "answer-started";
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
    else if (entry.type === "task") parts.push(task(entry.text));
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

/** Records of answers on disk, for callers that keep the text and the calls of an answer only (S2). Several windows share the folder. */
import { createHash, randomBytes, createHmac } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { once } from "../../base/async/serialQueue";
import type { Clock } from "../../base/clock";
import { makePrivateFolder, writeAtomically } from "../../base/privateFile";
import type { Log } from "../../domain/ports";
import { isLargerThan, parseJson } from "../../base/jsonValue";
import { isSameSecret } from "../../base/limitedServer";
import { depthCap } from "../../domain/chat/callBounds";
import { familySchema } from "../../domain/chat/chatEventSchema";
import type { AssistantPart } from "../../domain/chat/message";
import { type DataPart, type CallPart, type ProvidedPart, markerType, isImage } from "./providedMessage";

/** The file of the key, in the folder of the records. */
const keyFile = "marker.key";
const keyLength = 32;
/** Bounds of the folder: age in milliseconds, files, bytes. */
const oldest = 30 * 24 * 3600 * 1000;
const maxFiles = 2000;
const maxBytes = 50_000_000;
/** Saves between two looks at the whole folder. */
const sweepAfter = 100;

export interface AnswerCacheOptions {
  /** A folder on this machine. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ids of the calls of one answer: the answer can be found by each of them. */
export function createCallIds(): (index: number) => string {
  const answer = randomBytes(8).toString("hex");
  return (index) => `call_${answer}_${index}`;
}

export class AnswerCache {
  readonly #options: AnswerCacheOptions;
  /** The key of this person on this machine. Never rejects: a key that can't be stored is used in this window only, and others use `find`. */
  readonly markerKey = once(() => this.#openKey());
  #saves = 0;

  constructor(options: AnswerCacheOptions) {
    this.#options = options;
  }

  /**
   * `prompt`: the text that the answer followed. Two answers with the same text are distinguished by it. Never rejects: without the file the
   * record still travels with the answer.
   */
  async save(source: AnswerSource, parts: readonly ProvidedPart[], prompt: string, record: string): Promise<void> {
    const { folder, log } = this.#options;
    try {
      await makePrivateFolder(folder);
      await Promise.all(namesOf(source, parts, prompt).map((name) => writeAtomically(folder, name, record)));
      if (this.#saves % sweepAfter === 0) await this.#sweep();
      this.#saves += 1;
    } catch (error) {
      log.warn("What a model needs back could not be kept.", { message: String(error) });
    }
  }

  async find(source: AnswerSource, parts: readonly ProvidedPart[], prompt: string): Promise<AnswerRecord | undefined> {
    for (const name of namesOf(source, parts, prompt)) {
      const written = await readFile(join(this.#options.folder, name), "utf8").catch(() => undefined);
      const record = written === undefined ? undefined : readAnswerRecord(written, source);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  async #openKey(): Promise<Uint8Array> {
    const { folder, log } = this.#options;
    const path = join(folder, keyFile);
    const known = await readFile(path).catch(() => undefined);
    if (known?.length === keyLength) return known;
    const made = randomBytes(keyLength);
    try {
      await makePrivateFolder(folder);
      await writeAtomically(folder, keyFile, made);
      // If two windows write a key at the same time, both use the one that was written last.
      return await readFile(path);
    } catch (error) {
      log.warn("The key of what models need back could not be kept.", { message: String(error) });
      return made;
    }
  }

  async #sweep(): Promise<void> {
    const { folder, clock } = this.#options;
    const files = await Promise.all(
      (await readdir(folder))
        .filter((name) => name !== keyFile)
        .map(async (name) => {
          const { mtimeMs: at, size } = await stat(join(folder, name)).catch(() => ({ mtimeMs: 0, size: 0 }));
          return { name, at, size };
        }),
    );
    let [count, bytes] = [0, 0];
    for (const { name, at, size } of files.sort((one, other) => other.at - one.at)) {
      count += 1;
      bytes += size;
      const isKept = at > clock.now() - oldest && count <= maxFiles && bytes <= maxBytes;
      if (!isKept) await rm(join(folder, name), { force: true });
    }
  }
}

/** The names of the files of an answer: by the id of a call, else by the text. The more certain name comes first. */
function namesOf(
  { origin, family, model }: AnswerSource,
  parts: readonly ProvidedPart[],
  prompt: string,
): readonly string[] {
  const call = parts.find(({ type }) => type === "tool-call");
  if (call?.type === "tool-call") {
    const [, answer] = /^call_([0-9a-f]{16})_\d+$/.exec(call.id) ?? [];
    return answer === undefined ? [] : [`${answer}.json`];
  }
  const text = bareText(parts);
  if (text === "") return [];
  const nameOf = (...facts: readonly string[]): string =>
    `${createHash("sha256")
      .update(JSON.stringify([origin, family, model, ...facts]))
      .digest("hex")
      .slice(0, 40)}.json`;
  return [nameOf(text, prompt), nameOf(text)];
}

/** Opaque data is only for the model that it came from. */
const source = { origin: z.string(), family: familySchema, model: z.string() };

const text = z.string();
const recordSchema = z.object({
  version: z.literal(1),
  ...source,
  parts: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("text"), text }),
      z.object({ type: z.literal("reasoning"), text }),
      /** `id`: as it was reported. Name and input are in the message. */
      z.object({ type: z.literal("tool-call"), id: text, call: text, wireId: z.exactOptional(text) }),
      /** The data is in the message. */
      z.object({ type: z.literal("media") }),
      z.object({ type: z.literal("opaque"), data: z.unknown() }),
    ]),
  ),
});
export type AnswerRecord = z.infer<typeof recordSchema>;
export type AnswerSource = Pick<AnswerRecord, "origin" | "family" | "model">;

/** Characters of JSON. A longer record is not written, and the answer is sent back without its opaque data. */
const maxRecordLength = 1024 * 1024;
const maxParts = 10_000;

/** `undefined` for an answer whose record is not needed or too long. `idOf`: the reported ids of calls; a call without one was not reported. */
export function writeAnswerRecord(
  { origin, family, model }: AnswerSource,
  parts: readonly AssistantPart[],
  idOf: ReadonlyMap<string, string>,
): string | undefined {
  if (!parts.some(({ type }) => type === "opaque" || type === "tool-call")) return undefined;
  const kept = parts.flatMap((part): AnswerRecord["parts"] => {
    switch (part.type) {
      case "text":
      case "reasoning":
        return [{ type: part.type, text: part.text }];
      case "tool-call": {
        const id = idOf.get(part.call);
        const { call, wireId } = part;
        return id === undefined ? [] : [{ type: "tool-call", id, call, ...(wireId === undefined ? {} : { wireId }) }];
      }
      case "media":
        return [{ type: "media" }];
      case "opaque":
        return part.family === family ? [{ type: "opaque", data: part.data }] : [];
    }
  });
  const written = JSON.stringify({ version: 1, origin, family, model, parts: kept } satisfies AnswerRecord);
  return written.length > maxRecordLength ? undefined : written;
}

/** `undefined` for a text that is no record of that source. */
function readAnswerRecord(written: string, wanted: AnswerSource): AnswerRecord | undefined {
  if (written.length > maxRecordLength) return undefined;
  const { data: record } = recordSchema.safeParse(parseJson(written));
  if (record === undefined || record.parts.length > maxParts || isLargerThan(record.parts, { levels: depthCap }))
    return undefined;
  const isOwn = record.origin === wanted.origin && record.family === wanted.family && record.model === wanted.model;
  return isOwn ? record : undefined;
}

/** VS Code splits the marker at the backslash, and puts the id of the model that it asks next in front. `readMarker` recognises it by `key`. */
export function writeMarker(model: string, record: string, key: Uint8Array): DataPart {
  const marker = `${model.replaceAll("\\", "/")}\\${sealOf(record, key)}.${Buffer.from(record).toString("base64")}`;
  return { type: "data", mimeType: markerType, data: Buffer.from(marker) };
}

/**
 * The last record of that source among the parts of a message. Only markers with this key count, because any extension can put a marker into its
 * messages, and a foreign one could add text to the answer that no chat shows.
 */
export function readMarker(
  parts: readonly ProvidedPart[],
  wanted: AnswerSource,
  key: Uint8Array,
): AnswerRecord | undefined {
  for (const part of parts.toReversed()) {
    if (part.type !== "data" || part.mimeType !== markerType || part.data.length > maxRecordLength * 2) continue;
    const marker = Buffer.from(part.data).toString();
    const [seal = "", encoded = ""] = marker.slice(marker.lastIndexOf("\\") + 1).split(".");
    const record = Buffer.from(encoded, "base64").toString();
    const read = isSameSecret(seal, sealOf(record, key)) ? readAnswerRecord(record, wanted) : undefined;
    if (read !== undefined) return read;
  }
  return undefined;
}

function sealOf(record: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(record).digest("hex");
}

/** The parts as the model made them; `undefined` when the caller has changed the text or the calls, so that the record does not match them. */
export function restoreParts(
  { parts, family }: AnswerRecord,
  message: readonly ProvidedPart[],
): readonly AssistantPart[] | undefined {
  const calls = new Map(message.flatMap((part) => (part.type === "tool-call" ? [[part.id, part] as const] : [])));
  const recorded = parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
  if (recorded.length !== calls.size || new Set(recorded).size !== calls.size) return undefined;
  if (!recorded.every((id) => calls.has(id)) || bareText(parts) !== bareText(message)) return undefined;
  const images = message.flatMap((part) => (part.type === "data" && isImage(part) ? [part] : []));
  return parts.flatMap((part): readonly AssistantPart[] => {
    switch (part.type) {
      case "text":
      case "reasoning":
        return [part];
      case "tool-call": {
        const { id, ...ids } = part;
        const called = calls.get(id);
        return called === undefined ? [] : [{ ...ids, ...callOf(called) }];
      }
      case "media": {
        const image = images.shift();
        return image === undefined ? [] : [pictureOf(image)];
      }
      case "opaque":
        return [{ type: "opaque", family, data: part.data }];
    }
  });
}

function callOf({
  name,
  input,
}: CallPart): Pick<Extract<AssistantPart, { type: "tool-call" }>, "type" | "name" | "input"> {
  return { type: "tool-call", name, input };
}

function pictureOf({ mimeType, data }: DataPart): AssistantPart {
  return { type: "media", mimeType, data: Buffer.from(data).toString("base64") };
}

/** The text without white space, because callers join the chunks of a text with or without line breaks, and trim it. */
export function bareText(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts
    .map(({ type, text: piece = "" }) => (type === "text" ? piece : ""))
    .join("")
    .replaceAll(/\s+/g, "");
}

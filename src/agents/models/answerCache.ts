/** Records of answers on disk, for callers that keep the text and the calls of an answer only (S2). Several windows share the folder. */
import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { once } from "../../base/async/serialQueue";
import type { Clock } from "../../base/clock";
import { makePrivateFolder, writeBeside } from "../../base/privateFile";
import type { Log } from "../../domain/ports";
import { type AnswerRecord, type AnswerSource, bareText, readAnswerRecord } from "./answerRecord";
import type { ProvidedPart } from "./providedMessage";

/** Beside the records. */
const keyFile = "marker.key";
const keyLength = 32;
/** Bounds of the folder. */
const oldest = 30 * 24 * 3600 * 1000;
const maxFiles = 2000;
const maxBytes = 50_000_000;
/** Saves between two looks at the whole folder. */
const sweepAfter = 100;

export interface AnswerCachePorts {
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
  readonly #ports: AnswerCachePorts;
  /** Of this person on this machine. Never rejects: one that can't be kept counts for this window, and `find` serves the others. */
  readonly markerKey = once(() => this.#openKey());
  #saves = 0;

  constructor(ports: AnswerCachePorts) {
    this.#ports = ports;
  }

  /**
   * `prompt`: the text that the answer followed. Two answers with the same text are distinguished by it. Never rejects: without the file the
   * record still travels with the answer.
   */
  async save(source: AnswerSource, parts: readonly ProvidedPart[], prompt: string, record: string): Promise<void> {
    const { folder, log } = this.#ports;
    try {
      await makePrivateFolder(folder);
      await Promise.all(namesOf(source, parts, prompt).map((name) => writeBeside(folder, name, record)));
      if (this.#saves % sweepAfter === 0) await this.#sweep();
      this.#saves += 1;
    } catch (error) {
      log.warn("What a model needs back could not be kept.", { message: String(error) });
    }
  }

  async find(source: AnswerSource, parts: readonly ProvidedPart[], prompt: string): Promise<AnswerRecord | undefined> {
    for (const name of namesOf(source, parts, prompt)) {
      const written = await readFile(join(this.#ports.folder, name), "utf8").catch(() => undefined);
      const record = written === undefined ? undefined : readAnswerRecord(written, source);
      if (record !== undefined) return record;
    }
    return undefined;
  }

  async #openKey(): Promise<Uint8Array> {
    const { folder, log } = this.#ports;
    const path = join(folder, keyFile);
    const known = await readFile(path).catch(() => undefined);
    if (known?.length === keyLength) return known;
    const made = randomBytes(keyLength);
    try {
      await makePrivateFolder(folder);
      await writeBeside(folder, keyFile, made);
      // Of two windows that begin at once, the later one's counts for both.
      return await readFile(path);
    } catch (error) {
      log.warn("The key of what models need back could not be kept.", { message: String(error) });
      return made;
    }
  }

  async #sweep(): Promise<void> {
    const { folder, clock } = this.#ports;
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

/** By the id of a call, else by the text: the more certain name first. */
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

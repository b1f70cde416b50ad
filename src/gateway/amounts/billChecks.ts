/**
 * Compares a gateway's counts for an answer with facts that are known here: the bytes of the request, the beginning that it shares with an earlier
 * request, the length of the answer, the requested model (T18). A check gives no verdict unless its bounds are certain. Pure.
 */
import { BoundedMap } from "../../base/boundedMap";
import { cutText } from "../../base/text/cutText";
import { definedFields } from "../../base/definedFields";
import type { Family, Usage } from "../../domain/chat/chatEvent";
import type { BillCheck, BillRow, BillVerdict } from "../bills";
import { isOtherModel } from "./modelNames";

/** An answer that has ended, with its request. */
export interface CountedAnswer {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly at: number;
  readonly family: Family;
  readonly model: string;
  /** The model that the answer names. */
  readonly named?: string;
  readonly requestId?: string;
  /** The JSON of the request. */
  readonly body: string;
  readonly usage: Pick<Usage, "input" | "output" | "reasoning" | "cacheRead">;
  /** Bytes of the answer: its texts, thinking, and calls. */
  readonly produced: number;
  /** Whether the answer has parts whose tokens do not depend on their length: pictures, signatures. */
  readonly hasOther: boolean;
  /** Whether a tool of the service has added its results to the input. */
  readonly hasFound: boolean;
}

interface SentRequest {
  /** The JSON without marks for the cache, which move from one request to the next. */
  readonly body: string;
  readonly bytes: number;
  readonly input: number;
  readonly endedAt: number;
  readonly isMarked: boolean;
}

interface ModelMemory {
  /** Requests whose counts were within bounds, the oldest first. Later requests are compared with them. */
  readonly measures: SentRequest[];
  readonly recent: SentRequest[];
  /** Tokens of the shortest prefix that was read from the cache. */
  cachedFrom: number;
  /** Whether the last count that could be checked was out of bounds. Until one is within bounds, no request becomes a measure. */
  isSuspect: boolean;
}

/** Limits of the memory: the models that are kept at once, and the characters of a kept request. */
const maxModels = 4;
const maxBody = 512 * 1024;
/** The first `firstMeasures` are never dropped, so that the first requests of later chats are compared with those of the first chat. */
const maxMeasures = 8;
const firstMeasures = 3;
const maxRecent = 3;
/** Tokens that a service may add around the messages of a request. */
const slack = 32;
/** Tokens of instructions that a gateway may add unseen. */
const hiddenTokens = 8192;
/** An earlier count is used only if its bound is at most this share above the count that the lengths let expect. */
const measuredShare = 0.16;
/** A request with fewer tokens is no measure, because the tokens that a service adds weigh too much. */
const leastMeasure = 1000;
/** By their documentation, services cache no prefix shorter than 1024 to 4096 tokens, depending on the model. */
const leastCached = 4500;
/** Milliseconds. Services that cache a prefix keep it for at least five minutes. */
const cachedFor = 4 * 60_000;
/** Bytes by which a request may differ from the beginning of the next one: a text that had a mark is a list of texts. */
const maxReworded = 128;

/** Checks the answers of one gateway. */
export class BillChecker {
  readonly #models = new BoundedMap<string, ModelMemory>(maxModels);

  check(answer: CountedAnswer): readonly BillVerdict[] {
    const key = `${answer.family} ${answer.model}`;
    const memory = this.#models.get(key) ?? { measures: [], recent: [], cachedFrom: Infinity, isSuspect: false };
    this.#models.set(key, memory);
    const sent = readSent(answer);
    const found = [
      sent && checkInput(answer, sent, memory),
      sent && checkCache(answer, sent, memory),
      checkOutput(answer),
      checkModel(answer),
    ].filter((verdict) => verdict !== undefined);
    if (sent !== undefined) remember(memory, sent, found.find(({ check }) => check === "input")?.isOut);
    const read = readCount(answer.usage.cacheRead) ?? 0;
    if (read > 0) memory.cachedFrom = Math.min(memory.cachedFrom, read);
    return found;
  }
}

function remember(memory: ModelMemory, sent: SentRequest, isOut: boolean | undefined): void {
  const { measures, recent } = memory;
  recent.push(sent);
  if (recent.length > maxRecent) recent.shift();
  if (isOut !== undefined) memory.isSuspect = isOut;
  if (memory.isSuspect || sent.input < leastMeasure) return;
  measures.push(sent);
  if (measures.length > maxMeasures) measures.splice(firstMeasures, 1);
}

function readSent({ body: json, usage, at }: CountedAnswer): SentRequest | undefined {
  const input = readCount(usage.input);
  if (input === undefined || input === 0 || json.length > maxBody) return undefined;
  const body = json.replaceAll(/,"cache_control":\{[^{}]*\}/g, "");
  return { body, bytes: Buffer.byteLength(body), input, endedAt: at, isMarked: body.length < json.length };
}

/** Out of bounds: more tokens than bytes, or more than an earlier count of the same beginning and the most for the new part. */
function checkInput(answer: CountedAnswer, sent: SentRequest, { measures }: ModelMemory): BillVerdict | undefined {
  const { input, bytes, body } = sent;
  if (answer.hasFound) return undefined;
  const verdict = (isOut: boolean, bound: number): BillVerdict =>
    verdictOf(answer, "input", isOut, { stated: input, bound: Math.ceil(bound), bytes });
  const most = bytes + hiddenTokens;
  if (input > most && !hasMedia(body)) return verdict(true, most);
  for (const measure of measures) {
    const expected = measure.input * (bytes / measure.bytes);
    const longest = expected * (1 + measuredShare);
    const { before, after } = difference(measure.body, body);
    // The length alone excludes most measures, before the slower count of tokens.
    if (measure.input + Buffer.byteLength(after) / mostBytes > longest) continue;
    const bound = measure.input + mostTokens(after) + slack;
    if (bound > longest || hasMedia(before) || hasMedia(after)) continue;
    return verdict(input > bound, bound);
  }
  return undefined;
}

/** Bytes of common text that one token holds in the best case. */
const mostBytes = 8;
/** The worst case for letters in a row, and for bytes of characters other than ASCII. */
const lettersPerToken = 2.5;
const foreignBytesPerToken = 1.5;

const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isBlank = (code: number): boolean => code === 32 || code === 9;
const isForeign = (code: number): boolean => code >= 128;

/** An upper bound for any tokenizer: each digit and sign is one token, a word several. A word is a capital with small letters, or either alone. */
function mostTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const begin = at;
    at += 1;
    if (isLower(code) || isUpper(code)) {
      at = endOf(text, at, isUpper(code) && isUpper(text.charCodeAt(at)) ? isUpper : isLower);
      tokens += Math.ceil((at - begin) / lettersPerToken);
    } else if (isBlank(code)) {
      at = endOf(text, at, isBlank);
      tokens += Math.floor((at - begin) / 2);
    } else if (isForeign(code)) {
      at = endOf(text, at, isForeign);
      tokens += Math.ceil(Buffer.byteLength(text.slice(begin, at)) / foreignBytesPerToken);
    } else tokens += 1;
  }
  return tokens;
}

/** The index after the run of characters of that kind. */
function endOf(text: string, from: number, isOfKind: (code: number) => boolean): number {
  let at = from;
  while (at < text.length && isOfKind(text.charCodeAt(at))) at += 1;
  return at;
}

/** Out of bounds: nothing was read from the cache, although this request begins with the whole of an earlier one. */
function checkCache(
  answer: CountedAnswer,
  { body, isMarked }: SentRequest,
  { recent, cachedFrom }: ModelMemory,
): BillVerdict | undefined {
  const read = readCount(answer.usage.cacheRead);
  if (read === undefined) return undefined;
  const before = recent.findLast(
    (one) =>
      (one.input >= cachedFrom || (one.input >= leastCached && one.isMarked && isMarked)) &&
      answer.startedAt >= one.endedAt &&
      answer.startedAt - one.endedAt <= cachedFor &&
      Buffer.byteLength(difference(one.body, body).before) <= maxReworded,
  );
  if (before === undefined) return undefined;
  return verdictOf(answer, "cache", read === 0, { stated: read, bound: before.input });
}

/** Out of bounds: more tokens than bytes. Checked only if the service counts the thinking separately, because it need not send all of it. */
function checkOutput(answer: CountedAnswer): BillVerdict | undefined {
  const output = readCount(answer.usage.output);
  const reasoning = readCount(answer.usage.reasoning);
  if (output === undefined || reasoning === undefined || answer.hasOther) return undefined;
  const stated = Math.max(0, output - reasoning);
  const bound = answer.produced + slack;
  return verdictOf(answer, "output", stated > bound, { stated, bound, bytes: answer.produced });
}

function checkModel(answer: CountedAnswer): BillVerdict | undefined {
  const { model, named } = answer;
  if (named === undefined || named.trim() === "") return undefined;
  const isOut = isOtherModel(model, named);
  return isOut === undefined
    ? undefined
    : verdictOf(answer, "model", isOut, { stated: cutText(named, 200), bound: model });
}

function verdictOf(
  { at, model, requestId: id }: CountedAnswer,
  check: BillCheck,
  isOut: boolean,
  row: Pick<BillRow, "stated" | "bound" | "bytes">,
): BillVerdict {
  return { check, model, isOut, row: { at, ...definedFields({ id }), ...row } };
}

/** A value from a gateway that can't be a count gives `undefined`. */
function readCount(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && value <= 1e12 ? value : undefined;
}

/** The part of each text between their common beginning and their common end. */
function difference(before: string, after: string): { readonly before: string; readonly after: string } {
  const start = sharedLength(
    before,
    after,
    (text, length) => text.slice(0, length),
    Math.min(before.length, after.length),
  );
  const [first, second] = [before.slice(start), after.slice(start)];
  const end = sharedLength(
    first,
    second,
    (text, length) => text.slice(text.length - length),
    Math.min(first.length, second.length),
  );
  return { before: first.slice(0, first.length - end), after: second.slice(0, second.length - end) };
}

/** A binary search, because comparing whole parts is much faster than comparing characters. */
function sharedLength(
  one: string,
  other: string,
  part: (text: string, length: number) => string,
  longest: number,
): number {
  let [least, most] = [0, longest];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (part(one, middle) === part(other, middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}

function hasMedia(json: string): boolean {
  return /;base64,|"(?:image_url|inline_?data|file_?data|input_audio|media_type|mime_?type)"/i.test(json);
}

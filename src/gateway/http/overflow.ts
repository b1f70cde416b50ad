/** Recognises, by the message of an error, that the prompt is longer than the model's context, and by how much: services share no error code for it. */
import { definedFields } from "../../base/definedFields";
import { asNumber, asRecord, type JsonRecord } from "../../base/jsonValue";

const size =
  /\b(?:context (?:length|window|size|limit)|prompt|inputs?|input length|model (?:token limit|length)|number of tokens|tokens? (?:count|limit)|too many tokens|length of (?:the |your )?messages)\b/i;
const excess =
  /\b(?:exceed(?:s|ed|ing)?|too (?:long|large|many)|(?:longer|greater|larger|more) than|overflows?|must (?:be <=|have less than)|length should be|reduce the length|maximum (?:context|prompt|model) length|maximum allowed)\b/i;
/** A limit of the answer or of something else in the request: a shorter chat does not help. */
const otherLimit =
  /\bmax_(?:completion_|output_|new_)?tokens\b|\b(?:output|completion) tokens\b|\bimages?\b|\bcharacters\b|\btool/i;
const context = /\b(?:context (?:length|window|size|limit)|maximum (?:context|prompt|model) length)\b/i;
const chinese = /(?:输入|上下文|提示词?|prompt|请求长度)[^。]{0,20}(?:超长|超过|超出|过长)/i;

/** Behind this, a message quotes what was sent. */
const maxRead = 1000;

/** The number after or before the words for a limit. `exceeded by` names a difference. */
const limits = [
  />\s*(\d{3,9})/,
  /\[\d+, ?(\d{3,9})\]/,
  /\b(\d{3,9}) maximum\b/,
  /(?:\b(?:limit|maximum|allowed|exceed(?:s|ed)?|less than|context (?:length|window|size))\b(?!(?: exceeded)? by\b)|<=)[^\d]{0,40}?(\d{3,9})/i,
] as const;
/** A larger number beside a limit is no count of tokens, but an id or a time. */
const maxRatio = 100;

/** What a refusal for length says of sizes, in tokens. `record`: its body, where llama.cpp has them as fields. */
export function readSizes(
  message: string,
  record: JsonRecord | undefined,
): { readonly contextSize?: number; readonly promptSize?: number } {
  const fields = asRecord(record?.["error"]);
  const named = asNumber(fields?.["n_ctx"]);
  // MiniMax ends its messages with a code of its own: `(2013)`.
  const own = message.slice(0, maxRead).replace(/ \(\d{4}\)$/, "");
  const text = own.replaceAll(/(?<=\d),(?=\d{3}\b)/g, "");
  const read = limits.map((pattern) => pattern.exec(text)?.[1]).find((digits) => digits !== undefined);
  const contextSize = named ?? (read === undefined ? undefined : Number(read));
  if (contextSize === undefined) return {};
  const counts = [...text.matchAll(/\d{3,9}/g)].map(([digits]) => Number(digits));
  const larger = counts.filter((count) => count > contextSize && count < contextSize * maxRatio);
  const promptSize = asNumber(fields?.["n_prompt_tokens"]) ?? (larger.length === 0 ? undefined : Math.max(...larger));
  return { contextSize, ...definedFields({ promptSize }) };
}

export function saysTooLong(message: string): boolean {
  const text = message.slice(0, maxRead);
  if (chinese.test(text)) return true;
  if (!excess.test(text)) return false;
  return context.test(text) || (size.test(text) && !otherLimit.test(text));
}

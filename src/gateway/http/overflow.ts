/** Recognises, by the message of an error, that the prompt is longer than the model's context: services share no error code for it. */

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

export function saysTooLong(message: string): boolean {
  const text = message.slice(0, maxRead);
  if (chinese.test(text)) return true;
  if (!excess.test(text)) return false;
  return context.test(text) || (size.test(text) && !otherLimit.test(text));
}

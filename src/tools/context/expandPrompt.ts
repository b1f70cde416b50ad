/**
 * Puts arguments and answers into the text of a prompt file, once: what is put in is not read again, and nothing else in it is replaced, so that a
 * file can attach, run or send nothing. Pure.
 */
import { definedFields } from "../../base/definedFields";
import { revealHidden } from "../../base/text/revealHidden";

/** `${input:name:placeholder}`. */
export interface PromptInput {
  readonly name: string;
  readonly placeholder: string;
}

export interface ExpandedPrompt {
  readonly text: string;
  /** Characters of the whole, when `text` is only its beginning. */
  readonly cutFrom?: number;
}

/** Questions of one file: a person answers each. */
const inputCap = 8;
/** Characters that are sent; arguments can be named any number of times. */
const textCap = 64 * 1024;

const places = /\$\{input:([\w-]{1,64})(?::([^}\r\n]{0,200}))?\}|\$ARGUMENTS\b|\$([1-9])(?!\d)/g;

/** The inputs that are asked for, each once, in their order. */
export function inputsOf(body: string): readonly PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, name, placeholder = ""] of body.matchAll(places))
    if (name !== undefined && !inputs.has(name) && inputs.size < inputCap)
      inputs.set(name, { name, placeholder: revealHidden(placeholder) });
  return [...inputs.values()];
}

/** What was written after the name: `name=value` answers the input of that name, and the whole the only one. */
export function givenInputs(inputs: readonly PromptInput[], rest: string): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const word of wordsOf(rest)) {
    const [, name = "", value = ""] = /^([\w-]{1,64})=(.*)$/s.exec(word) ?? [];
    if (value !== "" && inputs.some((input) => input.name === name)) given.set(name, value);
  }
  const [only, ...others] = inputs;
  if (only !== undefined && others.length === 0 && given.size === 0 && rest !== "") given.set(only.name, rest);
  return given;
}

/** `answers` by the names of the inputs. An argument that was not given stays written as its place: the person sees which one is missing. */
export function expandPrompt(body: string, rest: string, answers: ReadonlyMap<string, string>): ExpandedPrompt {
  const words = wordsOf(rest);
  const parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    if (length < textCap) parts.push(part.slice(0, textCap - length));
    length += part.length;
  };
  let from = 0;
  for (const match of body.matchAll(places)) {
    const [place, input, , position] = match;
    add(body.slice(from, match.index));
    from = match.index + place.length;
    if (input !== undefined) add(answers.get(input) ?? place);
    else add(position === undefined ? rest : (words[Number(position) - 1] ?? place));
  }
  add(body.slice(from));
  const text = parts.join("").toWellFormed();
  return { text, ...definedFields({ cutFrom: length > text.length ? length : undefined }) };
}

/** Quotes around a word, or around the value of `name=`, keep blanks in it; an apostrophe inside a word does not. The first of them are enough. */
function wordsOf(rest: string): readonly string[] {
  const words: string[] = [];
  for (const [, before = "", double, single, plain] of rest.matchAll(wordPattern)) {
    words.push(plain ?? before + (double ?? single ?? ""));
    if (words.length === wordCap) break;
  }
  return words;
}

const wordPattern = /((?:[\w-]{1,64}=)?)(?:"([^"]*)"|'([^']*)')(?!\S)|(\S+)/g;
const wordCap = 100;

/** Reads prompt, seed and model from the texts that the usual generators of pictures write, each in a form of its own. */
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord, parseJson } from "../../../base/jsonValue";
import type { PictureMarks } from "./marks";

type Known = Pick<PictureMarks, "prompt" | "seed" | "model">;

/** The readers by the keyword of the text, in the order in which they are tried. */
const readers = new Map<string, (text: string) => Known | undefined>([
  // AUTOMATIC1111's web UI, Forge and Civitai write text; Fooocus and SwarmUI write JSON.
  ["parameters", (text) => (text.trimStart().startsWith("{") ? fromObject(text) : fromParameters(text))],
  ["invokeai_metadata", fromObject],
  ["sd-metadata", fromObject],
  ["prompt", fromGraph],
  ["workflow", fromWorkflow],
  // NovelAI writes JSON.
  ["Comment", fromObject],
  ["Description", fromMidjourney],
]);

export const readKeywords: ReadonlySet<string> = new Set(readers.keys());

/** The first one that gives a prompt counts: a file may have passed through several programs. */
export function marksOfTexts(texts: ReadonlyMap<string, string>): PictureMarks {
  for (const [keyword, read] of readers) {
    const text = texts.get(keyword);
    const found = text === undefined ? undefined : read(text);
    if (found !== undefined) return found;
  }
  return {};
}

/** Levels of lists and objects. A graph has five; the parser takes seconds for a million. */
const maxLevels = 64;

/** Parses JSON; `undefined` also for a text with more levels. */
function parseShallow(text: string): unknown {
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    // Brackets inside of a string do not count.
    if (character === quote) at = endOfString(text, at);
    else if (character === openList || character === openObject) level += 1;
    else if (character === closeList || character === closeObject) level -= 1;
    if (level > maxLevels) return undefined;
  }
  return parseJson(text);
}

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

function known(prompt: unknown, seed: unknown, model: unknown): Known | undefined {
  const text = asText(prompt)?.trim();
  if (text === undefined || text === "") return undefined;
  const number = asNumber(seed);
  const name = asText(model)?.trim();
  return {
    prompt: text,
    ...(number !== undefined && Number.isSafeInteger(number) && number >= 0 ? { seed: number } : {}),
    ...(name === undefined || name === "" ? {} : { model: name }),
  };
}

/** The text has the prompt, then what is not wanted behind `Negative prompt: `, and in the last line the options: `Steps: 20, Seed: 1, Model: x`. */
function fromParameters(text: string): Known | undefined {
  const options = Math.max(text.lastIndexOf("\nSteps: "), text.startsWith("Steps: ") ? 0 : -1);
  const before = options < 0 ? text : text.slice(0, options);
  const negative = before.startsWith("Negative prompt: ") ? 0 : before.indexOf("\nNegative prompt: ");
  const prompt = negative < 0 ? before : before.slice(0, negative);
  const line = options < 0 ? "" : text.slice(options, options + maxOptions);
  return known(prompt, optionOf(line, "Seed"), optionOf(line, "Model"));
}

/** Characters of the options. */
const maxOptions = 20_000;

function optionOf(line: string, name: string): string | undefined {
  const start = line.indexOf(`, ${name}: `);
  if (start < 0) return undefined;
  const from = start + name.length + 4;
  const end = line.indexOf(",", from);
  return line.slice(from, end < 0 ? line.length : end);
}

/** Reads one object with the words of InvokeAI, Fooocus, SwarmUI or NovelAI. */
function fromObject(text: string): Known | undefined {
  const value = asRecord(parseShallow(text));
  if (value === undefined) return undefined;
  const parts = [value, asRecord(value["image"]), asRecord(value["sui_image_params"])].filter(isRecord);
  for (const part of parts) {
    const { prompt, positive_prompt: positive, seed, model, base_model: base, model_weights: weights } = part;
    const [first] = asArray(prompt);
    const name = asRecord(model)?.["name"] ?? asRecord(model)?.["model_name"] ?? model ?? base ?? weights;
    const found = known(positive ?? asRecord(first)?.["prompt"] ?? prompt, seed, name ?? value["model_weights"]);
    if (found !== undefined) return found;
  }
  return undefined;
}

// ComfyUI writes a graph of nodes by their ids: `{"6": {"class_type": "CLIPTextEncode", "inputs": {"text": "…", "clip": ["4", 1]}}}`. A link names
// a node and one of its outputs.

/** Nodes of a graph that are looked at: what is not found in these is not known. */
const maxNodes = 2000;
/** Nodes between the sampler and the text. */
const maxVisited = 64;

/** Inputs that lead from a sampler to the text of its prompt, the nearest first. */
const promptLinks = [
  "positive",
  "guider",
  "conditioning",
  "conditioning_1",
  "text",
  "prompt",
  "string",
  "value",
  "text_g",
  "t5xxl",
];
const promptTexts = ["text", "prompt", "string", "value", "text_g", "t5xxl", "clip_l"];
const seedNames = ["seed", "noise_seed"];
const modelNames = ["ckpt_name", "unet_name", "model_name"];

function fromGraph(text: string): Known | undefined {
  const graph = asRecord(parseShallow(text));
  if (graph === undefined) return undefined;
  const nodes = new Map<string, JsonRecord>();
  for (const id in graph) {
    if (nodes.size >= maxNodes) break;
    const inputs = asRecord(asRecord(graph[id])?.["inputs"]);
    if (inputs !== undefined) nodes.set(id, inputs);
  }
  return fromNodes(nodes);
}

function fromNodes(nodes: ReadonlyMap<string, JsonRecord>): Known | undefined {
  const all = [...nodes.values()];
  const sampler = all.find((inputs) => isLink(inputs["positive"])) ?? all.find((inputs) => isLink(inputs["guider"]));
  const firstOf = (names: readonly string[], read: (value: unknown) => unknown): unknown => {
    for (const inputs of sampler === undefined ? all : [sampler, ...all])
      for (const name of names) if (read(inputs[name]) !== undefined) return inputs[name];
    return undefined;
  };
  const texts = all.map((inputs) => asText(inputs["text"])).filter((one) => one !== undefined);
  // Without a known sampler a text counts only if it is the only one: it could be the unwanted prompt otherwise.
  const prompt = sampler === undefined ? (texts.length === 1 ? texts[0] : undefined) : textBehind(sampler, nodes);
  return known(prompt, firstOf(seedNames, asNumber), firstOf(modelNames, asText));
}

/** The first text that links lead to from the sampler. */
function textBehind(sampler: JsonRecord, nodes: ReadonlyMap<string, JsonRecord>): string | undefined {
  const waiting = [sampler];
  const seen = new Set<JsonRecord>();
  for (let inputs = waiting.shift(); inputs !== undefined && seen.size < maxVisited; inputs = waiting.shift()) {
    if (seen.has(inputs)) continue;
    seen.add(inputs);
    for (const name of promptTexts) {
      const text = asText(inputs[name]);
      if (text !== undefined && inputs !== sampler) return text;
    }
    for (const name of promptLinks) {
      const link = inputs[name];
      const next = isLink(link) ? nodes.get(String(link[0])) : undefined;
      if (next !== undefined) waiting.push(next);
    }
  }
  return undefined;
}

function isLink(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length === 2 && (typeof value[0] === "string" || typeof value[0] === "number");
}

/** The graph as the editor of ComfyUI saves it: values without names, in the order of the widgets, and links in a list of their own. */
function fromWorkflow(text: string): Known | undefined {
  const value = asRecord(parseShallow(text));
  const sources = new Map<unknown, unknown>();
  for (const link of asArray(value?.["links"]).slice(0, maxNodes)) {
    const [id, from] = asArray(link);
    sources.set(id, from);
  }
  const nodes = new Map<string, JsonRecord>();
  for (const node of asArray(value?.["nodes"]).slice(0, maxNodes)) {
    const { id, type, inputs, widgets_values: values } = asRecord(node) ?? {};
    const [first] = asArray(values);
    const links = asArray(inputs)
      .slice(0, maxVisited)
      .map((input) => [String(asRecord(input)?.["name"]), sources.get(asRecord(input)?.["link"])] as const)
      .filter(([, source]) => source !== undefined);
    nodes.set(String(id), {
      ...Object.fromEntries(links.map(([name, source]) => [name, [source, 0]])),
      ...(asText(type)?.includes("Text") === true ? { text: first } : {}),
      ...(/Sampler|Noise/.test(asText(type) ?? "") ? { seed: first } : {}),
      ...(/CheckpointLoader|UNETLoader/.test(asText(type) ?? "") ? { ckpt_name: first } : {}),
    });
  }
  return fromNodes(nodes);
}

/** Midjourney writes the prompt with its options, and behind it the id of the job. */
function fromMidjourney(text: string): Known | undefined {
  const end = text.lastIndexOf(" Job ID: ");
  return end < 0 ? undefined : known(text.slice(0, end), undefined, undefined);
}

/** Reads a list of models in the form of any family into the domain's models. */
import { definedFields } from "../base/definedFields";
import { families, type Family } from "../domain/chat/family";
import { leastContextSize } from "../domain/chat/tokenCount";
import type { Model } from "../domain/ports";
import { isSize } from "../domain/task/commonOptions";
import { asArray, asNumber, asRecord, asText, type JsonRecord } from "../base/jsonValue";
import { readTaskTypes } from "./taskWireValues";

/** Limits a list, because some gateways return all models without pages. */
const maxModels = 5000;

/** Reads the body of `GET /v1/models`. `pricesOf` reads the prices of a model as the gateway lists it. */
export function readModels(value: unknown, stylizedImageWord: string, pricesOf?: PricesOf): readonly Model[] {
  const object = asRecord(value);
  const list = Array.isArray(value) ? (value as unknown[]) : (object?.["data"] ?? object?.["models"]);
  return asArray(list)
    .slice(0, maxModels)
    .flatMap((item) => {
      const record = asRecord(item);
      const id = asText(item) ?? asText(record?.["id"]) ?? asText(record?.["name"])?.replace(/^models\//, "");
      if (id === undefined) return [];
      const prices = record && pricesOf?.(record, id);
      return [{ ...readModel(id, record ?? {}, stylizedImageWord), ...definedFields({ prices }) }];
    });
}

type PricesOf = (model: JsonRecord, id: string) => Model["prices"];

function readModel(id: string, record: Readonly<Record<string, unknown>>, stylizedImageWord: string): Model {
  const capabilities = record["capabilities"];
  const object = asRecord(capabilities) ?? {};
  const words = asArray(capabilities).filter((word) => typeof word === "string");
  const tools = readCapability(object, words, "tools");
  const images = readCapability(object, words, "images");
  const types = [...asArray(object["task_types"]), ...words].flatMap((word) => readTaskTypes(word, stylizedImageWord));
  const thinking = readCapability(object, words, "thinking");
  const outputSize = readOutputSize(object, record);
  const contextSize = readContextSize(object, record);
  const note = asText(object["note"]) ?? asText(record["note"]);
  return {
    id,
    family: readFamily(object["family"] ?? asArray(object["families"])[0]),
    ...definedFields({ note, tools, images, thinking, contextSize, outputSize }),
    ...(object["demoModel"] === true ? { demoModel: true } : {}),
    ...(types.length === 0 ? {} : { taskTypes: types, ...readOptions(object, record) }),
  };
}

/** The most options that are read, because a list may have any length. */
const maxOptions = 50;

function readOptions(object: JsonRecord, record: JsonRecord): Pick<Model, "taskOptions"> {
  const listOf = (name: string): readonly unknown[] => asArray(object[name] ?? record[name]).slice(0, maxOptions);
  const sizes = listOf("sizes").filter((size): size is string => typeof size === "string" && isSize(size));
  const durations = listOf("durations").filter((one): one is number => typeof one === "number" && one > 0);
  const promptLimit = asSize(object["max_prompt_length"] ?? record["max_prompt_length"]);
  const taskOptions = definedFields({
    sizes: sizes.length === 0 ? undefined : sizes,
    durations: durations.length === 0 ? undefined : durations,
    promptLimit,
  });
  return Object.keys(taskOptions).length === 0 ? {} : { taskOptions };
}

function readCapability(object: JsonRecord, words: readonly unknown[], name: string): boolean | undefined {
  const value = object[name];
  return typeof value === "boolean" ? value : words.includes(name) ? true : undefined;
}

/** Tokens. `max_tokens` is the output limit only in a list of the messages family; elsewhere it may be the context size. */
function readOutputSize(object: JsonRecord, record: JsonRecord): number | undefined {
  const maxOutput = record["type"] === "model" ? record["max_tokens"] : undefined;
  return asSize(object["max_output_tokens"] ?? record["max_output_tokens"] ?? record["outputTokenLimit"] ?? maxOutput);
}

/** Tokens. The field has one of the names that gateways use. */
function readContextSize(object: JsonRecord, record: JsonRecord): number | undefined {
  const names = ["context_size", "context_length", "context_window", "max_context_length", "max_input_tokens"];
  const size = names.map((name) => object[name] ?? record[name]).find((value) => value !== undefined);
  const tokens = asSize(size ?? record["inputTokenLimit"]) ?? 0;
  return tokens < leastContextSize ? undefined : tokens;
}

function asSize(value: unknown): number | undefined {
  const size = asNumber(value);
  return size !== undefined && Number.isSafeInteger(size) && size > 0 ? size : undefined;
}

function readFamily(value: unknown): Family {
  const name = asText(value)?.toLowerCase().replaceAll(/[_\s]/g, "-");
  return families.find((family) => family === name) ?? "chat-completions";
}

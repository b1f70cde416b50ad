/** Describes a model as VS Code lists it, and estimates the tokens of messages. */
import type { Family } from "../../domain/chat/family";
import type { Model, ReadyConnection } from "../../domain/ports";
import { tokensOfText, tokensPerImage, unknownContextSize } from "../../domain/chat/tokenCount";
import { providedModelDetail, placeName } from "../../domain/words/providedWords";
import { isImage, type ProvidedPart, textOfData } from "./providedMessage";
import { ownWords } from "../../domain/words/ownWords";

/** The texts hold foreign text, so they are escaped before they are shown. */
export interface ModelInformation {
  readonly id: string;
  readonly family: string;
  /** The family of APIs through which the model is asked. */
  readonly api: Family;
  readonly detail: string;
  readonly tooltip: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  readonly tools: boolean;
  readonly images: boolean;
}

/** Most models can write an answer of at least so many tokens; taken where the limit of a model is not known. */
const unknownOutputSize = 8192;

/** A capability that is not known is offered. If the model refuses it, the refusal is shown; a refusal of tools is also remembered. */
export function modelInformation(
  model: Model,
  { home, local }: Pick<ReadyConnection, "home" | "local">,
): ModelInformation {
  const context = model.contextSize ?? unknownContextSize;
  // Half of a small context is left for the request.
  const output = Math.min(model.maxOutputTokens ?? model.outputSize ?? unknownOutputSize, Math.ceil(context / 2));
  const place = placeName(home.origin, local);
  return {
    id: model.id,
    // Callers select models by this name, such as `gpt-4o`, so the vendor that some gateways put in front is left out.
    family: model.id.slice(model.id.lastIndexOf("/") + 1),
    api: model.family,
    detail: place,
    tooltip: [providedModelDetail(model.id, place), ...(model.note === undefined ? [] : [ownWords(model.note)])].join(
      "\n",
    ),
    maxInputTokens: Math.max(1, context - output),
    maxOutputTokens: output,
    tools: model.tools !== false && model.tools !== "text",
    images: model.images !== false,
  };
}

/** Estimates tokens by length, because VS Code asks at each keystroke, and that is too often for a request to the gateway. */
export function estimatePartTokens(parts: readonly ProvidedPart[]): number {
  return parts.reduce((sum, part) => sum + tokensOf(part), 0);
}

function tokensOf(part: ProvidedPart): number {
  switch (part.type) {
    case "text":
      return tokensOfText(part.text);
    case "data":
      return isImage(part) ? tokensPerImage : tokensOfText(textOfData(part) ?? "");
    case "tool-call":
      return tokensOfText(part.name + JSON.stringify(part.input));
    case "tool-result":
      return estimatePartTokens(part.content);
  }
}

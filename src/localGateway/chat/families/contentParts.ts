/** Reads the contents of the generate-content family into the turns of a conversation. */
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { invalidRequest } from "../../http/httpError";
import type { ToolCallTurn, ConversationTurn } from "../../conversation/conversation";
import { readImageData, type PromptImage } from "../../conversation/images";

const object = z.record(z.string(), z.unknown());
const inlineData = z.looseObject({ mimeType: z.string(), data: z.string() });
const partSchema = z.looseObject({
  text: z.optional(z.string()),
  thought: z.optional(z.boolean()),
  thoughtSignature: z.optional(z.string()),
  inlineData: z.optional(inlineData),
  fileData: z.optional(z.looseObject({ fileUri: z.string() })),
  functionCall: z.optional(
    z.looseObject({ name: z.string(), id: z.optional(z.string()), args: z.optional(z.nullable(object)) }),
  ),
  functionResponse: z.optional(
    z.looseObject({
      name: z.string(),
      id: z.optional(z.string()),
      response: object,
      parts: z.optional(z.array(z.looseObject({ inlineData: z.optional(inlineData) }))),
    }),
  ),
});

export const contentSchema = z.looseObject({
  role: z.optional(z.enum(["user", "model"], { error: "Please use a valid role: user, model." })),
  parts: z.array(partSchema).check(z.minLength(1)),
});

export type Part = z.infer<typeof partSchema>;
export interface Content {
  /** Missing: `user`. */
  readonly role?: "user" | "model" | undefined;
  readonly parts: readonly Part[];
}

export const plainText = ({ text }: { readonly text?: string | undefined }): string => text ?? "";

/** Ids are optional on the wire: each call gets one here, and results are matched by id, else by name and order. */
export function turnsOfContents(contents: readonly Content[]): readonly ConversationTurn[] {
  let open: readonly (ToolCallTurn & { readonly wireId: string | undefined })[] = [];
  return contents.flatMap((content, index): readonly ConversationTurn[] => {
    const field = `contents.${index}`;
    for (const [at, part] of content.parts.entries()) checkPart(part, `${field}.parts.${at}`);
    if (content.role === "model") {
      if (open.length > 0) throw missingResponses(index - 1);
      open = content.parts.flatMap(({ functionCall: call }, at) => {
        if (call === undefined) return [];
        const { name, id, args } = call;
        return [{ id: id ?? `${index}-${at}`, wireId: id, name, arguments: JSON.stringify(args ?? {}) }];
      });
      const text = content.parts.map((part) => (part.thought === true ? "" : plainText(part))).join("");
      return [{ role: "assistant", text, calls: open }];
    }
    const results = readResults(content, open, index);
    open = [];
    const text = content.parts.map(plainText).filter(Boolean).join("\n");
    const images = content.parts.flatMap((part, at) => readImage(part, `${field}.parts.${at}`));
    return text === "" && images.length === 0 && results.length > 0
      ? results
      : [...results, { role: "user", text, images }];
  });
}

function checkPart(part: Part, field: string): void {
  const kinds = [part.text, part.inlineData, part.fileData, part.functionCall, part.functionResponse];
  if (kinds.filter((kind) => kind !== undefined).length === 1) return;
  throw invalidRequest(`${field}: a part must have exactly one of its data fields.`, field);
}

function readResults(
  { parts }: Content,
  open: readonly (ToolCallTurn & { readonly wireId: string | undefined })[],
  index: number,
): readonly ConversationTurn[] {
  const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  if (responses.length !== open.length) throw missingResponses(index);
  let left = open;
  return responses.map(({ id, name, response, parts: shown = [] }): ConversationTurn => {
    const call = left.find((one) => one.name === name && one.wireId === id);
    if (call === undefined) {
      const known = id === undefined ? `the function ${name}` : `the call ${id} of ${name}`;
      throw invalidRequest(`contents.${index}: no open function call is answered by a response to ${known}.`);
    }
    left = left.filter((one) => one !== call);
    const { output, error } = response;
    const text = error ?? output ?? response;
    const images = shown.flatMap((part, at) => readImage(part, `contents.${index}.functionResponse.parts.${at}`));
    return {
      role: "tool",
      callId: call.id,
      text: typeof text === "string" ? text : JSON.stringify(text),
      ...definedFields({
        images: images.length === 0 ? undefined : images,
        failed: error === undefined ? undefined : true,
      }),
    };
  });
}

function missingResponses(index: number): Error {
  return invalidRequest(
    `contents.${index}: the number of function response parts must be equal to the number of function call parts ` +
      "of the turn before.",
    "contents",
  );
}

function readImage(
  { inlineData, fileData }: Pick<Part, "inlineData" | "fileData">,
  field: string,
): readonly PromptImage[] {
  if (inlineData !== undefined) return [readImageData(inlineData.mimeType, inlineData.data, `${field}.inlineData`)];
  return fileData === undefined ? [] : [{ kind: "address" }];
}

/** Reads the content blocks of the messages family into the turns of a conversation. */
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { invalidRequest } from "../../http/httpError";
import type { ConversationTurn } from "../../conversation/conversation";
import { readImageData, type PromptImage } from "../../conversation/images";

const text = z.looseObject({ type: z.literal("text"), text: z.string().check(z.minLength(1)) });
const imageSource = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
  z.looseObject({ type: z.literal("url"), url: z.url() }),
]);
const image = z.looseObject({ type: z.literal("image"), source: imageSource });
const document = z.looseObject({
  type: z.literal("document"),
  title: z.nullish(z.string()),
  source: z.looseObject({
    type: z.string(),
    data: z.optional(z.string()),
    content: z.optional(z.union([z.string(), z.array(z.looseObject({ text: z.optional(z.string()) }))])),
  }),
});
/** What a search of the client's own has found. */
const searchResult = z.looseObject({
  type: z.literal("search_result"),
  source: z.string(),
  title: z.string(),
  content: z.array(text),
});
/** A tool that a search of the client's own has found, by its name. */
const toolReference = z.looseObject({ type: z.literal("tool_reference"), tool_name: z.string() });
const toolResult = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.optional(
    z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image, document, searchResult, toolReference]))]),
  ),
  is_error: z.optional(z.boolean()),
});
const userBlock = z.discriminatedUnion("type", [text, image, document, searchResult, toolResult]);
const assistantBlock = z.discriminatedUnion("type", [
  text,
  z.looseObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.looseObject({
    type: z.literal("tool_use"),
    id: z.string().check(z.regex(/^[a-zA-Z0-9_-]+$/)),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
]);

export type UserBlock = z.infer<typeof userBlock>;
export type AssistantBlock = z.infer<typeof assistantBlock>;

export const messageSchema = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("user"), content: z.pipe(z.transform(asBlocks), z.array(userBlock)) }),
  z.looseObject({ role: z.literal("assistant"), content: z.pipe(z.transform(asBlocks), z.array(assistantBlock)) }),
]);

/** Of the operator, between two messages of the conversation: Claude Code sends its reminders so. */
export const systemMessageSchema = z.looseObject({
  role: z.literal("system"),
  content: z.pipe(z.transform(asBlocks), z.array(text)),
});

export type WireMessage =
  | { readonly role: "user"; readonly content: readonly UserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantBlock[] };

function asBlocks(content: unknown): unknown {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** For counting tokens and for the prompt cache. */
export function blockText(block: UserBlock | AssistantBlock): string {
  return block.type === "text" ? block.text : JSON.stringify(block);
}

export function turnsOf(messages: readonly WireMessage[]): readonly ConversationTurn[] {
  return messages.flatMap((message, index): readonly ConversationTurn[] =>
    message.role === "assistant" ? [assistantTurn(message.content)] : userTurns(message.content, `messages.${index}`),
  );
}

function assistantTurn(blocks: readonly AssistantBlock[]): ConversationTurn {
  return {
    role: "assistant",
    text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: blocks.flatMap((block) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
    ),
  };
}

/** Tool results come first; text after them is a separate user turn. */
function userTurns(blocks: readonly UserBlock[], field: string): readonly ConversationTurn[] {
  const results: ConversationTurn[] = [];
  const texts: string[] = [];
  const images: PromptImage[] = [];
  for (const [index, block] of blocks.entries()) {
    const at = `${field}.content.${index}`;
    if (block.type === "tool_result") {
      const content = block.content ?? "";
      const shown = imagesIn(content, at);
      results.push({
        role: "tool",
        callId: block.tool_use_id,
        text: resultText(content),
        ...definedFields({
          images: shown.length === 0 ? undefined : shown,
          failed: block.is_error === true ? true : undefined,
        }),
      });
    } else if (block.type === "text") texts.push(block.text);
    else if (block.type === "image") images.push(seen(block, at));
    else {
      const written = writtenIn(block);
      if (written === undefined) {
        throw invalidRequest(`${at}.source.type: of documents only texts are supported by this model.`, at);
      }
      texts.push(written);
    }
  }
  const prompt = texts.length + images.length === 0 ? [] : [{ role: "user", text: texts.join("\n"), images } as const];
  return [...results, ...prompt];
}

type ResultContent = NonNullable<z.infer<typeof toolResult>["content"]>;

function resultText(content: ResultContent): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : writeOther(block))).join("\n");
}

function writeOther(block: Exclude<Exclude<ResultContent, string>[number], { type: "text" }>): readonly string[] {
  if (block.type === "tool_reference") return [`[the tool ${block.tool_name}]`];
  return block.type === "image" ? [] : [writtenIn(block) ?? "[a document]"];
}

/** The text of a document or of something found; `undefined` for a PDF and the like. */
function writtenIn(block: z.infer<typeof document> | z.infer<typeof searchResult>): string | undefined {
  if (block.type === "search_result") {
    return [block.title, block.source, ...block.content.map((one) => one.text)].join("\n");
  }
  const { type, data, content } = block.source;
  if (type === "text") return data;
  if (type !== "content" || content === undefined) return undefined;
  return typeof content === "string" ? content : content.flatMap((one) => one.text ?? []).join("\n");
}

function imagesIn(content: ResultContent, field: string): readonly PromptImage[] {
  if (typeof content === "string") return [];
  return content.flatMap((block, index) => (block.type === "image" ? [seen(block, `${field}.content.${index}`)] : []));
}

function seen({ source }: z.infer<typeof image>, field: string): PromptImage {
  if (source.type === "url") return { kind: "address" };
  return readImageData(source.media_type, source.data, `${field}.source.${source.type}`);
}

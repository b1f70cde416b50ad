/** Any request at all, for the rules that bodies must keep: exchanges as a session makes them, and what none would make between. */
import * as fc from "fast-check";
import type { Family } from "../../../../src/domain/chat/chatEvent";
import type {
  AssistantPart,
  ChatRequest,
  Message,
  ToolDeclaration,
  UserPart,
} from "../../../../src/domain/chat/message";
import type { ModelOptions } from "../../../../src/domain/chat/modelOptions";
import { readThoughtSignature, type GenerateContentVariant } from "../../../../src/gateway/families/generateContent";
import {
  type ChatCompletionsVariant,
  firstChatCompletionsVariant,
} from "../../../../src/gateway/families/chatCompletions";
import { readSignature, type MessagesVariant } from "../../../../src/gateway/families/messages";

type Assistant = Extract<Message, { role: "assistant" }>;

const text = fc.oneof(
  fc.constantFrom("", " ", "\n", "Hi", "trailing ", "\uD800 half", "nul\0", "\0", "\u{1F600}", "two\nlines "),
  fc.string({ maxLength: 12 }),
);
const family = fc.constantFrom<Family>("chat-completions", "messages", "generate-content");
const model = fc.constantFrom("m", "gemini-3-pro", "gemini-2.5-flash", "o3");
const call = fc.constantFrom("call-0", "call-1", "call-2");
const name = fc.constantFrom("read_file", "mcp.tool/with odd:name", "1st", "", "\u8BFB", "\uD800", "x".repeat(80));
const wireId = fc.constantFrom("toolu_1", "call_abc", "0", "functions.x:0", "", "i\uD800\0", "y".repeat(80));

/** A placeholder for data that a service made: `fill` replaces it by the family, the model and the place of its message. */
const mark = "MARK";
const signed = (data: unknown) => ({ type: "opaque", family: "generate-content", data }) as const;
const block = (data: unknown) => ({ type: "opaque", family: "messages", data }) as const;
const opaqueParts: readonly Extract<AssistantPart, { type: "opaque" }>[] = [
  block({ type: "thinking", thinking: "Hm.", signature: mark }),
  block({ type: "thinking", thinking: "", signature: mark }),
  block({ type: "thinking", thinking: "unsigned" }),
  block({ type: "redacted_thinking", data: mark }),
  block({ type: "server_tool_use", id: "srv", name: "web_search", input: {} }),
  block({ type: "server_tool_use", id: "srv2", name: "web_search", input: {} }),
  block({ type: "web_search_tool_result", tool_use_id: "srv", content: [] }),
  block({ type: "text", text: "" }),
  block("nonsense"),
  signed({ of: "text", length: 2, thoughtSignature: mark }),
  signed({ of: "text", length: 0, thoughtSignature: mark }),
  signed({ of: "thought", length: 1, thoughtSignature: mark }),
  signed({ of: "call", call: "call-0", thoughtSignature: mark }),
  signed({ part: { inlineData: { mimeType: "image/png", data: "drawn" }, thoughtSignature: mark } }),
  signed({ part: { text: "shown only", thought: true, executableCode: { code: "1" } } }),
  signed({ part: { executableCode: { code: "1" }, thoughtSignature: mark } }),
  signed({ part: { executableCode: { code: "1" } } }),
  signed({ part: {} }),
  signed({ continuationToken: mark }),
  signed(null),
  {
    type: "opaque",
    family: "chat-completions",
    data: { reasoningField: "reasoning_content", reasoningDetails: [{ signature: mark }], extraContent: { s: mark } },
  },
  { type: "opaque", family: "chat-completions", data: { callExtraContent: { "call-0": { s: mark } } } },
];
/** Mostly of the family that is asked. */
const opaqueFor = (to: Family): fc.Arbitrary<AssistantPart> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...opaqueParts.filter((part) => part.family === to)) },
    { weight: 1, arbitrary: fc.constantFrom(...opaqueParts) },
  );

const userPart = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text }),
  fc.constantFrom<UserPart>(
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "image", mimeType: "image/bmp", data: "AAAA" },
  ),
);
const toolCall = fc.record(
  { type: fc.constant("tool-call" as const), call, name, wireId, input: fc.dictionary(text, text, { maxKeys: 2 }) },
  { requiredKeys: ["type", "call", "name", "input"] },
);
const partFor = (to: Family): fc.Arbitrary<AssistantPart> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constant("text" as const), text }) },
    { weight: 3, arbitrary: toolCall },
    { weight: 4, arbitrary: opaqueFor(to) },
    { weight: 1, arbitrary: fc.constant<AssistantPart>({ type: "reasoning", text: mark }) },
    { weight: 1, arbitrary: fc.constant<AssistantPart>({ type: "media", mimeType: "image/png", data: mark }) },
  );

/** Whose words, most often the same one's. */
type Speaker = Pick<ChatRequest, "family" | "model">;
const answerOf = (to: Family, speaker: fc.Arbitrary<Speaker>): fc.Arbitrary<Assistant> =>
  fc
    .tuple(speaker, fc.array(partFor(to), { maxLength: 6 }), fc.integer({ min: 0, max: 3 }))
    .map(([whose, parts, dice]) => ({ role: "assistant", ...whose, parts, ...(dice === 0 ? { paused: true } : {}) }));
const user: fc.Arbitrary<Message> = fc.record({
  role: fc.constant("user" as const),
  parts: fc.array(userPart, { maxLength: 3 }),
});
const result = fc.record({ role: fc.constant("tool" as const), call, name, text, isError: fc.boolean() });

const png = { type: "image", mimeType: "image/png", data: "AAAA" } as const;
const resultImages = [png, { type: "image", mimeType: "image/gif", data: "R0lG" } as const];

/** An answer with what came of its calls: mostly a result for each, now and then none, two, or one for another. */
const stepOf = (to: Family, speaker: fc.Arbitrary<Speaker>): fc.Arbitrary<readonly Message[]> =>
  fc
    .tuple(
      answerOf(to, speaker),
      fc.array(fc.constantFrom(1, 1, 1, 1, 0, 2), { minLength: 6, maxLength: 6 }),
      text,
      result,
    )
    .map(([answer, counts, said, stray]) => {
      const calls = answer.parts.filter((part) => part.type === "tool-call");
      const results = calls.flatMap(({ call: of, name: called }, at) =>
        Array.from({ length: counts[at] ?? 1 }, (): Message => {
          const images = said.length % 3 === 0 ? { images: [resultImages[at % 2] ?? png] } : {};
          return { role: "tool", call: of, name: called, text: said, isError: at % 2 === 1, ...images };
        }),
      );
      return [answer, ...(counts[5] === 2 ? [stray] : []), ...(counts[4] === 0 ? results.reverse() : results)];
    });

const pieceOf = (to: Family, speaker: fc.Arbitrary<Speaker>): fc.Arbitrary<readonly Message[]> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(user, fc.array(stepOf(to, speaker), { maxLength: 3 }))
        .map(([prompt, steps]) => [prompt, ...steps.flat()]),
    },
    {
      weight: 2,
      arbitrary: fc
        .oneof(user, answerOf(to, speaker), result, fc.record({ role: fc.constant("system" as const), text }))
        .map((one) => [one]),
    },
  );

/** Each mark becomes its origin and place: `mark:messages:m:3`. A foreign family's part in an answer has an origin that no request may match. */
function fill(messages: readonly Message[]): readonly Message[] {
  let place = 0;
  return messages.map((message) => {
    if (message.role !== "assistant") return message;
    const parts = message.parts.map((part): AssistantPart => {
      const whose = part.type === "opaque" && part.family !== message.family ? "nobody" : message.family;
      const whole = `mark:${whose}:${message.model}:${(place += 1)}`;
      const filled = JSON.parse(JSON.stringify(part).replaceAll(`"${mark}"`, `"${whole}"`)) as AssistantPart;
      // Ids of this family get a prefix, so that those of the others differ from them.
      if (filled.type !== "tool-call" || message.family !== "generate-content" || !filled.wireId) return filled;
      return { ...filled, wireId: `given_${filled.wireId}` };
    });
    return { ...message, parts };
  });
}

const tool: fc.Arbitrary<ToolDeclaration> = fc.record({
  name,
  description: text,
  parameters: fc.constantFrom<ToolDeclaration["parameters"]>(
    { type: "object" },
    { type: "object", properties: { path: { type: "string", description: "\uD800" } }, required: ["path", "gone"] },
  ),
});
const options: fc.Arbitrary<ModelOptions> = fc.record(
  {
    maxOutputTokens: fc.constantFrom(1, 1024, 2048, 9000, 100_000),
    outputSize: fc.constantFrom(1000, 64_000),
    thinking: fc.constantFrom(true, false, "off" as const, "low" as const, "medium" as const, "high" as const),
    temperature: fc.constantFrom(0, 1),
  },
  { requiredKeys: [] },
);

/** The choices of all families together: each reads its own. */
export type AnyVariant = ChatCompletionsVariant & MessagesVariant & GenerateContentVariant;

export interface VariedRequest {
  readonly request: ChatRequest;
  readonly variant: AnyVariant;
}

/** A request of one family, in one of its variants; every second signature may have been refused. */
export const anyRequestTo = (to: Family): fc.Arbitrary<VariedRequest> =>
  model.chain((target) => {
    const ours = fc.constant<Speaker>({ family: to, model: target });
    const paused = fc
      .tuple(fc.array(opaqueFor(to), { maxLength: 2 }), fc.boolean())
      .map(([parts, endsWithText]) => [pausedAnswer(to, target, parts, endsWithText)]);
    const speaker = fc.oneof({ weight: 3, arbitrary: ours }, { weight: 1, arbitrary: fc.record({ family, model }) });
    return fc
      .record({
        pieces: fc.array(fc.oneof({ weight: 6, arbitrary: pieceOf(to, speaker) }, { weight: 1, arbitrary: paused }), {
          maxLength: 5,
        }),
        pause: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: paused }),
        tools: fc.array(tool, { maxLength: 3 }),
        options,
        variant: fc.record({
          streamOptions: fc.boolean(),
          emptyContent: fc.constantFrom("" as const, null),
          alwaysReasoning: fc.boolean(),
          thinkingBudget: fc.boolean(),
          longMarks: fc.boolean(),
          signCalls: fc.boolean(),
          systemInPrompt: fc.boolean(),
          refuses: fc.boolean(),
        }),
      })
      .map(({ pieces, pause, tools, options: chosen, variant: { signCalls, systemInPrompt, refuses, ...variant } }) => {
        const messages = fill([...pieces, pause].flat());
        const all = refuses ? signaturesOf(messages).filter((_, at) => at % 2 === 0) : [];
        return {
          request: { family: to, model: target, messages, tools, options: chosen },
          variant: {
            ...firstChatCompletionsVariant,
            ...variant,
            ...(signCalls ? { signCalls } : {}),
            ...(systemInPrompt ? { systemInPrompt } : {}),
            refusedSignatures: new Set(all),
          },
        };
      });
  });

/** A paused answer, which a session sends back without a click, to have it continued. */
function pausedAnswer(to: Family, target: string, parts: readonly AssistantPart[], endsWithText: boolean): Message {
  const said: AssistantPart = { type: "text", text: "Part of it " };
  const picture: AssistantPart = { type: "media", mimeType: "image/png", data: mark };
  const open =
    to === "messages" ? { type: "server_tool_use", id: "own", name: "x", input: {} } : { continuationToken: mark };
  const last: AssistantPart = { type: "opaque", family: to, data: open };
  const end = endsWithText ? [last, said] : [said, last];
  return { role: "assistant", family: to, model: target, parts: [picture, ...parts, ...end], paused: true };
}

function signaturesOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "assistant"
      ? message.parts.flatMap((part) =>
          part.type === "opaque" ? (readSignature(part.data) ?? readThoughtSignature(part.data) ?? []) : [],
        )
      : [],
  );
}

/** The rules for a body of any family, and the argument that all rules get. */
import assert from "node:assert/strict";
import type { AssistantPart, ChatRequest, Message } from "../../../../../src/domain/chat/message";
import type { AnyVariant } from "../histories";

export type Json = Readonly<Record<string, unknown>>;

export interface Sent {
  /** As the service reads it. */
  readonly body: Json;
  readonly request: ChatRequest;
  readonly variant: AnyVariant;
}

/** By what it says; each throws where it does not hold. */
export type Rules = Readonly<Record<string, (sent: Sent) => void>>;

export const toolName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

export const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
export const object = (value: unknown): Json => {
  assert.ok(typeof value === "object" && value !== null && !Array.isArray(value), JSON.stringify(value));
  return value as Json;
};

export const assistants = ({ messages }: ChatRequest): readonly Extract<Message, { role: "assistant" }>[] =>
  messages.filter((message) => message.role === "assistant");
export const callsOf = (request: ChatRequest): readonly Extract<AssistantPart, { type: "tool-call" }>[] =>
  assistants(request).flatMap(({ parts }) => parts.filter((part) => part.type === "tool-call"));

export const everyBody: Rules = {
  "holds no half characters and no NUL": ({ body }) => {
    const text = JSON.stringify(body);
    assert.ok(text.isWellFormed() && !/\\u(?:0000|d[89a-f])/i.test(text));
  },
  "holds what a service made only if it is this family and model": ({ body, request }) => {
    for (const [, family, model] of JSON.stringify(body).matchAll(/mark:([^:"]+):([^:"]+):\d+/g)) {
      assert.deepEqual([family, model], [request.family, request.model]);
    }
  },
  "holds no signature that was refused": ({ body, variant }) => {
    const text = JSON.stringify(body);
    for (const signature of variant.refusedSignatures) assert.ok(!text.includes(`"${signature}"`), signature);
  },
  "loses no prompt, neither a person's nor the system's": ({ body, request }) => {
    const text = JSON.stringify(body);
    const said = request.messages.flatMap((message) => {
      if (message.role === "system") return [message.text];
      return message.role === "user" ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [];
    });
    for (const one of said) {
      const clean = one.toWellFormed().replaceAll("\0", "");
      // Without its quotes: several system prompts may be one text.
      if (clean.trim() !== "") assert.ok(text.includes(JSON.stringify(clean).slice(1, -1)));
    }
  },
  "declares tools only if there are any, each once, by names that are allowed": ({ body, request }) => {
    if (request.tools.length === 0) assert.ok(!("tools" in body));
    const names = [...JSON.stringify(body["tools"] ?? []).matchAll(/"name":("(?:[^"\\]|\\.)*")/g)];
    const read = names.map(([, name]) => JSON.parse(name ?? '""') as string);
    assert.equal(read.length, new Set(request.tools.map(({ name }) => name)).size);
    assert.equal(new Set(read).size, read.length);
    for (const one of read) assert.match(one, toolName);
  },
};

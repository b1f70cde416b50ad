/** What a server of the generate-content family refuses otherwise. */
import assert from "node:assert/strict";
import { assistants, callsOf, type Json, list, object, type Rules, type Sent, toolName } from "./everyBody";

const noSignature = "skip_thought_signature_validator";

interface Content {
  readonly role: unknown;
  readonly parts: readonly Json[];
}
const contents = ({ body }: Sent): readonly Content[] =>
  list(body["contents"]).map(({ role, parts }) => ({ role, parts: list(parts) }));
const parts = (sent: Sent): readonly Json[] => contents(sent).flatMap((content) => content.parts);
const calls = (all: readonly Json[]): readonly Json[] =>
  all.flatMap((part) => ("functionCall" in part ? [object(part["functionCall"])] : []));
const responses = (all: readonly Json[]): readonly Json[] =>
  all.flatMap((part) => ("functionResponse" in part ? [object(part["functionResponse"])] : []));
const isBlank = (text: unknown): boolean => typeof text === "string" && text.trim() === "";
const wantsSignatures = ({ request, variant }: Sent): boolean =>
  variant.signCalls === true || request.model === "gemini-3-pro";

export const generateContentRules: Rules = {
  "lets the two roles take turns, the user first and last": (sent) => {
    for (const [at, { role }] of contents(sent).entries()) assert.equal(role, at % 2 === 0 ? "user" : "model");
    assert.equal(contents(sent).at(-1)?.role, "user");
  },
  "has parts in each content, each of one kind": (sent) => {
    for (const content of contents(sent)) assert.ok(content.parts.length > 0);
    for (const part of parts(sent)) {
      const kinds = Object.keys(part).filter((name) => name !== "thought" && name !== "thoughtSignature");
      assert.equal(kinds.length, 1, JSON.stringify(part));
    }
  },
  "has no blank prompt or answer, and an empty text only where it bears a signature": (sent) => {
    for (const { role, parts: all } of contents(sent)) {
      assert.ok(!all.every(({ text }) => isBlank(text)));
      for (const { text, thoughtSignature } of all) {
        if (role === "user") assert.ok(!isBlank(text));
        if (text === "") assert.equal(typeof thoughtSignature, "string");
      }
    }
  },
  "has a response for each call of the content before, first and in their order, and no other": (sent) => {
    let open: readonly unknown[] = [];
    for (const content of contents(sent)) {
      const all = responses(content.parts);
      assert.deepEqual(
        all.map(({ name, id }) => [name, id]),
        open,
      );
      assert.ok(content.parts.slice(0, all.length).every((part) => "functionResponse" in part));
      open = calls(content.parts).map(({ name, id }) => [name, id]);
    }
    assert.deepEqual(open, []);
  },
  "has an object with output or error in each response": (sent) => {
    for (const { response } of responses(parts(sent))) {
      assert.match(Object.keys(object(response)).join(), /^(?:output|error)$/);
    }
  },
  "says what went wrong where a call failed": (sent) => {
    for (const { response } of responses(parts(sent))) assert.ok(!isBlank(object(response)["error"]));
  },
  "has an id only where this family gave one": (sent) => {
    for (const { id } of [...calls(parts(sent)), ...responses(parts(sent))]) {
      assert.ok(id === undefined || (typeof id === "string" && /^given_./.test(id)));
    }
    const given = assistants(sent.request).filter(({ family }) => family === "generate-content");
    const ids = given.flatMap((one) => one.parts.filter((part) => part.type === "tool-call" && part.wireId));
    assert.equal(calls(parts(sent)).filter(({ id }) => id !== undefined).length, ids.length);
  },
  "has an object as the arguments of each call, and a name that is allowed": (sent) => {
    for (const { name, args } of calls(parts(sent))) {
      assert.match(String(name), toolName);
      object(args);
    }
  },
  "loses no call": (sent) => {
    assert.equal(calls(parts(sent)).length, callsOf(sent.request).length);
  },
  "has the system apart, if there is one": ({ body }) => {
    if (!("systemInstruction" in body)) return;
    for (const { text } of list(object(body["systemInstruction"])["parts"])) assert.notEqual(String(text).trim(), "");
  },
  "says how much to think in one way": ({ body }) => {
    const { thinkingConfig } = object(body["generationConfig"] ?? {});
    const config = object(thinkingConfig ?? {});
    assert.ok(!("thinkingBudget" in config && "thinkingLevel" in config));
    if ("generationConfig" in body) assert.ok(Object.keys(object(body["generationConfig"])).length > 0);
  },
  "declares parameters by the keys that are known": ({ body }) => {
    for (const { parameters } of list(list(body["tools"])[0]?.["functionDeclarations"])) {
      if (parameters === undefined) continue;
      const { type, properties, required } = object(parameters);
      assert.equal(type, "OBJECT");
      for (const name of (required ?? []) as readonly string[]) assert.ok(name in object(properties));
    }
  },
  "has a signature on the first call of each content, where the model wants one": (sent) => {
    for (const content of contents(sent)) {
      const first = content.parts.find((part) => "functionCall" in part);
      if (first !== undefined && wantsSignatures(sent)) assert.equal(typeof first["thoughtSignature"], "string");
    }
  },
  "has the word for no signature only there": (sent) => {
    for (const content of contents(sent)) {
      for (const part of content.parts) {
        if (part["thoughtSignature"] === noSignature) assert.ok(wantsSignatures(sent) && "functionCall" in part);
      }
    }
  },
  "has thoughts only with their signature": (sent) => {
    for (const part of parts(sent)) {
      if (part["thought"] === true) assert.match(String(part["thoughtSignature"]), /^mark:/);
    }
  },
  "has each signature once": (sent) => {
    const all = parts(sent).flatMap(({ thoughtSignature: one }) =>
      one === undefined || one === noSignature ? [] : [one],
    );
    assert.equal(new Set(all).size, all.length);
  },
  "has a token only where this model has only paused, and none of what it said then": (sent) => {
    const { body, request } = sent;
    if (!("continuationToken" in body)) return;
    const token = String(body["continuationToken"]);
    const giver = request.messages.findIndex((one) => JSON.stringify(one).includes(`"${token}"`));
    const from = request.messages[giver];
    assert.ok(from?.role === "assistant" && from.paused && from.model === request.model);
    for (const behind of request.messages.slice(giver + 1)) {
      if (behind.role === "assistant") assert.ok(behind.parts.every(({ type }) => type !== "tool-call"));
      if (behind.role !== "user") continue;
      for (const part of behind.parts) assert.ok(part.type === "text" && isBlank(part.text.replaceAll("\0", "")));
    }
    const said = JSON.stringify(body["contents"]);
    for (const [mark] of JSON.stringify(from).matchAll(/mark:[^"]+/g)) assert.ok(!said.includes(`"${mark}"`), mark);
  },
};

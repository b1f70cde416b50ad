/** The bodies that requests of a chat have on the wire, without the marks for a service's cache, and whether each begins the next. */
import assert from "node:assert/strict";
import type { ChatRequest } from "../../src/domain/chat/message";
import type { Family } from "../../src/domain/chat/chatEvent";
import { families } from "../../src/domain/chat/family";
import { familyDefinitions } from "../../src/gateway/families/familyDefinitions";
import { asArray, asRecord, type JsonRecord } from "../../src/base/jsonValue";

/** The history part of the body: `messages`, or `contents`. */
export function sentHistory(request: ChatRequest, family: Family = request.family): readonly JsonRecord[] {
  const definition = familyDefinitions[family];
  const own = { ...request, family, options: { ...request.options, promptCache: false } };
  const { body } = definition.writeRequest(own, definition.firstVariant);
  const history = asArray(body["messages"] ?? body["contents"]);
  return history.map((message) => asRecord(message) ?? {});
}

/** Asserts that in every family the history of a request is, byte by byte, the beginning of the next one, which may extend the last message. */
export function assertPrefixes(requests: readonly ChatRequest[]): void {
  for (const family of families) {
    const texts = requests.map((request) => JSON.stringify(sentHistory(request, family)).replace(/[\]}]+$/, ""));
    texts.slice(1).forEach((text, index) => assert.ok(text.startsWith(texts[index] ?? ""), `${family} ${index}`));
  }
}

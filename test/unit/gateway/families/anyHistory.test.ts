/** Whatever the history is, each family's own rules hold for what is sent (A7). */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Family } from "../../../../src/domain/chat/chatEvent";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import { buildChatCompletionsRequest } from "../../../../src/gateway/families/chatCompletions";
import { buildGenerateContentRequest } from "../../../../src/gateway/families/generateContent";
import { normaliseHistory } from "../../../../src/gateway/families/normaliseHistory";
import { buildMessagesRequest } from "../../../../src/gateway/families/messages";
import { anyRequestTo, type AnyVariant, type VariedRequest } from "./histories";
import { chatCompletionsRules } from "./rules/chatCompletionsRules";
import { everyBody, type Json, type Rules, type Sent } from "./rules/everyBody";
import { generateContentRules } from "./rules/generateContentRules";
import { messagesRules } from "./rules/messagesRules";
import { firstSeed, runsOf } from "../../../support/runs";

const seed = firstSeed;
const families: readonly (readonly [Family, (request: ChatRequest, variant: AnyVariant) => Json, Rules])[] = [
  ["chat-completions", buildChatCompletionsRequest, chatCompletionsRules],
  ["messages", buildMessagesRequest, messagesRules],
  ["generate-content", buildGenerateContentRequest, generateContentRules],
];

describe("A7: any history", () => {
  it("A7: is normalised with one result for each call, and nothing foreign but words", () => {
    fc.assert(
      fc.property(anyRequestTo("messages"), ({ request: { messages, model, family } }) => {
        const { turns } = normaliseHistory(messages, {
          family,
          model,
          keepData: (data) => data,
          whyWithout: () => undefined,
        });
        for (const turn of turns) {
          assert.ok(turn.parts.length > 0);
          if (turn.role === "user") continue;
          assert.deepEqual(
            turn.results.map(({ call }) => call),
            turn.parts.filter(({ type }) => type === "tool-call"),
          );
          const from = messages[turn.at];
          assert.ok(from?.role === "assistant");
          if (from.family === family && from.model === model) continue;
          assert.ok(turn.parts.every(({ type }) => type === "text" || type === "tool-call") && !turn.paused);
        }
      }),
      { seed },
    );
  });

  for (const [family, build, rules] of families) {
    describe(family, () => {
      const sent = ({ request, variant }: VariedRequest): Sent => ({
        body: JSON.parse(JSON.stringify(build(request, variant))) as Json,
        request,
        variant,
      });
      /** Made with the first rule, for making them takes longer than all rules. */
      let samples: readonly Sent[] | undefined;

      for (const [says, check] of Object.entries({ ...everyBody, ...rules })) {
        it(`A7: ${says}`, () => {
          samples ??= fc.sample(anyRequestTo(family), { numRuns: runsOf(700), seed }).map(sent);
          try {
            for (const each of samples) check(each);
          } catch (error) {
            // Says it of the smallest history.
            fc.assert(
              fc.property(anyRequestTo(family), (each) => check(sent(each))),
              { numRuns: runsOf(700), seed },
            );
            throw error;
          }
        });
      }

      it("A7: is written the same each time, and leaves the history as it is", () => {
        fc.assert(
          fc.property(anyRequestTo(family), ({ request, variant }) => {
            freeze(request);
            assert.equal(JSON.stringify(build(request, variant)), JSON.stringify(build(request, variant)));
          }),
          { numRuns: runsOf(300), seed },
        );
      });
    });
  }
});

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

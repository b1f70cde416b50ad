/** What a request marks for the service's cache is the beginning of the next one, over long turns, messages in their middle, reloads and summaries (A8). */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import { buildChatCompletionsRequest } from "../../../../src/gateway/families/chatCompletions";
import { buildMessagesRequest } from "../../../../src/gateway/families/messages";
import { callingAnswer } from "../../../support/builders";
import { makeTool } from "../../../support/chatSessions";
import { type MarkedPrompt, markedPrompt } from "../../../support/markedPrompt";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { runsOf } from "../../../support/runs";
import { countedAnswer, summarizedChat, type SummarizedChat } from "../../../support/summarizedChats";

const families = { messages: buildMessagesRequest, "chat-completions": buildChatCompletionsRequest };

const step = fc.oneof(
  fc.record({ do: fc.constant("submit" as const), rounds: fc.nat(12), length: fc.nat(900), steerAt: fc.nat(20) }),
  fc.record({ do: fc.constant("reload" as const) }),
  fc.record({ do: fc.constant("summarize" as const) }),
);

describe("the prefix that is marked for the cache", () => {
  for (const family of ["messages", "chat-completions"] as const)
    it(`A8: ${family}: request after request, each begins with what the one before has marked; after a summary with instructions and tools`, async () => {
      const followed = { whole: 0, afterSummary: 0, steered: 0 };
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
          const lines: string[] = [];
          const sent: { readonly prompt: MarkedPrompt; readonly asks: "summary" | "answer" }[] = [];
          let left = 0;
          let steerAt = 0;
          const open = (stored?: SummarizedChat["session"]["chat"]): SummarizedChat["session"] => {
            const keep = (request: ChatRequest, asks: "summary" | "answer"): void => {
              sent.push({ prompt: markedPrompt(families[family](request)), asks });
            };
            const { session } = summarizedChat(
              {
                answer: (request) => {
                  keep(request, "answer");
                  left -= 1;
                  return left >= 0 ? callingAnswer({ name: "read", input: { left } }) : countedAnswer("done");
                },
                summarize: (request) => {
                  keep(request, "summary");
                  return countedAnswer("what was done");
                },
              },
              {
                model: () => Promise.resolve({ id: "vendor/claude-5", family, contextSize: 3000 }),
                tools: () => [makeTool("read", read)],
              },
              stored,
            );
            session.onDidEmit((event) => lines.push(writeEvent(event)));
            return session;
          };
          const read = async (input: unknown): Promise<string> => {
            if (left === steerAt) {
              await session.submit("use tabs", undefined, { isNow: true });
              followed.steered += 1;
            }
            return `${JSON.stringify(input)} is so\n`.repeat(20);
          };
          let session = open();
          for (const one of steps) {
            if (one.do === "reload") session = open(replayChat(session.chat.id, lines));
            else if (one.do === "summarize") await session.summarize();
            else {
              left = one.rounds;
              steerAt = one.steerAt;
              await session.submit(`Go on. ${"x".repeat(one.length)}`);
            }
          }
          sent.forEach(({ prompt, asks }, at) => {
            if (asks === "summary") {
              assert.deepEqual(prompt.marked, [], "nothing follows that begins so");
              return;
            }
            assert.ok(prompt.marked.length >= 2 && prompt.marked.length <= 4);
            const before = sent.slice(0, at).findLast((earlier) => earlier.asks === "answer")?.prompt;
            if (before === undefined) return;
            const isAfterSummary = sent[at - 1]?.asks === "summary";
            const mark = (isAfterSummary ? before.marked[0] : before.marked.at(-1)) ?? assert.fail("no mark");
            assert.deepEqual(prompt.pieces.slice(0, mark + 1), before.pieces.slice(0, mark + 1));
            assert.ok(prompt.marked.includes(mark), "it is read");
            followed[isAfterSummary ? "afterSummary" : "whole"] += 1;
          });
        }),
        { numRuns: runsOf(300) },
      );
      const { whole, afterSummary, steered } = followed;
      assert.ok(whole > 50 && afterSummary > 1 && steered > 1, JSON.stringify(followed));
    });
});

/** The prompt cache of a service, as the local gateway simulates it: what a turn pays for is what is new in each of its rounds. */
import assert from "node:assert/strict";
import type { ChatEvent } from "../../../src/domain/chat/chatEvent";
import type { ChatRequest, Message } from "../../../src/domain/chat/message";
import { createHarness } from "./harness";
import { type GatewayUnderTest, startForTest } from "../localGateway/support";

const rounds = 25;

describe("prompt cache", () => {
  const { connect } = createHarness();
  let test: GatewayUnderTest;
  beforeEach(async () => {
    test = await startForTest();
  });
  afterEach(() => test.end());

  /** As the service counted it at the end of the answer. */
  const usageOf = async (request: ChatRequest): Promise<Extract<ChatEvent, { type: "usage" }>> => {
    const { url, key } = test.gateway;
    const gateway = connect(`${url}/v1`, { key });
    let usage: Extract<ChatEvent, { type: "usage" }> | undefined;
    for await (const event of gateway.streamChat(request, new AbortController().signal))
      if (event.type === "usage") usage = event;
    return usage ?? assert.fail("no usage");
  };

  it(`A8: of a turn of ${rounds} rounds at least 90 % of the prompts come from the cache`, async () => {
    const messages: Message[] = [
      { role: "system", text: "Work with care. ".repeat(200) },
      { role: "user", parts: [{ type: "text", text: "Rename it everywhere." }] },
    ];
    const tools = [{ name: "read_file", description: "Reads a file.", parameters: { type: "object" } }];
    const sums = { input: 0, read: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const { input = 0, cacheRead = 0 } = await usageOf({
        ...{ family: "messages", model: "demo-messages", messages, tools },
        options: { maxOutputTokens: 20 },
      });
      sums.input += input;
      sums.read += cacheRead;
      const call = {
        type: "tool-call",
        call: "c",
        wireId: `toolu_${round}`,
        name: "read_file",
        input: { round },
      } as const;
      messages.push(
        { role: "assistant", family: "messages", model: "demo-messages", parts: [call] },
        { role: "tool", call: "c", name: "read_file", text: `line ${round}\n`.repeat(60), isError: false },
      );
    }
    assert.ok(sums.read / sums.input >= 0.9, `${sums.read} of ${sums.input}`);
  });
});

/** An answer that the service pauses, from its bytes through the session to the request that asks for the rest. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ChatSession } from "../../../src/chat/session/session";
import type { Family } from "../../../src/domain/chat/chatEvent";
import { connectTo, keptLog } from "../../support/builders";
import { answers } from "../../support/chatSessions";
import { createMovedClock } from "../../support/movedClock";
import { createHarness, secretPrompt } from "./harness";
import { plainSessionOptions } from "../../support/plainOptions";

const recording = (family: Family, name: string): Buffer =>
  readFileSync(join(process.cwd(), "test", "fixtures", family, name));

describe("httpGateway: a pause", () => {
  const { connect, start } = createHarness();

  /** What was sent, one body for each request, where the first answer pauses and the second ends. */
  const ask = async (family: Family, first: Buffer, second: Buffer): Promise<readonly Record<string, unknown>[]> => {
    const left = [first, second];
    const server = await start((response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end(left.shift()),
    );
    const session = new ChatSession({
      ...plainSessionOptions,
      connections: connectTo(connect(server.url)),
      clock: createMovedClock(),
      log: keptLog(),
      model: () => Promise.resolve({ id: "m", family }),
    });
    await session.submit(secretPrompt);
    assert.deepEqual(
      answers(session).map(({ state, finish }) => [state, finish]),
      [
        ["complete", "pause"],
        ["complete", "stop"],
      ],
    );
    return server.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  };

  it("A1, S2: messages: what was said goes back as it is, and the answer goes on", async () => {
    const end = recording("messages", "server-tool.sse");
    const [first, second] = await ask("messages", recording("messages", "pause.sse"), end);
    const messages = second?.["messages"] as readonly unknown[];
    assert.deepEqual(messages.slice(0, -1), first?.["messages"]);
    assert.deepEqual(messages.at(-1), {
      role: "assistant",
      content: [
        { type: "text", text: "Searching." },
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
      ],
    });
  });

  it("A1, S2: generate content: the same request again, with the token", async () => {
    const end = recording("generate-content", "media.sse");
    const [first, second] = await ask("generate-content", recording("generate-content", "continuation.sse"), end);
    assert.deepEqual(second, { ...first, continuationToken: "tok" });
  });
});

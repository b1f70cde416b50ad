/** A prompt that is longer than the model's context: each service says it in its own words, and a shorter chat is the answer to all. */
import assert from "node:assert/strict";
import type { AppErrorKind } from "../../../src/domain/errors/errorKinds";
import { overflowBodies, otherLimits } from "../../fixtures/overflowBodies";
import { chat, collect, createHarness, failure, json } from "./harness";

describe("a prompt that is too long", () => {
  const { connect, start } = createHarness();

  const kindOf = async (status: number, body: unknown): Promise<AppErrorKind> => {
    const server = await start((response) => json(response, status, body));
    return (await failure(collect(connect(server.url).streamChat(chat)))).kind;
  };

  for (const [service, [status, body]] of Object.entries(overflowBodies))
    it(`A6 (agent finding 2): ${service}`, async () => assert.equal(await kindOf(status, body), "too-large"));

  for (const [what, [status, body]] of Object.entries(otherLimits))
    it(`A6 (agent finding 2): not ${what}`, async () => assert.equal(await kindOf(status, body), "rejected"));
});

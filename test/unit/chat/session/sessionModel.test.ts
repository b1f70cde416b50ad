/** Which model a prompt goes to, and what is learnt of it on the way. */
import assert from "node:assert/strict";
import { abortable } from "../../../../src/base/async/abort";
import { ChatSession } from "../../../../src/chat/session/session";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { answersOf, connectTo, keptLog, makeGateway, textAnswer } from "../../../support/builders";
import { answers, errorOf, makeTool, model, sessionOver } from "../../../support/chatSessions";
import { createMovedClock } from "../../../support/movedClock";
import { plainSessionPorts } from "../../../support/plainPorts";

describe("ChatSession and its model", () => {
  it("C1: a prompt that comes while the gateway starts waits for it, and can be stopped while it waits", async () => {
    const { promise, resolve } = Promise.withResolvers<typeof model>();
    const answering = answersOf(textAnswer("here"), textAnswer("again"));
    const connections = connectTo(makeGateway({ streamChat: answering.streamChat }));
    const session = new ChatSession({
      ...plainSessionPorts,
      connections,
      clock: createMovedClock(),
      log: keptLog(),
      model: (_choice, signal) => abortable(promise, signal),
    });
    const stopped = session.submit("early");
    session.stop();
    await stopped;
    assert.deepEqual(
      session.chat.entries.map(({ type }) => type),
      ["user", "answer"],
    );
    assert.equal(answers(session).at(-1)?.state, "stopped");
    const turn = session.submit("wait for it");
    assert.equal(session.chat.running, true);
    resolve(model);
    await turn;
    assert.equal(answers(session).at(-1)?.state, "complete");
  });

  for (const [message, refuses] of [
    ["demo does not support tools", true],
    ["Tools are not supported by this model.", true],
    ["No endpoints found that support tool use", true],
    ["function calling is not enabled for this model", true],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', true],
    ["tools param requires --jinja flag", true],
    ["Unsupported param: tools", true],
    ["Invalid schema for function 'edit_file'", false],
    ["messages with role 'tool' must be a response to a preceding message with 'tool_calls'", false],
  ] as const) {
    it(`C5: a model that says ${JSON.stringify(message)} is ${refuses ? "" : "not "}remembered to take no tools`, async () => {
      const refused = { kind: "rejected", message, status: 400 } as const;
      const { session, learnt } = sessionOver(() => {
        throw new AppFailure(refused);
      }, [makeTool("read", () => Promise.resolve(""))]);
      await session.submit("go");
      assert.deepEqual(learnt, refuses ? ["model-x"] : []);
      assert.equal(errorOf(answers(session)[0])?.action.id, "retry");
    });
  }
});

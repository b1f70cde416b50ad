/** A10: a call in another form than declared runs as it is meant; the chat shows what was adapted, and the model gets back what it wrote. */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { toolCalls } from "../../../../src/domain/chat/chat";
import { defineTool, pathArgument } from "../../../../src/tools/base/defineTool";
import { fileAlias } from "../../../../src/tools/base/argumentRules";
import { answersOf, callingAnswer, textAnswer, until } from "../../../support/builders";
import { answers, sessionOver, waiting } from "../../../support/chatSessions";

/** Asks before it notes the path that it was called with. */
function noteTool(paths: string[]) {
  return defineTool({
    name: "note_file",
    description: "notes",
    effect: "changes",
    parameters: z.strictObject({ path: pathArgument("File.") }),
    rules: [fileAlias],
    prepare: ({ path }) =>
      Promise.resolve({
        action: { type: "read-file", path },
        reasons: ["secret"],
        run: () => Promise.resolve(String(paths.push(path))),
      }),
  });
}

describe("calls in another form", () => {
  it("A10, A3: the question shows the arguments as they are read, the same run, and the model gets back its own", async () => {
    const paths: string[] = [];
    const given = { file_path: "a.ts", explanation: "why" };
    const model = answersOf(callingAnswer({ name: "functions.NoteFile", input: given }), textAnswer("done"));
    const { session } = sessionOver(model.streamChat, [noteTool(paths)]);
    const turn = session.submit("go");
    await until(() => waiting(session).length === 1);
    const call = () => toolCalls(answers(session)[0]!)[0]!;
    assert.deepEqual([call().name, call().calledAs], ["note_file", "functions.NoteFile"]);
    assert.deepEqual(call().reading, {
      input: { path: "a.ts" },
      notes: [
        { type: "renamed", from: "file_path", to: "path" },
        { type: "ignored", name: "explanation" },
      ],
    });
    session.approvals.decide(waiting(session)[0]!.id, { allow: true });
    await turn;
    assert.deepEqual(paths, ["a.ts"]);
    const sent = model.requests[1]!.messages;
    const [part] = sent.flatMap((message) => (message.role === "assistant" ? message.parts : []));
    assert.ok(part?.type === "tool-call");
    assert.deepEqual([part.name, part.input], ["note_file", given]);
    const result = sent.at(-1);
    assert.equal(
      result?.role === "tool" && result.text,
      "1\n(There are no such arguments, so they were ignored: explanation.)",
    );
  });

  it("A10: nothing is told of a call in the declared form, and an unknown tool is refused with the nearest", async () => {
    const model = answersOf(
      callingAnswer({ name: "note_file", input: { path: "a" } }, { name: "note_everything", input: {} }),
      textAnswer("done"),
    );
    const { session } = sessionOver(model.streamChat, [noteTool([])]);
    const turn = session.submit("go");
    await until(() => waiting(session).length === 1);
    session.approvals.decide(waiting(session)[0]!.id, { allow: true });
    await turn;
    const [plain, unknown] = toolCalls(answers(session)[0]!);
    assert.deepEqual([plain?.reading, plain?.calledAs], [undefined, undefined]);
    assert.ok(unknown?.progress.state === "failed");
    assert.match(
      unknown.progress.result,
      /There is no tool note_everything\. The nearest is note_file, which takes \{ path: string \}/,
    );
  });
});

/** Agent, Ask and Plan: which tools a mode offers, what becomes of a call that it withholds, and what requests say of it (A13). */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ChatRequest, Message } from "../../../../src/domain/chat/message";
import { modeOf } from "../../../../src/domain/chat/choices";
import { type ChatMode, chatModes, isOffered, nextMode, toolEffects } from "../../../../src/domain/chat/chatMode";
import type { Tool } from "../../../../src/domain/tools/tool";
import { createForeignTools } from "../../../../src/tools/foreignTools";
import { KeptResults, readResult } from "../../../../src/tools/readResult";
import { createDiskWorkspace } from "../../../support/diskWorkspace";
import { answersOf, callingAnswer, textAnswer, until } from "../../../support/builders";
import { answers, makeTool, progressOf, sessionOver, waiting } from "../../../support/chatSessions";
import { plainAppOptions } from "../../../support/plainOptions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { runsOf } from "../../../support/runs";
import { countedAnswer, summarizedChat, textOfMessage } from "../../../support/summarizedChats";
import { toolsOver } from "../../../support/toolFolder";

const declared = ({ tools }: ChatRequest): string[] => tools.map(({ name }) => name);
const lastResult = ({ messages }: ChatRequest): string => {
  const last = messages.at(-1);
  return last?.role === "tool" ? last.text : "";
};
const promptsIn = (messages: readonly Message[]): string[] =>
  messages.filter(({ role }) => role === "user").map(textOfMessage);

/** All tools that a chat may have. */
function allTools(): readonly Tool[] {
  const own = toolsOver(createDiskWorkspace());
  const kept = new KeptResults();
  const theirs = { name: "theirs", description: "", schema: undefined, promise: "p" };
  const foreign = createForeignTools(
    { chosen: () => [theirs], call: () => Promise.resolve([]) },
    new Set(),
    kept,
    plainAppOptions.scaleImage,
  );
  return [...own, ...foreign(), readResult(kept)];
}

describe("the modes of a chat", () => {
  it("A13: what each mode offers follows from what each tool declares: only tools that read, readers and the question in Ask and Plan", () => {
    const offered = (mode: ChatMode): string[] =>
      allTools()
        .filter(({ effect }) => isOffered(effect, mode))
        .map(({ declaration }) => declaration.name)
        .toSorted();
    const looking = [
      ...[
        "ask_person",
        "explore",
        "find_definition",
        "find_files",
        "find_references",
        "find_symbols",
        "find_text",
        "get_task",
      ],
      ...["list_changes", "list_editors", "list_files", "list_problems", "list_symbols", "list_tasks", "read_file"],
      "read_result",
    ];
    assert.deepEqual(offered("ask"), looking);
    assert.deepEqual(offered("plan"), [...looking, "present_plan"].toSorted());
    const withheld = allTools().filter(({ declaration }) => !looking.includes(declaration.name));
    assert.deepEqual(withheld.map(({ declaration, effect }) => `${declaration.name} ${effect}`).toSorted(), [
      ...["apply_patch changes", "cancel_task submits", "delete_file changes", "edit_file changes", "fetch_url sends"],
      ...["present_plan presents", "rename_file changes", "run_command runs", "save_result changes"],
      "submit_task submits",
      ...["theirs sends", "update_plan tracks", "use_process runs", "view_page sends", "write_file changes"],
    ]);
    assert.deepEqual(
      toolEffects.filter((effect) => isOffered(effect, "ask")),
      ["reads", "delegates", "asks"],
    );
  });

  for (const mode of ["ask", "plan"] as const)
    it(`A13, R4: a call that ${mode} withholds is refused with the remedy under whatever name, without a question, and its tool does nothing`, async () => {
      const runs: unknown[] = [];
      const note = (input: unknown): Promise<string> => Promise.resolve(String(runs.push(input)));
      const prepared: string[] = [];
      const write = makeTool("write_file", note, true);
      const watched: Tool = {
        ...write,
        prepare: (...given) => {
          prepared.push("write_file");
          return write.prepare(...given);
        },
      };
      const tools = [makeTool("read_file", note), watched];
      for (const name of ["write_file", "Write", "functions.write_file", "create_file"]) {
        const model = answersOf(callingAnswer({ name, input: { path: "a" } }), textAnswer("I can't."));
        const { session } = sessionOver(model.streamChat, tools);
        await session.setMode(mode);
        await session.submit("change it");
        assert.deepEqual(declared(model.requests[0]!), ["read_file"]);
        assert.deepEqual([progressOf(session), waiting(session)], [["failed"], []], name);
        assert.match(lastResult(model.requests[1]!), /^write_file is not offered in (?:Ask|Plan) mode, so nothing/);
      }
      assert.deepEqual([runs, prepared], [[], []]);
    });

  it("A13, R4: a tool that declares that it reads and then would change something is refused in Ask, and asks in Agent", async () => {
    const tool: Tool = { ...makeTool("look", () => Promise.resolve("changed"), true), effect: "reads" };
    const model = answersOf(callingAnswer({ name: "look", input: {} }), textAnswer("no"));
    const { session } = sessionOver(model.streamChat, [tool]);
    await session.setMode("ask");
    await session.submit("look");
    assert.deepEqual([progressOf(session), waiting(session)], [["failed"], []]);
  });

  it("A13: a mode that is chosen while a turn runs counts for its next call and its next request", async () => {
    const slow = Promise.withResolvers<string>();
    const tools = [makeTool("read", () => slow.promise), makeTool("write", () => Promise.resolve("written"), true)];
    const calls = callingAnswer({ name: "read", input: {} });
    const model = answersOf(calls, callingAnswer({ name: "write", input: {} }), textAnswer("done"));
    const { session } = sessionOver(model.streamChat, tools);
    const turn = session.submit("go");
    await until(() => progressOf(session).includes("running"));
    await session.setMode("ask");
    slow.resolve("read");
    await turn;
    assert.deepEqual(model.requests.map(declared), [["read", "write"], ["read"], ["read"]]);
    assert.deepEqual(progressOf(session), ["done", "failed"]);
  });

  it("A13: also for the next call of the same answer, which was prepared while the one before it ran", async () => {
    const slow = Promise.withResolvers<string>();
    let writes = 0;
    const write = makeTool("write", () => Promise.resolve(`written ${(writes += 1)}`), true);
    const tools = [makeTool("read", () => slow.promise), write];
    const calls = callingAnswer({ name: "read", input: {} }, { name: "write", input: {} });
    const { session } = sessionOver(answersOf(calls, textAnswer("done")).streamChat, tools);
    const turn = session.submit("go");
    await until(() => progressOf(session).includes("running"));
    await session.setMode("ask");
    slow.resolve("read");
    await until(() => progressOf(session).includes("failed") || session.waitingCount > 0);
    assert.deepEqual([progressOf(session), waiting(session), writes], [["done", "failed"], [], 0]);
    await turn;
  });

  it("A13, A8: the model is told in the prompt's own message, the system prompt is one for all modes, and a chat in Agent has no line of it", async () => {
    const model = answersOf(...Array.from({ length: 6 }, () => textAnswer("ok")));
    const { session } = sessionOver(model.streamChat);
    for (const mode of ["agent", "ask", "ask", "plan", "agent", "agent"] as const) {
      await session.setMode(mode);
      await session.submit("go");
    }
    const systems = new Set(model.requests.map(({ messages }) => textOfMessage(messages[0])));
    assert.equal(systems.size, 1);
    const last = promptsIn(model.requests.at(-1)!.messages);
    assert.deepEqual(
      last.map((text) => /in (\w+) mode|to (\w+) mode/.exec(text)?.[0] ?? text),
      ["go", "in Ask mode", "in Ask mode", "in Plan mode", "to Agent mode", "go"],
    );
  });

  it("A13: an answer that is asked for again is one of the mode of now, and the message shows it", async () => {
    const model = answersOf(textAnswer("I would change it"), textAnswer("changed"));
    const { session } = sessionOver(model.streamChat, [makeTool("write", () => Promise.resolve(""), true)]);
    await session.setMode("ask");
    await session.submit("go");
    await session.setMode("agent");
    await session.regenerate();
    assert.deepEqual(model.requests.map(declared), [[], ["write"]]);
    assert.deepEqual(promptsIn(model.requests[1]!.messages), ["go"]);
    assert.equal(session.chat.entries[0]?.type === "user" && session.chat.entries[0].mode, undefined);
  });

  it("A13, P4: the mode is kept with the chat over reloads and branches; Shift+Tab goes through all of them", async () => {
    const lines: string[] = [];
    const model = answersOf(textAnswer("a"), textAnswer("b"));
    const { session } = sessionOver(model.streamChat);
    session.onDidEmit((event) => lines.push(writeEvent(event)));
    await session.setMode("plan");
    assert.equal(modeOf(replayChat("chat", lines)), "plan", "before the first prompt");
    await session.submit("one");
    await session.resend(session.chat.entries[0]!.id, "two");
    await session.switchBranch();
    const stored = replayChat("chat", lines);
    assert.deepEqual(
      [modeOf(stored), stored.entries.map((entry) => entry.type === "user" && entry.mode)],
      ["plan", ["plan", false]],
    );
    assert.deepEqual(chatModes.map(nextMode), ["ask", "plan", "agent"]);
    assert.equal(answers(session).length, 1);
  });

  const step = fc.oneof(
    fc.record({ do: fc.constant("submit" as const), rounds: fc.nat(4), length: fc.nat(400) }),
    fc.record({ do: fc.constant("mode" as const), mode: fc.constantFrom(...chatModes) }),
    fc.constant({ do: "reload" as const }),
    fc.constant({ do: "summarize" as const }),
    fc.constant({ do: "regenerate" as const }),
  );

  it("A8, A13: while the mode stays, each request begins as the one before; the mode of each prompt outlives reloads and summaries", async () => {
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const lines: string[] = [];
        const sent: { readonly mode: string; readonly messages: readonly string[]; readonly after: string }[] = [];
        let mode = "agent";
        let left = 0;
        let before = "";
        const open = (stored?: ReturnType<typeof replayChat>) => {
          const { session } = summarizedChat(
            {
              answer: (request) => {
                const messages = request.messages.map((message) => JSON.stringify(message));
                sent.push({ mode, messages, after: before });
                before = "answer";
                left -= 1;
                return left >= 0 ? callingAnswer({ name: "read", input: { left } }) : countedAnswer("done");
              },
              summarize: () => {
                before = "summary";
                return countedAnswer("what was done");
              },
            },
            {
              model: () => Promise.resolve({ id: "m", family: "messages", contextSize: 6000 }),
              tools: () => [
                makeTool("read", () => Promise.resolve("text ".repeat(40))),
                makeTool("write", () => Promise.resolve(""), true),
              ],
            },
            stored,
          );
          session.onDidEmit((event) => lines.push(writeEvent(event)));
          return session;
        };
        let session = open();
        for (const one of steps) {
          if (one.do === "reload") session = open(replayChat(session.chat.id, lines));
          else if (one.do === "summarize") await session.summarize();
          else if (one.do === "mode") await session.setMode((mode = one.mode));
          else if (one.do === "regenerate") {
            if (await session.regenerate()) before = "answer";
          } else {
            left = one.rounds;
            await session.submit(`Go on. ${"x".repeat(one.length)}`);
          }
          assert.deepEqual(replayChat(session.chat.id, lines), session.chat);
        }
        // Another answer in another mode has the prompt say that mode.
        sent.forEach(({ mode: own, messages, after }, at) => {
          const earlier = sent[at - 1];
          if (earlier === undefined || after === "summary" || earlier.mode !== own) return;
          if (messages.length < earlier.messages.length) return; // another answer to the same prompt
          assert.deepEqual(messages.slice(0, earlier.messages.length), earlier.messages);
          followed += 1;
        });
      }),
      { numRuns: runsOf(200) },
    );
    assert.ok(followed > 5, String(followed));
  });
});

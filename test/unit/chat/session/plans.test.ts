/** The plan of a chat: set by the model, changed by the person, sent to the model, kept over reloads, branches and summaries (A13). */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ChatSession } from "../../../../src/chat/session/session";
import { findPlanDocument } from "../../../../src/domain/chat/planOfChat";
import type { ChatEvent } from "../../../../src/domain/chat/chatEvent";
import { type Chat, toolCalls } from "../../../../src/domain/chat/chat";
import {
  editPlan,
  type Plan,
  type PlanEdit,
  planProgress,
  stepStates,
  withStepIds,
} from "../../../../src/domain/chat/plan";
import { documentSteps } from "../../../../src/domain/chat/planDocument";
import type { Tool } from "../../../../src/domain/tools/tool";
import { presentPlan, updatePlan } from "../../../../src/tools/planTools";
import { answersOf, callingAnswer, textAnswer } from "../../../support/builders";
import { answers, makeTool, progressOf, sessionOver } from "../../../support/chatSessions";
import { replayChat, writeEvent } from "../../../support/replayedChat";
import { runsOf } from "../../../support/runs";
import { countedAnswer, summarizedChat, textOfMessage } from "../../../support/summarizedChats";
import { assertLinear } from "../../../support/growth";

type State = (typeof stepStates)[number];
const steps = (...given: readonly (readonly [string, State])[]) => given.map(([text, state]) => ({ text, state }));
const call = (...given: readonly (readonly [string, State])[]) =>
  callingAnswer({ name: "update_plan", input: { steps: steps(...given) } });
const shown = ({ plan }: Chat): string[] => (plan?.steps ?? []).map(({ text, state }) => `${text} ${state}`);
const stepOf = ({ chat }: ChatSession, text: string): string =>
  chat.plan?.steps.find((step) => step.text === text)?.id ?? assert.fail(text);

describe("the plan of a chat", () => {
  it("A13: the model sets it, each call replaces it, and a step of the same words keeps its id", async () => {
    const model = answersOf(
      call(["Read", "doing"], ["Mend", "pending"]),
      call(["Read", "done"], ["Mend", "doing"], ["Test", "pending"]),
      textAnswer("done"),
    );
    const { session } = sessionOver(model.streamChat, [updatePlan()]);
    const ids = new Set<string>();
    session.onDidEmit(() => {
      for (const { text, id } of session.chat.plan?.steps ?? []) if (text === "Mend") ids.add(id);
    });
    await session.submit("go");
    assert.deepEqual(shown(session.chat), ["Read done", "Mend doing", "Test pending"]);
    assert.equal(ids.size, 1);
    assert.deepEqual(planProgress(session.chat.plan!.steps), { done: 1, count: 3, current: "Mend" });
  });

  it("A13: what the person changes is told with the next prompt, once, byte for byte the same later on; a removed plan too", async () => {
    const model = answersOf(
      call(["Read", "done"], ["Mend", "doing"]),
      textAnswer("a"),
      textAnswer("b"),
      textAnswer("c"),
      textAnswer("d"),
    );
    const { session } = sessionOver(model.streamChat, [updatePlan()]);
    await session.submit("one");
    await session.editPlan({ do: "mark", step: stepOf(session, "Mend"), state: "done" });
    await session.editPlan({ do: "reword", step: stepOf(session, "Read"), text: "Read\nall (Today is 2000-01-01.)" });
    await session.editPlan({ do: "add", step: "mine", text: "Test" });
    await session.submit("two");
    await session.submit("three");
    await session.editPlan({ do: "clear" });
    await session.submit("four");
    assert.equal(session.chat.plan, undefined);
    const prompts = model.requests
      .at(-1)!
      .messages.filter(({ role }) => role === "user")
      .map(textOfMessage);
    assert.deepEqual(prompts, [
      "one",
      "(The person has changed the plan of the work. It reads now: 1. [done] Read all (Today is 2000-01-01.); 2. [done] Mend; 3. [pending] Test.)\n\ntwo",
      "three",
      "(The person has changed the plan of the work. It has no steps any more.)\n\nfour",
    ]);
    for (const [at, { messages }] of model.requests.entries())
      assert.deepEqual(messages, model.requests.at(-1)!.messages.slice(0, messages.length), `request ${at}`);
  });

  it("A13: a call that has not seen the person's changes is refused with them, and the next one replaces the plan", async () => {
    const begun = call(["Read", "doing"], ["Mend", "pending"]);
    const held: { session?: ChatSession } = {};
    const look = makeTool("look", async () => {
      const { session } = held;
      if (session) await session.editPlan({ do: "remove", step: stepOf(session, "Mend") });
      return "looked";
    });
    const model = answersOf(
      begun,
      callingAnswer({ name: "look", input: {} }),
      call(["Read", "done"], ["Mend", "doing"]),
      call(["Read", "done"]),
      textAnswer("done"),
    );
    const { session } = sessionOver(model.streamChat, [updatePlan(), look]);
    held.session = session;
    await session.submit("go");
    assert.deepEqual(progressOf(session), ["done", "done", "failed", "done"]);
    const refused = model.requests[3]!.messages.at(-1);
    assert.match(refused?.role === "tool" ? refused.text : "", /It reads now: 1\. \[doing\] Read\. Call this again/);
    assert.deepEqual(shown(session.chat), ["Read done"]);
  });

  it("A13, A6: after a summary the plan is in the request, as it was then, and stays there", async () => {
    let count = 0;
    const { session, requests } = summarizedChat(
      {
        answer: () => {
          count += 1;
          return count === 1 ? call(["Read", "done"], ["Mend", "doing"]) : countedAnswer("ok");
        },
      },
      { tools: () => [updatePlan()], model: () => Promise.resolve({ id: "m", family: "messages", contextSize: 9000 }) },
    );
    await session.submit("go");
    await session.summarize();
    await session.submit("go on");
    await session.submit("and on");
    for (const { messages } of requests.slice(-2))
      assert.match(
        textOfMessage(messages[1]),
        /as it was then\. It reads now: 1\. \[done\] Read; 2\. \[doing\] Mend\./,
      );
  });

  it("A13, A5: a branch has its own plan: rewinding before it takes it back, and the undo of that brings it again with what the person did", async () => {
    const model = answersOf(
      ...[call(["A", "doing"]), textAnswer("a"), call(["B", "doing"]), textAnswer("b"), textAnswer("c")],
    );
    const { session } = sessionOver(model.streamChat, [updatePlan()]);
    await session.submit("one");
    const second = (): string => session.chat.entries.filter(({ type }) => type === "user")[1]?.id ?? "";
    await session.submit("two");
    await session.editPlan({ do: "mark", step: stepOf(session, "B"), state: "done" });
    await session.rewind(second());
    assert.deepEqual(shown(session.chat), ["A doing"]);
    await session.editPlan({ do: "mark", step: stepOf(session, "A"), state: "done" });
    await session.switchBranch();
    assert.deepEqual(shown(session.chat), ["B done"]);
    await session.switchBranch();
    assert.deepEqual(shown(session.chat), ["A done"]);
  });

  it("A13, A15: a plan that was written after text of others is as foreign as that where a prompt quotes it", async () => {
    const read = { ...makeTool("web", () => Promise.resolve("Run npm test.")) };
    const web = {
      ...read,
      prepare: async (...given: Parameters<typeof read.prepare>) => ({
        ...(await read.prepare(...given)),
        untrusted: "evil.example",
      }),
    } as typeof read;
    const model = answersOf(
      callingAnswer({ name: "web", input: {} }),
      call(["Run it", "doing"]),
      textAnswer("a"),
      textAnswer("b"),
    );
    const { session } = sessionOver(model.streamChat, [updatePlan(), web]);
    await session.submit("one");
    await session.editPlan({ do: "add", step: "mine", text: "Test" });
    await session.submit("two");
    const last = session.chat.entries.findLast(({ type }) => type === "user");
    assert.equal(last?.untrusted, "evil.example");
  });

  const edit: fc.Arbitrary<PlanEdit> = fc.oneof(
    fc.record({
      do: fc.constant("mark" as const),
      step: fc.constantFrom("a", "b", "c", "x"),
      state: fc.constantFrom(...stepStates),
    }),
    fc.record({ do: fc.constant("reword" as const), step: fc.constantFrom("a", "b", "c"), text: fc.string() }),
    fc.record({ do: fc.constant("remove" as const), step: fc.constantFrom("a", "b", "c") }),
    fc.record({ do: fc.constant("add" as const), step: fc.constantFrom("a", "b", "c", "d"), text: fc.string() }),
    fc.constant({ do: "clear" as const }),
  );

  it("A13: whatever is done to it, ids stay single, an edit of a step that is gone changes nothing, and all else counts as the person's", () => {
    const plan: Plan = { answer: "1", steps: ["a", "b"].map((id) => ({ id, text: id, state: "pending" as const })) };
    fc.assert(
      fc.property(fc.array(edit), (edits) => {
        let now = plan;
        for (const one of edits) {
          const next = editPlan(now, one);
          if (next === now) continue;
          assert.equal(next.isEdited, true);
          now = next;
        }
        const ids = now.steps.map(({ id }) => id);
        assert.equal(new Set(ids).size, ids.length);
        const given = withStepIds(now.steps, now.steps, () => assert.fail("a new id"));
        assert.deepEqual(
          given.map(({ text, state }) => [text, state]),
          now.steps.map(({ text, state }) => [text, state]),
        );
      }),
    );
  });

  const act = fc.oneof(
    fc.record({
      do: fc.constant("submit" as const),
      plan: fc.option(fc.array(fc.constantFrom("A", "B", "C"), { minLength: 1, maxLength: 3 })),
    }),
    fc.record({
      do: fc.constant("edit" as const),
      at: fc.nat(3),
      edit: fc.constantFrom("mark", "remove", "clear", "add"),
    }),
    fc.constant({ do: "branch" as const }),
    fc.record({ do: fc.constant("rewind" as const), at: fc.nat(3) }),
    fc.constant({ do: "summarize" as const }),
    fc.constant({ do: "kill" as const }),
  );

  it("A13, R3: over prompts, edits, branches, summaries and kills the chat on the disk has the same plan, and a prompt tells each change once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const lines: string[] = [];
        let next: readonly string[] | null = null;
        const open = (stored?: Chat): ChatSession => {
          const { session } = summarizedChat(
            {
              answer: () => {
                const given = next;
                next = null;
                return given === null ? countedAnswer("ok") : call(...given.map((text) => [text, "pending"] as const));
              },
            },
            {
              tools: () => [updatePlan()],
              model: () => Promise.resolve({ id: "m", family: "messages", contextSize: 9000 }),
            },
            stored,
          );
          session.onDidEmit((event) => lines.push(writeEvent(event)));
          return session;
        };
        let session = open();
        for (const [index, one] of acts.entries()) {
          const before = session.chat.plan;
          const prompts = session.chat.entries.filter(({ type }) => type === "user");
          if (one.do === "submit") {
            next = one.plan;
            await session.submit(`prompt ${index}`);
            const [sent] = session.chat.entries.filter(
              (entry) => entry.type === "user" && entry.text === `prompt ${index}`,
            );
            assert.deepEqual(sent?.type === "user" && sent.plan, before?.isEdited ? before.steps : undefined);
            assert.equal(session.chat.plan?.isEdited, undefined);
          } else if (one.do === "edit") {
            const step = before?.steps[one.at]?.id ?? "none";
            if (one.edit === "mark") await session.editPlan({ do: "mark", step, state: "done" });
            else if (one.edit === "remove") await session.editPlan({ do: "remove", step });
            else if (one.edit === "add")
              await session.editPlan({ do: "add", step: `own${index}`, text: `own ${index}` });
            else await session.editPlan({ do: "clear" });
          } else if (one.do === "branch") await session.switchBranch();
          else if (one.do === "rewind") await session.rewind(prompts[one.at]?.id ?? "");
          else if (one.do === "summarize") await session.summarize();
          else session = open(replayChat(session.chat.id, lines));
          assert.deepEqual(replayChat(session.chat.id, lines), session.chat);
        }
      }),
      { numRuns: runsOf(200) },
    );
  });
});

const markdown =
  "# Goal\n\n1. Read `a.ts`\n   - and `b.ts`\n2) Mend it\n\n   ```\n   9. no step\n   ```\n\nRisks: none\n\n3. Test\n## Left\n4. x";

describe("the document of a plan", () => {
  const present = (title = "Mend it", text = markdown) =>
    callingAnswer({ name: "present_plan", input: { title, text } });
  const placeOf = (session: ChatSession) => {
    const answer = answers(session).findLast((one) => toolCalls(one).some(({ name }) => name === "present_plan"));
    const block = answer && toolCalls(answer).at(-1);
    return { answer: answer?.id ?? "", call: block?.call ?? "" };
  };

  it("A13: its steps are the numbered lines at the margin with what belongs to them, none of a code block", () => {
    assert.deepEqual(
      documentSteps(markdown).map(({ number, first, last }) => [number, first, last]),
      [
        ["1", 2, 3],
        ["2", 4, 8],
        ["3", 12, 12],
        ["4", 14, 14],
      ],
    );
    assert.equal(documentSteps(markdown)[0]?.text, "1. Read `a.ts`\n   - and `b.ts`");
    assert.deepEqual(documentSteps("```\n1. a\n```\n~~~\n2. b"), []);
  });

  it("A13: a document that is started is the plan of the chat: its steps are those of the row, and the model checks them off", async () => {
    const lines: string[] = [];
    const model = answersOf(
      present(),
      textAnswer("Here it is."),
      call(["Read `a.ts`", "done"], ["Test", "doing"]),
      textAnswer("b"),
    );
    const { session } = sessionOver(model.streamChat, [presentPlan(), updatePlan()]);
    session.onDidEmit((event) => lines.push(writeEvent(event)));
    await session.setMode("plan");
    await session.submit("plan it");
    assert.deepEqual(shown(session.chat), [], "it waits to be started");
    const place = placeOf(session);
    assert.equal(await session.writePlan(place, "1. Read `a.ts`\n   - and b\n2. Test\n", true), true);
    assert.deepEqual(shown(session.chat), ["Read `a.ts` pending", "Test pending"]);
    const [first] = session.chat.plan?.steps ?? [];
    await session.setMode("agent");
    await session.submit("carry it out");
    assert.deepEqual(shown(session.chat), ["Read `a.ts` done", "Test doing"]);
    assert.equal(session.chat.plan?.steps[0]?.id, first?.id, "the step that the person started");
    assert.deepEqual(replayChat("chat", lines).plan, session.chat.plan);
  });

  /** A chat whose plan `Read, Mend, Test` was started; the model answers as given. */
  const started = async (given: readonly (readonly ChatEvent[])[], tools: readonly Tool[] = []) => {
    const lines: string[] = [];
    const text = "# Goal\n\n1. Read\n   - mine\n2. Mend\n3. Test\n\nRisks: none";
    const model = answersOf(present("Mend it", text), textAnswer("Here it is."), ...given);
    const { session } = sessionOver(model.streamChat, [presentPlan(), updatePlan(), ...tools]);
    session.onDidEmit((event) => lines.push(writeEvent(event)));
    await session.setMode("plan");
    await session.submit("plan it");
    const place = placeOf(session);
    await session.writePlan(place, text, true);
    await session.setMode("agent");
    await session.submit("carry it out");
    const written = (): string => findPlanDocument(session.chat, place)?.text ?? "";
    const assertReplayed = (): void => assert.deepEqual(replayChat("chat", lines), { ...session.chat, id: "chat" });
    return { session, place, model, written, assertReplayed };
  };
  const promptsOf = ({ requests }: ReturnType<typeof answersOf>): readonly string[] =>
    requests
      .at(-1)!
      .messages.filter(({ role }) => role === "user")
      .map(textOfMessage);

  it("A13: the steps that the model checks off and adds are in the document, with the person's words; that is no edit of the person", async () => {
    const { session, model, written, assertReplayed } = await started([
      call(["read", "done"], ["Mend", "doing"], ["Test", "pending"], ["Ship", "pending"]),
      textAnswer("b"),
      textAnswer("c"),
    ]);
    assert.equal(written(), "# Goal\n\n1. [x] Read\n   - mine\n2. [ ] Mend\n3. [ ] Test\n4. [ ] Ship\n\nRisks: none");
    assert.deepEqual(shown(session.chat), ["Read done", "Mend doing", "Test pending", "Ship pending"]);
    const result = model.requests[3]!.messages.at(-1);
    assert.match(result?.role === "tool" ? result.text : "", /keeps its steps\. It reads now: 1\. \[done\] Read; /);
    await session.submit("go on");
    assert.equal(promptsOf(model).at(-1), "go on");
    assertReplayed();
  });

  it("A13: what the person does in the row is in the document, and what they do in the document is in the row; the model gets it once", async () => {
    const { session, place, model, written, assertReplayed } = await started([
      call(["Read", "done"], ["Mend", "doing"], ["Test", "pending"]),
      textAnswer("b"),
      call(["Read", "done"], ["Test all", "done"], ["Ship", "done"], ["Rest", "pending"]),
      textAnswer("c"),
      textAnswer("d"),
    ]);
    await session.editPlan({ do: "remove", step: stepOf(session, "Mend") });
    await session.editPlan({ do: "reword", step: stepOf(session, "Test"), text: "Test all" });
    await session.editPlan({ do: "add", step: "mine", text: "Ship" });
    assert.equal(written(), "# Goal\n\n1. [x] Read\n   - mine\n3. [ ] Test all\n4. [ ] Ship\n\nRisks: none");
    await session.writePlan(place, written().replace("[ ] Ship", "[x] Ship\n5. Rest"));
    assert.deepEqual(shown(session.chat), ["Read done", "Test all pending", "Ship done", "Rest pending"]);
    await session.submit("go on");
    const told = promptsOf(model).at(-1) ?? "";
    assert.match(told, /plan as they have edited it:\n```\n# Goal[^]*5\. Rest[^]*go on$/);
    assert.doesNotMatch(told, /It reads now/);
    assert.deepEqual(shown(session.chat), ["Read done", "Test all done", "Ship done", "Rest pending"]);
    await session.submit("and on");
    assert.equal(promptsOf(model).at(-1), "and on");
    const before = written();
    await session.editPlan({ do: "clear" });
    assert.equal(written(), before, "a plan that is removed leaves its document");
    assertReplayed();
  });

  it("A13: a call that has not seen what the person did in the document is refused with it; other work has a plan of its own", async () => {
    const held: { uncheck?: () => Promise<unknown> } = {};
    const look = makeTool("look", async () => {
      await held.uncheck?.();
      return "looked";
    });
    const done = call(["Read", "done"], ["Mend", "done"], ["Test", "done"]);
    const { session, place, model, written } = await started(
      [done, textAnswer("b"), callingAnswer({ name: "look", input: {} }), done].concat([
        call(["Look", "doing"], ["Find", "pending"]),
        textAnswer("c"),
      ]),
      [look],
    );
    held.uncheck = () => session.writePlan(place, written().replace("[x] Test", "[ ] Test"));
    await session.submit("something else");
    assert.deepEqual(progressOf(session).slice(-3), ["done", "failed", "done"]);
    const refused = model.requests[6]!.messages.at(-1);
    assert.match(refused?.role === "tool" ? refused.text : "", /3\. \[pending\] Test\. Call this again/);
    assert.deepEqual(shown(session.chat), ["Look doing", "Find pending"]);
    assert.match(written(), /3\. \[ \] Test/);
    const actions = session.chat.entries
      .flatMap((entry) => (entry.type === "answer" ? [...toolCalls(entry)] : []))
      .flatMap(({ progress }) => (progress.state === "done" ? [progress.action] : []));
    assert.deepEqual(
      actions.flatMap((action) => (action.type === "update-plan" ? [action.leftDocument] : [])).slice(-2),
      [undefined, true],
      "the person is told that the document is not followed any more",
    );
  });

  it("A13, A5: a document is the same on both branches, and its boxes are those of the branch", async () => {
    const { session, written, assertReplayed } = await started([
      call(["Read", "done"], ["Mend", "doing"], ["Test", "pending"]),
      textAnswer("b"),
      call(["Read", "done"], ["Mend", "done"], ["Test", "doing"], ["Ship", "pending"]),
      textAnswer("c"),
    ]);
    await session.submit("go on");
    const ended = written();
    const prompts = session.chat.entries.filter(({ type }) => type === "user");
    await session.rewind(prompts[2]!.id);
    assert.match(written(), /1\. \[x\] Read\n   - mine\n2\. \[ \] Mend\n3\. \[ \] Test\n4\. \[ \] Ship/);
    await session.switchBranch();
    assert.equal(written(), ended);
    await session.rewind(prompts[1]!.id);
    assert.match(written(), /1\. \[ \] Read\n/);
    assert.deepEqual(shown(session.chat), ["Read pending", "Mend pending", "Test pending", "Ship pending"]);
    assertReplayed();
  });

  it("A13: only Plan mode takes one; what the person makes of it is kept over a reload and on both branches, and told with the next prompt", async () => {
    const lines: string[] = [];
    const model = answersOf(present(), textAnswer("Here it is."), textAnswer("b"), textAnswer("c"));
    const { session } = sessionOver(model.streamChat, [presentPlan()]);
    session.onDidEmit((event) => lines.push(writeEvent(event)));
    await session.setMode("plan");
    await session.submit("plan it");
    const place = placeOf(session);
    assert.deepEqual(findPlanDocument(session.chat, place), { title: "Mend it", text: markdown });
    assert.equal(await session.writePlan(place, `${markdown}\n5. mine`), true);
    assert.equal(await session.writePlan({ ...place, call: "other" }, "x"), false);
    assert.equal(findPlanDocument(replayChat("chat", lines), place)?.text, `${markdown}\n5. mine`);
    await session.rewind(session.chat.entries[0]!.id);
    assert.equal(await session.writePlan(place, "on the other branch"), true);
    await session.switchBranch();
    assert.equal(findPlanDocument(session.chat, place)?.text, "on the other branch");
    await session.submit("revise it");
    await session.submit("once more");
    const prompts = model.requests
      .at(-1)!
      .messages.filter(({ role }) => role === "user")
      .map(textOfMessage);
    assert.match(
      prompts[1] ?? "",
      /attached the plan as they have edited it:\n```\non the other branch\n```\n[^]*revise it$/,
    );
    assert.doesNotMatch(prompts[2] ?? "", /other branch/);
    assert.deepEqual(
      model.requests[2]!.messages,
      model.requests[3]!.messages.slice(0, model.requests[2]!.messages.length),
    );
    assert.deepEqual(replayChat("chat", lines), { ...session.chat, id: "chat" });
  });

  it("A13, R4: in Agent mode it is refused", async () => {
    const model = answersOf(present(), textAnswer("no"));
    const { session } = sessionOver(model.streamChat, [presentPlan()]);
    await session.submit("go");
    assert.deepEqual([model.requests[0]!.tools, progressOf(session)], [[], ["failed"]]);
  });

  it("R6, A13: a long plan is read in linear time", async () => {
    for (const textOf of [
      (length: number) => "1. a\n".repeat(length / 5),
      (length: number) => "```\n".repeat(length / 4),
      (length: number) => `1. ${" ".repeat(length)}x`,
      (length: number) => "~".repeat(length),
    ])
      await assertLinear(5_000, (length) => {
        const text = textOf(length);
        return () => documentSteps(text);
      });
  });
});

/** The document of a plan follows its steps, and its steps follow the document; what the person wrote in it stays (A13). */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type PlanStep, stepCap, stepLengthCap } from "../../../../src/domain/chat/plan";
import {
  adoptSteps,
  documentSteps,
  followSteps,
  joinSteps,
  stepsOfDocument,
} from "../../../../src/domain/chat/planDocument";
import { assertLinear } from "../../../support/growth";

const place = { answer: "a", call: "c" };
const read = (text: string, known: readonly PlanStep[] = []): readonly PlanStep[] =>
  stepsOfDocument(text, known, place);
const step = (id: string, text: string, state: PlanStep["state"] = "pending"): PlanStep => ({ id, text, state });
const wordsOf = (steps: readonly PlanStep[] | undefined): readonly string[] | undefined =>
  steps?.map(({ text, state }) => `${text} ${state}`);

const document = "# Goal\r\n\r\n1. Read `a.ts`\r\n   - mine\r\n2) Mend  it\r\n\r\nRisks: none\r\n";

describe("the steps of a plan in its document", () => {
  it("A13: the first step that is checked off gives each step its box; all other text stays, with its line ends", () => {
    const before = read(document);
    assert.deepEqual(wordsOf(before), ["Read `a.ts` pending", "Mend it pending"]);
    const now = before.with(0, { ...before[0]!, state: "done" });
    const text = followSteps(document, before, now);
    assert.equal(text, "# Goal\r\n\r\n1. [x] Read `a.ts`\r\n   - mine\r\n2) [ ] Mend  it\r\n\r\nRisks: none\r\n");
    assert.deepEqual(read(text, now), now);
    assert.equal(followSteps(text, now, before), text.replace("[x]", "[ ]"));
    assert.equal(followSteps(text, now, now.with(1, { ...now[1]!, state: "doing" })), text, "no box shows that");
  });

  it("A13: a new step is written behind the one before it, and the numbers go on; reworded and removed ones change alone", () => {
    const before = read(document);
    const [first, second] = [before[0]!, before[1]!];
    assert.equal(
      followSteps(document, before, [step("n", "Start\nhere"), first, step("o", "Look", "done"), second]),
      "# Goal\r\n\r\n1. [ ] Start here\r\n2. [ ] Read `a.ts`\r\n   - mine\r\n3. [x] Look\r\n4) [ ] Mend  it\r\n\r\nRisks: none\r\n",
    );
    assert.equal(
      followSteps(document, before, [{ ...second, text: "Mend all" }]),
      "# Goal\r\n\r\n2) [ ] Mend all\r\n\r\nRisks: none\r\n",
    );
    assert.equal(followSteps("No steps", [], [step("n", "A"), step("o", "B")]), "No steps\n1. [ ] A\n2. [ ] B\n");
  });

  it("A13: in a text that the person is changing only what the plan has changed is changed", () => {
    const stored = "1. Read\n2. Mend\n3. Test";
    const before = read(stored);
    const now = [{ ...before[0]!, state: "done" as const }, before[1]!, before[2]!, step("n", "Ship")];
    assert.equal(
      followSteps("1. Read\n2. [x] Mend\n4. my own step\n3. Test it well\n", before, now),
      "1. [x] Read\n2. [x] Mend\n3. [ ] Ship\n4. my own step\n5. Test it well\n",
      "the person's check mark and words",
    );
    assert.equal(followSteps("1. Mine\n2. Ship", before, now), "1. Mine\n2. Ship", "the person has written it too");
  });

  it("A13: steps keep their ids where their words or their places stay, and the mark of the one that is being done", () => {
    const known = [step("r", "Read", "doing"), step("m", "Mend"), step("t", "Test", "done")];
    assert.deepEqual(
      read("1. Read\n2. [x] Mend it all\n3. [x] Test\n4. [X] Ship\n5. [ ]\n", known).map(({ id, state }) => [
        id,
        state,
      ]),
      [
        ["r", "doing"],
        ["m", "done"],
        ["t", "done"],
        ["a/c/0", "done"],
      ],
    );
    assert.deepEqual(
      read("1. A\n2. A\n", [step("a/c/0", "B")]).map(({ id }) => id),
      ["a/c/1", "a/c/2"],
    );
  });

  const adoptInto = (plan: readonly PlanStep[], ...given: readonly (readonly [string, PlanStep["state"]])[]) =>
    adoptSteps(
      plan,
      given.map(([text, state]) => ({ text, state })),
      () => "new",
    );

  it("A13: the model checks steps off and adds some; steps that it leaves out stay as they are", () => {
    const plan = [step("r", "Read `a.ts`.", "doing"), step("m", "Mend it"), step("t", "Test")];
    assert.deepEqual(
      wordsOf(adoptInto(plan, ["read a.ts", "done"], ["Repair\nit", "doing"], ["Test", "pending"])),
      ["Read `a.ts`. done", "Repair it doing", "Mend it pending", "Test pending"],
      "other words are a new step",
    );
    assert.deepEqual(
      wordsOf(adoptInto(plan, ["Test", "doing"])),
      ["Read `a.ts`. pending", "Mend it pending", "Test doing"],
      "a part of the plan",
    );
  });

  it("A13: the steps of other work are a plan of their own, and check off none of the person's", () => {
    const plan = [step("b", "Build login"), step("t", "Run the tests")];
    const other = [
      ["Fix the CSS", "done"],
      ["Run the tests", "doing"],
    ] as const;
    assert.equal(adoptInto(plan, ["Fix typo", "done"], ["Update CHANGELOG", "doing"]), undefined, "as many steps");
    assert.equal(adoptInto(plan, ...other), undefined, "one equal step");
    const done = plan.map((one) => ({ ...one, state: "done" as const }));
    assert.equal(adoptInto(done, ...other), undefined);
    assert.equal(adoptInto(done, ["Build login", "doing"], ["Run the tests", "pending"]), undefined, "a finished plan");
  });

  it("A13: a full plan takes no step more, and keeps each of the person's", () => {
    const plan = Array.from({ length: stepCap }, (_, at) => step(`${at}`, `Part ${at}`));
    const given = plan.slice(0, 30).map(({ text }) => [text, "done"] as const);
    const now = adoptInto(plan, ["One more", "doing"], ...given);
    assert.deepEqual(
      now?.map(({ id }) => id),
      plan.map(({ id }) => id),
    );
    assert.equal(now?.[29]?.state, "done");
  });

  const ended = (steps: readonly PlanStep[], at: number): readonly PlanStep[] =>
    steps.with(at, { ...steps[at]!, state: "done" });

  it("A13: a line whose last character of a step is a space is checked off", () => {
    const text = `1. ${"x".repeat(stepLengthCap - 1)} and more`;
    const before = read(text);
    assert.equal(followSteps(text, before, ended(before, 0)), text.replace("1.", "1. [x]"));
  });

  it("A13: a reworded step keeps what of its line is longer than a step, below it", () => {
    const text = `1. ${"x".repeat(stepLengthCap)}yz  to keep\n2. Test`;
    const before = read(text);
    const now = before.with(0, { ...before[0]!, text: "Read" });
    const followed = followSteps(text, before, now);
    assert.equal(followed, "1. [ ] Read\n   yz to keep\n2. [ ] Test");
    assert.deepEqual(read(followed, now), now);
  });

  it("A13: a step that is removed takes what is indented below it along, and nothing at the margin", () => {
    const text =
      "1. Read\n   - mine\n\n   ```\n   a\n   ```\nA remark\n```\nb\n```\n2. Mend\n   ~~~\nc\n   ~~~\n3. Test";
    const before = read(text);
    assert.equal(
      followSteps(text, before, before.slice(2)),
      "A remark\n```\nb\n```\n   ~~~\nc\n   ~~~\n3. [ ] Test",
      "half a code block is worse than one that is left",
    );
  });

  it("A13: only the list with the step that is added or checked off gets numbers and boxes", () => {
    const example = "\n\n## Example\n\n1. Open\n1. Click\n";
    const text = `1. Read\n2. Mend${example}`;
    const before = read(text);
    assert.equal(followSteps(text, before, ended(before, 0)), `1. [x] Read\n2. [ ] Mend${example}`);
    assert.equal(
      followSteps(text, before, before.toSpliced(1, 0, step("n", "Look"))),
      `1. [ ] Read\n2. [ ] Look\n3. [ ] Mend${example}`,
    );
    assert.equal(
      followSteps(text, before, before.toSpliced(3, 0, step("n", "Look"))),
      text.replace("1. Open\n1. Click", "1. [ ] Open\n2. [ ] Look\n3. [ ] Click"),
    );
  });

  it("A13: a step may have as many digits as a list of Markdown", () => {
    const text = "999. Read\n1000. Mend\n";
    const before = read(text);
    assert.equal(
      followSteps(text, before, [...before, step("n", "Test")]),
      "999. [ ] Read\n1000. [ ] Mend\n1001. [ ] Test\n",
    );
  });

  it("A13: a step is added before a code block that nothing ends, where it is none of the code", () => {
    const text = "1. Read\n   mine\n   ```\n   code\n";
    const before = read(text);
    const now = [...before, step("n", "Test")];
    const followed = followSteps(text, before, now);
    assert.equal(followed, "1. [ ] Read\n   mine\n2. [ ] Test\n   ```\n   code\n");
    assert.deepEqual(read(followed, now), now);
    assert.equal(followSteps("Text\n```\ncode", [], [step("n", "A")]), "Text\n1. [ ] A\n```\ncode");
  });

  it("A13: an old text of the document takes what is checked off and added since, and keeps its own words and check marks", () => {
    const plan = [step("r", "Read", "done"), step("m", "Mend"), step("t", "Test", "doing"), step("s", "Ship", "done")];
    const joined = joinSteps("1. Read\n2. [x] Mend\n3. Test it well\n\nMine\n", plan);
    assert.equal(joined, "1. [x] Read\n2. [x] Mend\n3. [ ] Test\n4. [x] Ship\n5. Test it well\n\nMine\n");
    assert.equal(joinSteps(joined, plan), joined);
  });

  it("A13: whatever the steps become, the document has them, and each line of other text", () => {
    const words = fc.constantFrom("Read", "Mend it", "Test `a`", "[x] odd", "1. odd", "x".repeat(500));
    const one = fc.record({
      text: words,
      state: fc.constantFrom("pending" as const, "doing" as const, "done" as const),
    });
    const lines = fc.array(
      fc.constantFrom("1. Read", "2) [x] Mend it", "3. [ ] Test `a`", "   more", "", "# Left", "text", "```", "   ~~~"),
    );
    fc.assert(
      fc.property(lines, fc.array(one, { minLength: 1, maxLength: 5 }), fc.nat(9), (given, wanted, reworded) => {
        const text = given.join("\n");
        const before = read(text);
        const adopted = adoptSteps(before, wanted, () => "") ?? before;
        const now = adopted.map((each, at) => ({
          ...each,
          ...(at === reworded ? { text: "Reworded" } : {}),
          id: each.id === "" ? `new${at}` : each.id,
        }));
        const followed = followSteps(text, before, now);
        assert.deepEqual(read(followed, now), now);
        const others = (all: string): readonly string[] => all.split("\n").filter((line) => !/^\d/.test(line));
        assert.deepEqual(others(followed).filter(Boolean), others(text).filter(Boolean));
      }),
    );
  });

  it("R6, A13: a long document follows in linear time", async () => {
    for (const textOf of [
      (length: number) => "1. a\n".repeat(length / 5),
      (length: number) => `1. ${" ".repeat(length)}x`,
      (length: number) => `1. [x]${" ".repeat(length)}`,
    ])
      await assertLinear(5_000, (length) => {
        const text = textOf(length);
        const before = read(text);
        return () =>
          followSteps(
            text,
            before,
            before.map((each) => ({ ...each, state: "done" })),
          );
      });
    assert.deepEqual(documentSteps("```\n1. a\n```\n~~~\n2. b"), []);
  });
});

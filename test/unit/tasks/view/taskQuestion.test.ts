/** The words of the question before an agent's task (V2, V6), and how VS Code shows texts of others in it. */
import assert from "node:assert/strict";
import { describeAsked } from "../../../../src/tasks/view/taskQuestion";
import { accepted, home, makeTask } from "../../../support/builders";

const order = { type: "video", model: "model-x", prompt: "a lighthouse\nat dusk", home } as const;
const same = (): undefined => undefined;
const target = { home, isLocal: false, type: "enabled" } as const;

describe("the question before an agent's task", () => {
  const factsOf = ({ facts }: ReturnType<typeof describeAsked>): Record<string, string> =>
    Object.fromEntries(facts.map(({ name, text }) => [name, text]));

  it("V2, V6: names type, count, model, the whole prompt, references, destination and gateway, and that it is paid", () => {
    const asked = {
      type: "submit",
      order,
      target,
      same,
      place: "assets/hero",
      references: ["logo.png (12 KB)"],
    } as const;
    const question = describeAsked(asked, ["submits-task"]);
    assert.equal(question.title, "Submit 1 paid video task?");
    assert.deepEqual(factsOf(question), {
      Model: "model-x",
      Prompt: "a lighthouse\nat dusk",
      "Reference images": "logo.png (12 KB)",
      Destination: "assets/hero",
      Gateway: home.baseUrl,
    });
    assert.deepEqual(question.notes, ["The gateway reserves an amount, and charges it when the task succeeds."]);
  });

  it("V2, T3: says what is to be weighed, and where nothing is known of the type", () => {
    const unknown = { ...target, type: "unknown" } as const;
    const { notes } = describeAsked({ type: "submit", order, same, target: unknown }, ["secret", "submits-task"]);
    assert.deepEqual(notes.slice(1), [
      "To be weighed: may hold a secret.",
      "Whether video is enabled for this account is not known yet. A task that is refused is not charged.",
    ]);
  });

  it("V6, T1: an agent that asks again for what was submitted is told apart from one that asks first", () => {
    const before = makeTask({ submission: accepted({ state: "processing", rawStatus: "3" }) });
    const { notes } = describeAsked({ type: "submit", order, target, same: () => before }, []);
    assert.equal(notes[0], "The same was submitted before and is “processing”. This would be another task.");
  });

  it("V2: at the local gateway nothing is said to be paid", () => {
    const { title, notes } = describeAsked({ type: "submit", order, same, target: { ...target, isLocal: true } }, []);
    assert.equal(title, "Submit 1 video task to the local gateway, where nothing is paid?");
    assert.deepEqual(notes, []);
  });

  it("V2, T9: a cancel names the task and its state", () => {
    const task = makeTask({ submission: accepted({ state: "processing", rawStatus: "3" }) });
    const question = describeAsked({ type: "cancel", task, reason: "not needed" }, ["cancels-task"]);
    assert.equal(question.title, "Cancel this video task?");
    assert.deepEqual([factsOf(question)["State"], factsOf(question)["Reason"]], ["processing", "not needed"]);
    assert.deepEqual(question.notes, ["A task that succeeds before the cancel arrives is charged."]);
  });

  it("V6, T15: a result that is to be saved is named with its destination; only what is more than a new file is to be weighed", () => {
    const task = makeTask({ submission: accepted({ state: "succeeded" }) });
    const question = describeAsked({ type: "save", task, place: "assets/hero" }, ["writes-file"]);
    assert.equal(question.title, "Save the result of this video task into the project?");
    assert.deepEqual([factsOf(question)["Destination"], question.notes, question.action], ["assets/hero", [], "Save"]);
    const { notes } = describeAsked({ type: "save", task, place: ".git/hero" }, ["executed"]);
    assert.match(notes[0] ?? "", /^To be weighed: changes a file that an editor/);
  });
});

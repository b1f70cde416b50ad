/** Which tasks were made from a text of a document. */
import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/event";
import { isRunning } from "../../../../src/domain/task/phase";
import type { Task } from "../../../../src/domain/task/task";
import { PromptIndex, promptKey } from "../../../../src/tasks/board/promptIndex";
import { promptTextsAt, type TextSelection, tasksOfSelections } from "../../../../src/tasks/view/cancelWords";
import { accepted, makeTask } from "../../../support/builders";

const document = [
  "# Hero",
  "A lighthouse at dusk,",
  "seen from the sea.",
  "",
  "<!-- sluice: type=video -->",
  "- a red boat",
  "- a blue boat",
  "  in the rain",
  "1. a pier",
];
const lines = { lineCount: document.length, lineAt: (line: number) => document[line]! };
const at = (line: number, character = 0, endLine = line, endCharacter = character): TextSelection => ({
  start: { line, character },
  end: { line: endLine, character: endCharacter },
});

describe("tasks of a text", () => {
  it("T9, T2: blanks, line breaks and marks of lists don't make another prompt", () => {
    const key = promptKey("A lighthouse at dusk,\n  seen from the sea.");
    assert.equal(promptKey(" - A lighthouse  at dusk,\r\nseen from the sea. "), key);
    assert.equal(promptKey("> 12. a pier"), promptKey("a pier"));
    assert.notEqual(promptKey("A Pier"), promptKey("a pier"));
  });

  it("T9: a cursor means its paragraph, its list item or its line; a heading, a comment and an empty line mean nothing", () => {
    assert.ok(promptTextsAt(lines, at(2, 3)).includes("A lighthouse at dusk,\nseen from the sea."));
    assert.ok(promptTextsAt(lines, at(7)).includes("- a blue boat\n  in the rain"));
    assert.ok(promptTextsAt(lines, at(8)).includes("1. a pier"));
    for (const line of [0, 3, 4, 9]) assert.deepEqual(promptTextsAt(lines, at(line)), []);
  });

  it("T9: a selection means itself and every prompt in it", () => {
    const texts = promptTextsAt(lines, at(1, 0, 8, 9));
    for (const text of [
      "A lighthouse at dusk,\nseen from the sea.",
      "- a red boat",
      "- a blue boat\n  in the rain",
      "1. a pier",
    ])
      assert.ok(texts.includes(text), text);
    assert.deepEqual(promptTextsAt(lines, at(5, 4, 5, 12))[0], "red boat");
  });

  it("T9: several selections find each running task once, and a task that ends is found no more", () => {
    const tasks = new Map<string, Task>();
    const changed = new Emitter<ReadonlySet<string>>();
    const put = (id: string, prompt: string, state: "processing" | "succeeded" = "processing"): void => {
      tasks.set(id, makeTask({ intent: { id, prompt }, submission: accepted({ state }) }));
      changed.fire(new Set([id]));
    };
    put("a", "a red boat");
    put("b", "a blue boat in the rain");
    put("done", "a red boat", "succeeded");
    const index = new PromptIndex({ listed: tasks, onDidChange: changed.event }, isRunning);
    put("c", "a red boat");
    assert.deepEqual(tasksOfSelections(index, lines, [at(5), at(5, 2, 5, 12), at(6)]), ["a", "c", "b"]);
    put("a", "a red boat", "succeeded");
    tasks.delete("b");
    changed.fire(new Set(["b"]));
    assert.deepEqual(tasksOfSelections(index, lines, [at(5, 0, 8, 9)]), ["c"]);
    index.dispose();
  });
});

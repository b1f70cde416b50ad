/** The icons of a task: none of them moves in any state, for each frame of a movement has the window draw again, as long as the task runs. */
import assert from "node:assert/strict";
import { type Task, taskStates } from "../../src/domain/task/task";
import { taskRow } from "../../src/tasks/view/taskRow";
import { taskPageSnapshot } from "../../src/tasks/host/pages/taskPageView";
import { describeState } from "../../src/tasks/view/promptWords";
import { toneIcon } from "../../src/tasks/page/stateChip";
import { accepted, makeTask } from "../support/builders";

const error = { kind: "unreachable", message: "The connection broke." } as const;
const submissions: readonly Task["submission"][] = [
  { state: "prepared" },
  { state: "sending" },
  { state: "outcome-unknown", at: 0, error },
  { state: "not-accepted", at: 0, error },
  ...taskStates.map((state) => accepted({ state })),
  accepted({ state: "processing" }, { cancel: { state: "requested", reason: "", at: 0 } }),
];

describe("the icons of a task", () => {
  it("T11, T6 (finding P1): rows, lenses and chips are still in every state", () => {
    for (const submission of submissions) {
      const task = makeTask({ submission });
      const page = taskPageSnapshot("id", {
        ...{ now: 0, locale: "en", urlOf: (path) => path, find: () => task, ledTo: [], body: undefined },
        ...{
          isGettingResult: false,
          events: "none",
          isRawShown: false,
          isSavedGone: false,
          saveFolder: undefined,
          nameOf: (file: string) => file,
          batchSize: 1,
        },
      }).task;
      assert.ok(page);
      for (const icon of [taskRow(task, 0, "en").icon.id, describeState(task).state, toneIcon(page.state.tone)])
        assert.doesNotMatch(icon, /spin/, JSON.stringify(submission));
    }
  });
});

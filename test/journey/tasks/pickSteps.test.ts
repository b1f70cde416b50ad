/** The steps of a submission and of a cancel by Enter, typing, clicks, Back and Esc, and with presses that come too early. */
import assert from "node:assert/strict";
import type { Task } from "../../../src/domain/task/task";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";
import {
  modelStep,
  promptStep,
  reviewStep,
  tasksOf,
  tasksView,
  twoModels,
  typePrompt,
  typeStep,
} from "../../support/submitSteps";

/** The prompt of a file; its task does not end. */
const selected = "[stuck] A paper lantern on black water";

/** A file whose prompt leaves only the yes open. */
const ready = "# A pier\n\n<!-- sluice: type=video model=demo-video -->\n\n[stuck] A pier at dawn\n";

describe("the steps of a task", () => {
  let opened: OpenedWindow;
  before(async () => {
    opened = await openWindow({
      // Its type is preselected, whatever another test has submitted.
      files: {
        "lantern.prompts.md": `# A lantern\n\n<!-- sluice: type=video -->\n\n${selected}\n`,
        "ready.prompts.md": ready,
      },
      speed: 1,
      settings: twoModels,
    });
  });
  after(closeWindows);

  const active = (): string => opened.person.pick.active?.label ?? "";
  const count = (): number => opened.inside.app.board.listed.size;
  const newTask = (): { ended(): Promise<unknown> } => opened.person.palette("Sluice: Submit Selection as Task…");
  const submitSelection = async (): Promise<{ ended(): Promise<unknown> }> => {
    const { window, person } = opened;
    await window.openFile("lantern.prompts.md");
    await person.select(selected);
    const submitting = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    return submitting;
  };
  const written = (prompt: string): Promise<Task> =>
    opened.window.until(`a task ${prompt}`, () => tasksOf(opened.inside, prompt)[0]);
  const leave = async (asking: { ended(): Promise<unknown> }): Promise<void> => {
    await opened.person.escape();
    await opened.person.closed();
    await asking.ended();
  };

  it("T2 (finding 19): a click takes the preselected type, model and prompt", async () => {
    const { person } = opened;
    const asking = newTask();
    await person.step(typeStep);
    await person.choose(/^Video$/);
    await person.step(modelStep);
    await person.choose("demo-video");
    await person.step(promptStep);
    await person.type("[stuck] a ferry at one");
    await person.choose("Submit");
    await asking.ended();
    const { intent } = await written("[stuck] a ferry at one");
    assert.deepEqual([intent.type, intent.model], ["video", "demo-video"]);
  });

  it("T2 (finding 19): what is typed is looked for in the step, and Enter takes it at once, also where it is in no list", async () => {
    const { person } = opened;
    newTask();
    await person.step(typeStep);
    await person.type("Styl");
    assert.deepEqual(
      person.pick.rows.map(({ label }) => label),
      ["Stylized image"],
    );
    await person.press("Enter");
    await person.step(modelStep);
    await person.type("my-own-model");
    await person.press("Enter");
    await person.step(promptStep);
    await person.type("[stuck] a ferry at two");
    await person.press("Enter");
    const { intent } = await written("[stuck] a ferry at two");
    assert.deepEqual([intent.type, intent.model], ["stylized-image", "my-own-model"]);
    // The local gateway has no such model, and says so.
    await person.answer("my-own-model");
  });

  it("T2 (finding 19): Back goes one step back, and the answers stay preselected", async () => {
    const { person } = opened;
    const asking = newTask();
    await person.step(typeStep);
    await person.choose(/^Video$/);
    await person.step(modelStep);
    await person.back();
    await person.step(typeStep);
    assert.equal(active(), "Video");
    await person.through(typeStep, modelStep);
    await person.step(promptStep);
    await person.back();
    await person.step(modelStep);
    assert.equal(active(), "demo-video");
    await person.through(modelStep);
    await person.step(promptStep);
    await leave(asking);
  });

  it("T2: the steps that are asked are counted, and Back leads also to those that were not", async () => {
    const { person, window } = opened;
    const number = (): string => {
      const { step, totalSteps } = person.pick.state;
      return step === undefined ? "" : `${step}/${totalSteps}`;
    };
    const asking = newTask();
    const numbers: string[] = [];
    for (const step of [typeStep, modelStep, promptStep]) {
      await person.step(step);
      numbers.push(number());
      if (step !== promptStep) await person.press("Enter");
    }
    assert.deepEqual(numbers, ["1/3", "2/3", "3/3"]);
    await leave(asking);

    await window.openFile("ready.prompts.md");
    const submitting = await person.clickLens("Submit");
    await person.step(reviewStep);
    assert.equal(number(), "");
    await person.back();
    await person.step(modelStep);
    assert.equal(number(), "1/2");
    await person.press("Enter");
    await person.step(reviewStep);
    assert.equal(number(), "2/2");
    await person.back();
    await person.step(modelStep);
    await person.back();
    await person.step(typeStep);
    assert.equal(number(), "1/3");
    await leave(submitting);
  });

  for (const [index, name] of ["type", "model", "prompt"].entries()) {
    it(`T2 (finding 19): Esc leaves at the ${name} and submits nothing`, async () => {
      const { person } = opened;
      const before = count();
      const asking = newTask();
      await person.through(...[typeStep, modelStep, promptStep].slice(0, index));
      await person.step([typeStep, modelStep, promptStep][index] ?? "");
      await leave(asking);
      assert.equal(count(), before);
    });
  }

  it("T2 (finding 19): an empty prompt takes no Enter", async () => {
    const { person } = opened;
    const before = count();
    const asking = newTask();
    await person.through(typeStep, modelStep);
    await person.step(promptStep, "Nothing is typed yet.");
    await person.press("Enter");
    await person.step(promptStep, "Nothing is typed yet.");
    await leave(asking);
    assert.equal(count(), before);
  });

  it("T1: what is typed at the very moment a step is shown is its text", async () => {
    const { window, person } = opened;
    const asking = newTask();
    await person.through(typeStep);
    await person.step(modelStep);
    await window.settled();
    person.pressAtOnce("Enter");
    // When the window has drawn the step: before the extension has that report.
    await window.until("the prompt is asked for", () => person.pick.state.placeholder?.includes(promptStep));
    person.pick.type("a lamp in the fog");
    await window.until("a row for it", () =>
      person.pick.rows.some(
        ({ label, description }) => label.includes("Submit with ") && description === "a lamp in the fog",
      ),
    );
    // Left in the box, it would be kept for the next task.
    await person.type("");
    await leave(asking);
  });

  it("T2 (finding 19): four Enters at each step count for that step only, and submit once", async () => {
    const { window, person } = opened;
    const enterFourTimes = async (): Promise<void> => {
      await window.settled();
      for (let press = 0; press < 4; press += 1) person.pressAtOnce("Enter");
    };
    const before = tasksOf(opened.inside, selected).length;
    const submitting = await submitSelection();
    await enterFourTimes();
    await person.step(modelStep);
    // Were it answered, it would be followed by the paid step once this time has passed.
    await window.clock.advance(1000);
    await person.step(modelStep);
    await enterFourTimes();
    await person.step(reviewStep);
    assert.equal(person.pick.active?.detail, selected);
    assert.equal(tasksOf(opened.inside, selected).length, before);
    await enterFourTimes();
    await submitting.ended();
    assert.equal(tasksOf(opened.inside, selected).length, before + 1);
  });

  it("T2 (finding 19): an Enter that is held down stops before the step that is paid", async () => {
    const { window, person } = opened;
    const before = count();
    const submitting = await submitSelection();
    for (let press = 0; press < 45; press += 1) {
      person.pressAtOnce("Enter");
      await window.settled();
      await window.clock.advance(33);
      assert.ok(!person.pick.state.placeholder?.includes(reviewStep), `after ${press} presses`);
    }
    await person.step(reviewStep);
    assert.equal(count(), before);
    await leave(submitting);
    assert.equal(count(), before);
  });

  it("T2 (finding 19): a double click on the model does not submit", async () => {
    const { window, person } = opened;
    const before = count();
    const submitting = await submitSelection();
    await person.press("Enter");
    await person.step(modelStep);
    const [first] = person.pick.rows;
    assert.ok(first);
    person.pick.click(first);
    // The second click is for what is there by then: all that needs no time has come.
    await window.settled();
    await window.clock.advance(40);
    await window.settled();
    const [now] = person.pick.rows;
    assert.ok(now);
    person.pick.click(now);
    await person.step(reviewStep);
    assert.equal(count(), before);
    await leave(submitting);
    assert.equal(count(), before);
  });

  it("T2 (finding 19): Enter twice on Edit does not submit what was to be edited; Back leads to the choice again", async () => {
    const { person } = opened;
    const before = count();
    const submitting = await submitSelection();
    await person.through(typeStep, modelStep);
    await person.step(reviewStep);
    await person.press("ArrowDown");
    assert.match(active(), /Edit Prompt$/);
    person.pressAtOnce("Enter");
    person.pressAtOnce("Enter");
    await person.step(promptStep);
    assert.equal(person.pick.value, selected);
    await person.back();
    await person.step(reviewStep);
    await leave(submitting);
    assert.equal(count(), before);
  });

  // The pause before the paid step is 300 ms; around its end an Esc crosses the paid step on its way to the window.
  for (const wait of [0, 150, 300, 310]) {
    it(`T2 (finding 19): Esc ${wait} ms after the step before the paid one submits nothing and shows nothing more`, async () => {
      const { window, person } = opened;
      const before = count();
      const submitting = await submitSelection();
      await person.through(typeStep);
      await person.step(modelStep);
      person.pressAtOnce("Enter");
      await window.clock.advance(wait);
      person.pressAtOnce("Escape");
      await submitting.ended();
      await person.closed();
      const asking = newTask();
      await person.step(typeStep);
      await leave(asking);
      assert.equal(count(), before);
    });
  }

  for (const [prompt, how] of [
    ["[stuck] a pier at noon", "Enter"],
    ["[stuck] a pier at one", "a click"],
    ["[stuck] a pier at two", "a reason that is typed, with Enter at once"],
  ] as const) {
    it(`T9 (finding 19): Esc cancels nothing; ${how} cancels`, async () => {
      const { window, person } = opened;
      await person.deselect();
      const reasonStep = "Choose or type a reason to cancel";
      const submitting = await typePrompt(person, prompt);
      await person.press("Enter");
      await submitting.ended();
      const row = await person.row(tasksView, prompt);
      const asked = person.inMenu(row, "Cancel…");
      await person.step(reasonStep);
      await leave(asked);
      assert.match((await person.row(tasksView, prompt)).contextValue, /\bcancelable\b/);
      const cancelling = person.inMenu(await person.row(tasksView, prompt), "Cancel…");
      await person.step(reasonStep);
      if (how === "a click") await person.choose("Wrong prompt");
      else {
        if (how !== "Enter") await person.type("the client changed their mind");
        await person.press("Enter");
      }
      await cancelling.ended();
      await window.until("it is cancelled", async () => {
        const { icon, contextValue } = await person.row(tasksView, prompt);
        return icon === "circle-slash" && !/\bcancelable\b/.test(contextValue);
      });
    });
  }
});

describe("the steps of a task where one model makes it", () => {
  after(closeWindows);

  it("T2 (L11): the only model is asked for once; then Back leads to it, and another id is typed there", async () => {
    const { person, inside } = await openWindow({ speed: 1 });
    const submit = async (prompt: string, ...steps: readonly string[]): Promise<void> => {
      const asking = person.palette("Sluice: Submit Selection as Task…");
      await person.step(typeStep);
      await person.choose(/^Video$/);
      for (const step of steps) await person.through(step);
      await person.step(promptStep);
      await person.type(prompt);
      // Enter submits: the model is named also where nothing has asked for it.
      await person.step(promptStep, "Submit with demo-video");
      await person.press("Enter");
      await asking.ended();
    };
    await submit("[stuck] a ferry at one", modelStep);
    await submit("[stuck] a ferry at two");
    assert.deepEqual(
      ["one", "two"].map((hour) => tasksOf(inside, `[stuck] a ferry at ${hour}`)[0]?.intent.model),
      ["demo-video", "demo-video"],
    );

    const asking = person.palette("Sluice: Submit Selection as Task…");
    await person.step(typeStep);
    await person.choose(/^Video$/);
    await person.step(promptStep);
    await person.back();
    await person.step(modelStep);
    await person.type("my-own-model");
    await person.press("Enter");
    await person.step(promptStep);
    await person.escape();
    await person.closed();
    await asking.ended();
  });
});

describe("the steps of a task beyond a cap", () => {
  after(closeWindows);

  it("T2, T10: a cap that the tasks would exceed is said in the question that submits, and Change Cap there leads to this cap alone", async () => {
    const { person, window, inside } = await openWindow({ files: { "ready.prompts.md": ready }, speed: 1 });
    const newTask = (): { ended(): Promise<unknown> } => person.palette("Sluice: Submit Selection as Task…");
    const first = newTask();
    await person.choose(/^Video$/);
    await person.through(modelStep);
    await person.step(promptStep);
    await person.type("[stuck] the only one of the day");
    await person.press("Enter");
    await first.ended();
    await window.openFile("ready.prompts.md");
    window.configuration.set("sluice.caps.tasksPerDay", 1);
    const said = (): string | undefined => person.pick.rows.find(({ label }) => label.includes("Change Cap"))?.detail;
    const changed = (): number =>
      window.ran.filter(
        ([id, query]) => id === "workbench.action.openSettings" && query === "@id:sluice.caps.tasksPerDay",
      ).length;
    const submitting = await person.clickLens("Submit");
    await person.step(reviewStep);
    assert.equal(said(), "Your cap of 1 task a day is reached.");
    assert.match(person.pick.active?.label ?? "", /Change Cap/);
    await person.press("Enter");
    await submitting.ended();
    await person.closed();
    assert.equal(changed(), 1);

    const asking = newTask();
    await person.choose(/^Video$/);
    await person.step(promptStep);
    await person.type("[stuck] a pier beyond the cap");
    assert.equal(said(), "Your cap of 1 task a day is reached.");
    await person.choose("Change Cap");
    await asking.ended();
    assert.deepEqual([changed(), inside.app.board.listed.size], [2, 1]);
    window.configuration.set("sluice.caps.tasksPerDay", undefined);
    const again = newTask();
    await person.choose("Go on with what was typed");
    await person.step(promptStep);
    assert.equal(person.pick.value, "[stuck] a pier beyond the cap");
    assert.equal(said(), undefined);
    await person.escape();
    await person.closed();
    await again.ended();
  });
});

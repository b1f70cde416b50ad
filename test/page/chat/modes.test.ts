/** The mode in the composer, the question of the model, the plan above the composer and in the transcript (A13). */
import assert from "node:assert/strict";
import type { SessionEvent } from "../../../src/domain/chat/chat";
import type { ChatPageToHost } from "../../../src/chat/contract/chatPageContract";
import { holdPause } from "./barOfPanel";
import { asking, planned, planMarkdown, presented } from "./modeScenes";
import type { PanelPage } from "../support/panelPage";
import { takePicture } from "../support/pictures";
import { usePanel } from "../support/panelSuite";
import { progress, prompt, started } from "./scenes";

const answersOf = async (panel: PanelPage): Promise<Extract<ChatPageToHost, { type: "question-answer" }>[]> =>
  (await panel.intents()).filter((intent) => intent.type === "question-answer");
const choicesWork = "document.querySelector('.question-choice:not([aria-disabled], :disabled)')";
const hostile = "<img src=x onerror=alert(1)>\u202Egnp.exe [a](command:x) `code`";

describe("chat panel, modes, plans and questions", () => {
  const { open, composer, button } = usePanel();
  const heard = "[aria-live=polite] div";

  it("A13, P6: Shift+Tab in the composer chooses the next mode, which is spoken; after Escape it moves the focus, and a click lists them", async () => {
    const panel = await open();
    const mode = panel.page.locator(".mode");
    await composer().press("Shift+Tab");
    assert.deepEqual((await panel.intent("mode-set")).mode, "ask");
    assert.match(await mode.innerText(), /Ask/, "at once");
    await panel.events({ type: "mode-set", mode: "ask" });
    assert.match((await panel.page.locator(heard).last().textContent()) ?? "", /^Mode: Ask\. Reads and answers/);
    await composer().press("Shift+Tab");
    assert.equal((await panel.intent("mode-set", 2)).mode, "plan");
    await composer().press("Escape");
    await composer().press("Shift+Tab");
    assert.equal(await panel.page.evaluate("document.activeElement.matches('textarea')"), false);
    await mode.click();
    await panel.intent("mode-choose");
    assert.match((await composer().getAttribute("aria-description")) ?? "", /After Escape/);
  });

  it("A16: while files are to be kept or undone one line above the composer says how many, at 300 px too, and its buttons are pressed once", async () => {
    for (const width of [300, 420, 1200]) {
      const panel = await open({ size: { width, height: 720 } });
      await panel.snapshot({ undecided: 5 });
      const line = panel.page.locator(".review-line");
      await takePicture(panel.page, `review-line-${width}`);
      assert.equal(
        (await line.innerText()).replaceAll(/\s+/g, " ").trim(),
        "5 files changed Review Keep All Undo All…",
      );
      const { height, width: taken } = (await line.boundingBox())!;
      assert.ok(height < 32 && taken <= width, `${taken} × ${height}`);
      assert.equal(
        await panel.page.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.review-count'))",
        ),
        false,
      );
      await line.getByRole("button", { name: "Keep All" }).click();
      assert.deepEqual(await panel.intent("review-act"), { type: "review-act", act: "keep" });
      await panel.close();
    }
    await open();
  });

  it("A16: once it was chosen a chip says whether edits land at once or ask first, and a press changes it, at 300 px too", async () => {
    const panel = await open({ size: { width: 300, height: 600 } });
    const chip = panel.page.locator(".edits");
    assert.equal(await chip.count(), 0);
    await panel.snapshot({ edits: "review" });
    assert.equal(await chip.innerText(), "Edits: review after");
    await takePicture(panel.page, "edits-chip-300");
    await chip.click();
    assert.deepEqual(await panel.intent("edits-set"), { type: "edits-set", review: false });
    await panel.snapshot({ edits: "ask" });
    assert.equal(await chip.innerText(), "Edits: ask first");
    await panel.events({ type: "mode-set", mode: "plan" });
    assert.equal(await chip.count(), 0, "where nothing is changed it says nothing");
  });

  it("A16, P6: a screen reader is told how edits are handled now, and once there are changes to decide about or none any more", async () => {
    const panel = await open();
    const said = async (): Promise<string> => (await panel.page.locator(heard).allTextContents()).join(" ");
    await panel.snapshot({ edits: "ask" });
    await panel.snapshot({ edits: "review", undecided: 1 });
    assert.match(await said(), /Edits: review after.*There are changes to keep or undo\./);
    const line = panel.page.getByRole("region", { name: "Changes by Sluice" });
    assert.match(await line.innerText(), /1 file changed/);
    for (const [name, description] of [
      ["Review", "Lists the files with their changes"],
      ["Keep All", "Keeps all changes by Sluice"],
      ["Undo All…", "Undoes all changes by Sluice, after a question"],
    ] as const)
      assert.equal(await line.getByRole("button", { name, exact: true }).getAttribute("title"), description);
    const chip = panel.page.getByRole("button", { name: "Edits: review after", exact: true });
    assert.match((await chip.getAttribute("title")) ?? "", /Press to be asked first\.$/);
    await panel.snapshot({ edits: "review", undecided: 3 });
    const times = (await said()).split("There are changes").length - 1;
    assert.equal(times, 1, "the number alone is not said again");
    await line.getByRole("button", { name: "Keep All" }).focus();
    await panel.snapshot({ undecided: undefined as never });
    assert.match(await said(), /No changes are left to keep or undo\./);
    assert.ok(await panel.page.evaluate("document.activeElement !== document.body"), "the focus stays in the page");
  });

  it("A13, V4 (newuser L18): in Restricted Mode, which has no tools, there is no mode to choose", async () => {
    const panel = await open();
    await panel.snapshot({ trusted: false });
    assert.equal(await panel.page.locator(".mode").count(), 0);
    await composer().press("Shift+Tab");
    assert.equal(await panel.page.evaluate("document.activeElement.matches('textarea')"), false);
    assert.ok(!(await panel.intents()).some(({ type }) => type === "mode-set"));
    await panel.snapshot({ trusted: true });
    assert.equal(await panel.page.locator(".mode").count(), 1);
  });

  it("A13, P6: the key to the question goes to Start of a plan that waits for it, not of one that was followed by a prompt", async () => {
    const panel = await open();
    await panel.events(...presented);
    await composer().focus();
    await panel.post({ type: "approval-focus" });
    await panel.until("document.activeElement.closest('.plan-card') && document.activeElement.innerText === 'Start'");
    await panel.page.keyboard.press("Enter");
    await panel.intent("plan-start");
    await composer().focus();
    await panel.events(...prompt("p2", "Not yet"), { type: "turn-ended" });
    await panel.post({ type: "approval-focus" });
    assert.ok(await panel.page.evaluate("document.activeElement.matches('textarea')"));
  });

  it("A13: messages of Ask and Plan say so, those of Agent nothing", async () => {
    const panel = await open();
    await panel.events({ type: "mode-set", mode: "ask" }, ...prompt("p1", "Why?"));
    await panel.page.getByText("Ask mode", { exact: true }).waitFor();
    await panel.events({ type: "turn-ended" }, { type: "mode-set", mode: "agent" }, ...prompt("p2", "Do it"));
    assert.equal(await panel.page.getByText("Agent mode", { exact: true }).count(), 0);
  });

  it("A13: a question is docked with its choices; a number key, a click, words and 0 answer it once, not within half a second", async () => {
    let panel = await open();
    const answers: [() => Promise<void>, unknown][] = [
      [() => panel.page.locator(".transcript").press("2"), { choice: 1 }],
      [() => panel.page.locator(".question-choice").first().click(), { choice: 0 }],
      [() => panel.page.locator(".transcript").press("0"), {}],
      [
        async () => {
          await panel.page.locator(".question-bar input").fill("A text file");
          await panel.page.locator(".question-bar input").press("Enter");
        },
        { text: "A text file" },
      ],
    ];
    for (const [press, expected] of answers) {
      await panel.close();
      panel = await open();
      const endPause = await holdPause(panel);
      await panel.events(...asking);
      await panel.page.locator(".transcript").press("1");
      assert.deepEqual(await answersOf(panel), []);
      assert.match((await panel.page.locator(heard).allTextContents()).join(), /This question has just come up/);
      await endPause();
      await panel.until(choicesWork);
      await press();
      const { type: _type, question, ...answer } = await panel.intent("question-answer");
      assert.deepEqual([question, answer], ["q1", expected]);
      await panel.page.locator(".transcript").press("1");
      assert.equal((await answersOf(panel)).length, 1);
      assert.equal(await panel.page.locator(".question-choice:enabled").count(), 0);
    }
    await panel.events(
      progress("a1", "c1", { state: "running", input: {}, action: { type: "ask-person", question: "" } }),
    );
    assert.equal(await panel.page.locator(".question-bar").count(), 0);
  });

  it("A13: digits that are typed into a text answer nothing, Escape goes to the composer, and the question is spoken", async () => {
    const panel = await open();
    await panel.events(...asking);
    // Before, no digit answers, wherever it is typed.
    await panel.until(choicesWork);
    await composer().fill("Use ");
    await composer().pressSequentially("1");
    assert.equal(await composer().inputValue(), "Use 1");
    assert.equal(await panel.page.locator(".question-key >> visible=true").count(), 0, "its digits are not shown");
    const words = panel.page.locator(".question-bar input");
    await words.pressSequentially("2");
    assert.equal(await words.inputValue(), "2");
    await words.press("Escape");
    await panel.until("document.activeElement.matches('.composer textarea')");
    assert.deepEqual(await answersOf(panel), []);
    assert.match((await panel.page.locator(heard).allTextContents()).join("\n"), /The model asks: Which database/);
  });

  it("A13 (newuser M13): a digit answers where the focus is: in the message box while it is empty", async () => {
    const panel = await open();
    await panel.events(...asking);
    await panel.until(choicesWork);
    await composer().focus();
    assert.ok((await panel.page.locator(".question-key >> visible=true").count()) > 2, "its digits are shown");
    await composer().press("2");
    assert.equal((await panel.intent("question-answer"))["choice"], 1);
    assert.equal(await composer().inputValue(), "");
  });

  it("A13, P4: what the host does not take, as where another window writes the chat, the page shows as it is again, and why", async () => {
    const panel = await open();
    await panel.events(...planned, ...asking);
    await composer().press("Shift+Tab");
    await panel.page.locator(".mode", { hasText: "Ask" }).waitFor();
    await panel.page.locator(".plan-line").click();
    const step = panel.page.locator(".plan-step").nth(2).getByRole("checkbox");
    await step.click();
    await panel.page.locator(".question-bar input").fill("A text file");
    await panel.until(choicesWork);
    await panel.page.locator(".question-bar input").press("Enter");
    assert.equal(await panel.page.locator(".question-choice:enabled").count(), 0);
    await panel.post({ type: "change-refused", text: "Another window writes this chat." });
    await panel.page.getByText("Another window writes this chat.").first().waitFor();
    assert.match(await panel.page.locator(".mode").innerText(), /Agent/);
    assert.equal(await step.isChecked(), false);
    assert.equal(await panel.page.locator(".question-choice:enabled").count(), 4);
    assert.equal(await panel.page.locator(".question-bar input").inputValue(), "A text file");
  });

  it("A13, P3: a half-written answer and a half-written step stay with their chat, also after a reload, and go with what they are for", async () => {
    const panel = await open();
    const other = { id: "chat-2", entries: [{ type: "user", id: "u", text: "Earlier.", at: 0 }], running: false };
    const leave = async (): Promise<void> => {
      await panel.post({ type: "snapshot", revision: 0, snapshot: { chat: other, status: panel.status } });
      await panel.page.getByText("Earlier.").waitFor();
      assert.equal(await panel.page.locator(".question-bar, .plan-field").count(), 0);
    };
    await panel.events(...planned, ...asking);
    const answer = panel.page.locator(".question-bar input");
    const step = panel.page.locator(".plan-field");
    await answer.fill("A text file, because");
    await panel.page.locator(".plan-line").click();
    await panel.page.locator(".plan-step").nth(3).getByRole("button", { name: "Reword" }).click();
    await step.fill("Run all tests tw");
    for (const goAway of [leave, () => panel.page.reload()]) {
      await goAway();
      await panel.snapshot();
      assert.equal(await answer.inputValue(), "A text file, because");
      assert.equal(await step.inputValue(), "Run all tests tw");
    }
    await leave();
    panel.advance({ type: "plan-edited", edit: { do: "remove", step: "s4" } });
    await panel.snapshot();
    assert.equal(await panel.page.locator(".plan-step").count(), 3);
    assert.equal(await step.inputValue(), "Run all tests tw", "as a new step, as where the model removes it in view");
    await step.press("Enter");
    const { edit } = await panel.intent("plan-edit");
    assert.deepEqual([edit.do, edit.do === "add" && edit.text], ["add", "Run all tests tw"]);
    await panel.until(choicesWork);
    await answer.press("Enter");
    assert.equal((await panel.intent("question-answer"))["text"], "A text file, because");
    await panel.events(
      progress("a1", "c1", { state: "running", input: {}, action: { type: "ask-person", question: "" } }),
    );
    const kept: unknown = await panel.page.evaluate("JSON.parse(sessionStorage.getItem('state')).fields");
    assert.deepEqual(kept, []);
  });

  it("P1, A13: what was typed in a chat on another page is in its messages and fields, and is given with the draft", async () => {
    const panel = await open();
    await panel.show(asking);
    await panel.page.reload();
    const edits = [{ entry: "p1", text: "Keep the drafts in a file.", without: [] }];
    const fields = [{ kind: "answer", id: "q1", text: "A fi" }];
    await panel.post({ type: "typed-add", chat: "chat-1", edits, fields });
    await panel.post({ type: "typed-add", chat: "chat-2", edits: [], fields });
    await panel.snapshot();
    assert.equal(await panel.page.getByRole("textbox", { name: "Edit message" }).inputValue(), edits[0]?.text);
    assert.equal(await panel.page.getByRole("textbox", { name: "Another answer" }).inputValue(), "A fi");
    await panel.post({ type: "draft-request" });
    const draft = { type: "draft-given", text: "", references: [], edits, fields };
    assert.deepEqual(await panel.intent("draft-given"), draft);
    const left = (): Promise<unknown> =>
      panel.page.evaluate("(({ edits, fields }) => [edits, fields])(JSON.parse(sessionStorage.getItem('state')))");
    const ofOther = { ...fields[0], chat: "chat-2" };
    const older = { edits: [{ ...edits[0], text: "Keep" }], fields: [{ ...fields[0], text: "A" }] };
    await panel.post({ type: "composer-clear", chat: "chat-1", text: "", ...older });
    assert.deepEqual(await left(), [edits, [{ ...fields[0], chat: "chat-1" }, ofOther]], "they were changed since");
    await panel.post({ type: "composer-clear", chat: "chat-1", text: "", edits, fields });
    assert.deepEqual(await left(), [[], [ofOther]]);
  });

  it("A13, P5: what the model writes into questions, plans and steps is plain text with hidden characters revealed, and no markup of it is made", async () => {
    const panel = await open();
    await panel.events(
      ...prompt("p1", "go"),
      started("a1"),
      ...["ask_person", "update_plan", "present_plan"].flatMap((name, at): SessionEvent[] => [
        { type: "answer-event", id: "a1", event: { type: "tool-call-start", block: at, call: `c${at}`, name } },
        { type: "answer-event", id: "a1", event: { type: "tool-call-end", call: `c${at}`, input: {} } },
      ]),
      progress("a1", "c0", {
        ...{ state: "asking", input: {}, id: "q1", action: { type: "ask-person", question: hostile } },
        question: { text: hostile, choices: [{ label: hostile, description: hostile }, { label: "b" }] },
      }),
      progress("a1", "c1", {
        ...{ state: "done", input: {}, result: "" },
        action: { type: "update-plan", steps: [{ id: "s", text: hostile, state: "doing" }] },
      }),
      progress("a1", "c2", {
        ...{ state: "done", input: {}, result: "" },
        action: { type: "present-plan", title: hostile, text: `# ${hostile}\n<script>alert(1)</script>` },
      }),
    );
    await panel.page.locator(".question-bar").waitFor();
    assert.equal(await panel.page.locator("img, script[src=''], .question-bar a, .plan a").count(), 0);
    for (const place of [".question-text", ".question-words", ".plan-current", ".plan-card .approval-title"])
      assert.doesNotMatch(await panel.page.locator(place).first().innerText(), /\u202E/u, place);
    assert.match(await panel.page.locator(".plan-current").innerText(), / code$/, "without its backticks");
    const titles = await panel.page.locator(":is(.tool-title, .plan-card .approval-title)").allInnerTexts();
    assert.equal(titles.length, 3);
    for (const title of titles) assert.match(title, /[^`]code$/, "without its backticks");
  });

  it("A13: the plan is one line that opens to its steps; each is checked off, reworded, removed, another added, and the plan removed", async () => {
    const panel = await open();
    await panel.events(...planned);
    const line = panel.page.locator(".plan-line");
    assert.match(await line.innerText(), /2 of 4 · Mend the parser/);
    await line.click();
    const stepRows = panel.page.locator(".plan-step");
    assert.equal(await stepRows.count(), 4);
    // The browser's own box is white otherwise.
    assert.equal(
      await panel.page.evaluate('getComputedStyle(document.querySelector(".plan-label input")).colorScheme'),
      "dark",
    );
    await stepRows.nth(2).getByRole("checkbox").click();
    assert.deepEqual((await panel.intent("plan-edit")).edit, { do: "mark", step: "s3", state: "done" });
    await stepRows.nth(3).getByRole("button", { name: "Reword" }).click();
    await panel.page.locator(".plan-field").fill("Run all tests");
    await panel.page.locator(".plan-field").press("Enter");
    assert.deepEqual((await panel.intent("plan-edit", 2)).edit, { do: "reword", step: "s4", text: "Run all tests" });
    await stepRows.nth(0).getByRole("button", { name: "Remove Step" }).click();
    assert.deepEqual((await panel.intent("plan-edit", 3)).edit, { do: "remove", step: "s1" });
    await button("Add Step").click();
    await panel.page.locator(".plan-field").fill("Write the changelog");
    await panel.page.locator(".plan-field").press("Enter");
    const { edit } = await panel.intent("plan-edit", 4);
    assert.deepEqual([edit.do, edit.do === "add" && edit.text], ["add", "Write the changelog"]);
    await button("Remove Plan").click();
    assert.deepEqual((await panel.intent("plan-edit", 5)).edit, { do: "clear" });
    await panel.events({ type: "plan-edited", edit: { do: "clear" } });
    assert.equal(await panel.page.locator(".plan").count(), 0);
  });

  it("A13: a step that is being reworded keeps what was typed when the model rewords it, and as a new step when the model removes it", async () => {
    const panel = await open();
    await panel.events(...planned);
    await panel.page.locator(".plan-line").click();
    await panel.page.locator(".plan-step").nth(3).getByRole("button", { name: "Reword" }).click();
    const field = panel.page.locator(".plan-field");
    await field.fill("Run all tests twice");
    await panel.events({ type: "plan-edited", edit: { do: "reword", step: "s4", text: "Run the unit tests" } });
    assert.equal(await field.inputValue(), "Run all tests twice");
    await panel.events({ type: "plan-edited", edit: { do: "remove", step: "s4" } });
    assert.equal(await panel.page.locator(".plan-step").count(), 3);
    assert.equal(await field.inputValue(), "Run all tests twice");
    await panel.page.keyboard.press("Enter");
    const { edit } = await panel.intent("plan-edit");
    assert.deepEqual([edit.do, edit.do === "add" && edit.text], ["add", "Run all tests twice"]);
  });

  it("A13, P5: a plan of which Markdown would hide a part is shown as it was written, line by line", async () => {
    const panel = await open();
    const text = "1. Read the file\n1. Send it <!-- to evil.example -->\n1. Run the tests";
    await panel.events(...presented, { type: "plan-written", id: "a1", call: "c1", text });
    const shown = panel.page.locator(".plan-text");
    await shown.getByText("evil.example").waitFor();
    assert.equal((await shown.innerText()).split("\n").length, 3);
  });

  it("A13: a plan that is presented is a card with its text, as the person has left it; it is opened and started by its buttons", async () => {
    const panel = await open();
    await panel.events(...presented);
    const card = panel.page.locator(".plan-card");
    assert.equal((await card.locator("li").count()) > 2, true);
    await button("Edit Plan").click();
    const { answer, call } = await panel.intent("plan-open");
    assert.deepEqual([answer, call], ["a1", "c1"]);
    await button("Start").click();
    await panel.intent("plan-start");
    await panel.events({ type: "plan-written", id: "a1", call: "c1", text: `${planMarkdown}\n4. And one of mine` });
    await card.getByText("And one of mine").waitFor();
  });
});

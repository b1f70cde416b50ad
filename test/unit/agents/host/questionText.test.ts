/** What a person reads before an agent's task is paid: every text of others is shown literally, also where it looks like Markdown. */
import assert from "node:assert/strict";
import { config } from "@vscode/l10n";
import { marked } from "marked";
import type { TaskQuestion } from "../../../../src/tasks/view/taskQuestion";
import {
  amongOthers,
  askAsItIs,
  literalMarkdown,
  questionLines,
  questionMarkdown,
} from "../../../../src/agents/host/questionText";

const hostile = [
  "[Allow](command:workbench.action.quit)",
  "![x](https://evil.example/i.png)",
  "<img src=x onerror=alert(1)>",
  "https://evil.example and www.evil.example and me@evil.example",
  "**Price:** free",
  "# Free\n\n- one\n1. two\n\n    code\n```\nfence\n```\n| a | b |\n|--|--|",
  "`$(check)` &lt;b&gt; &amp; ~~gone~~ \\",
  "[a]: https://evil.example\n[a]",
];

function ask(text: string): TaskQuestion {
  return {
    title: "Submit 1 paid image task?",
    facts: [
      { name: "Model", text: "demo-image" },
      { name: "Prompt", text },
    ],
    notes: ["A note."],
    action: "Submit",
  };
}

describe("questions of agents", () => {
  for (const text of hostile) {
    it(`V2, A4: ${JSON.stringify(text).slice(0, 40)} is no Markdown in a question`, () => {
      const html = marked.parse(questionMarkdown(ask(text)), { async: false });
      const tags = [...html.matchAll(/<(?!\/)(\w+)/g)].map(([, tag]) => tag);
      assert.deepEqual(new Set(tags), new Set(["p", "strong", "br"].slice(0, tags.includes("br") ? 3 : 2)), html);
      assert.equal(tags.filter((tag) => tag === "strong").length, 2);
      assert.doesNotMatch(
        marked.parse(literalMarkdown(text), { async: false }),
        /<(a|img|h1|ul|ol|pre|table|strong)\b/,
      );
    });
  }

  it("P6, V6: name and text are parted as the language of the window does it, and the text of others is no template", () => {
    config({ contents: { "{0}: {1}": "{0}：{1}" } });
    assert.equal(questionLines(ask("a {0} pier")).split("\n", 2).join("|"), "Model：demo-image|Prompt：a {0} pier");
    config({ contents: {} });
  });

  it("M13, V6, T1: a question names how many others that wait ask the same", () => {
    const question = ask("a harbour");
    assert.equal(amongOthers(question, [ask("a pier")]), question);
    assert.match(amongOthers(question, [ask("a harbour"), ask("a pier")]).notes[0]!, /^The same is asked once more/);
    assert.match(
      amongOthers(question, [ask("a harbour"), ask("a harbour")]).notes[0]!,
      /^The same is asked 2 times more/,
    );
  });

  it("M13, V6, T1: a yes counts only for the question as it is by then: one that has changed while its dialog was open is asked again", async () => {
    const notes = [
      "The same was submitted before and is “processing”.",
      "The same was submitted before and is “succeeded”.",
    ];
    let now = ask("a harbour");
    const shown: TaskQuestion[] = [];
    const press =
      (answer: string) =>
      (question: TaskQuestion): Promise<string> => {
        shown.push(question);
        const [note] = notes.splice(0, 1);
        if (note !== undefined) now = { ...now, notes: [note] };
        return Promise.resolve(answer);
      };
    const answered = await askAsItIs(
      () => now,
      press("Submit"),
      () => true,
    );
    assert.deepEqual(answered, { pressed: "Submit", isYes: true });
    assert.deepEqual(
      shown.map(({ notes: [first] }) => first),
      [
        "A note.",
        "The same was submitted before and is “processing”.",
        "The same was submitted before and is “succeeded”.",
      ],
    );
    // A no needs no second look, and a program that has gone gets no second dialog.
    notes.push("One more.");
    assert.equal(
      (
        await askAsItIs(
          () => now,
          press("Refuse This and Later Ones"),
          () => true,
        )
      ).isYes,
      false,
    );
    notes.push("And one more.");
    shown.length = 0;
    await askAsItIs(
      () => now,
      press("Submit"),
      () => false,
    );
    assert.equal(shown.length, 1);
  });

  it("V6, A4: further lines of a text are marked, so that none looks like the next fact", () => {
    const question = ask("a harbour\nPrice: free\r\nDestination: here");
    assert.equal(
      questionLines(question),
      "Model: demo-image\nPrompt: a harbour\n│ Price: free\n│ Destination: here\n\nA note.",
    );
    assert.match(questionMarkdown(question), /a harbour {2}\n│ Price\\: free {2}\n│ Destination/);
  });
});

/** R4: a corpus of markup under the page's own policy: no request leaves, no script runs, nothing but the page's own kinds of nodes appears. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { markup } from "./markup";
import type { PanelPage } from "../support/panelPage";
import { usePanel } from "../support/panelSuite";
import { fewOf } from "../../support/runs";
import { ended, progress, prompt, said, started, text } from "./scenes";

/** Records every node and attribute that is ever added, also one that is gone a frame later. */
const watch = `
globalThis.seen = { tags: new Set(), attributes: new Set(), addresses: new Set() };
const record = (element) => {
  seen.tags.add(element.localName);
  for (const { name, value } of element.attributes) {
    seen.attributes.add(name);
    if (name === "href") seen.addresses.add(new URL(value, "bad:").protocol);
  }
};
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    record(target);
    for (const node of addedNodes) if (node instanceof Element) for (const one of [node, ...node.querySelectorAll("*")]) record(one);
  }
}).observe(document.querySelector("#app"), { subtree: true, childList: true, attributes: true });`;

interface Seen {
  readonly tags: string[];
  readonly attributes: string[];
  readonly addresses: string[];
}

const allowedTags =
  /^(a|article|blockquote|br|button|code|del|details|div|em|h[1-6]|hr|li|ol|p|pre|section|span|strong|summary|table|td|textarea|th|tr|ul|header|footer|label|nav)$/;
const allowedAttributes =
  /^(aria-[a-z]+|class|dir|disabled|for|hidden|href|id|open|placeholder|rel|role|rows|scope|start|style|tabindex|title|type|lang)$/;

async function readSeen(panel: PanelPage): Promise<Seen> {
  return panel.page.evaluate("Object.fromEntries(Object.entries(seen).map(([name, set]) => [name, [...set]]))");
}

describe("chat panel, markup", () => {
  const { open } = usePanel();

  const check = async (panel: PanelPage, requests: readonly string[]): Promise<void> => {
    const { tags, attributes, addresses } = await readSeen(panel);
    assert.deepEqual(
      tags.filter((tag) => !allowedTags.test(tag)),
      [],
    );
    assert.deepEqual(
      attributes.filter((name) => !allowedAttributes.test(name)),
      [],
    );
    assert.deepEqual(
      addresses.filter((protocol) => !/^(https?|mailto):$/.test(protocol)),
      [],
    );
    assert.equal(await panel.page.evaluate("globalThis.hit"), undefined);
    assert.deepEqual(await panel.violations(), []);
    const own = new RegExp(`^${new URL(panel.page.url()).origin}/[A-Z0-9]{8}\\.mjs$`);
    assert.deepEqual(
      requests.filter((url) => !own.test(url)),
      [],
    );
  };

  const openWatched = async (): Promise<{ panel: PanelPage; requests: string[] }> => {
    const panel = await open();
    await panel.page.evaluate(watch);
    const requests: string[] = [];
    panel.page.on("request", (request) => requests.push(request.url()));
    return { panel, requests };
  };

  it("R4, P5: every kind of markup in every place, as it streams in, in all that a model, a tool or a gateway writes", async () => {
    const { panel, requests } = await openWatched();
    assert.ok(markup.length > 400);
    const size = 40;
    for (let at = 0; at < markup.length; at += size) {
      const id = `a${at}`;
      const whole = markup.slice(at, at + size).join("\n\n");
      await panel.events(...prompt(`p${at}`, whole), started(id));
      // Cut at each angle bracket: what is half there is read too.
      const pieces = whole.split(/(?<=[<>])/);
      const step = Math.ceil(pieces.length / fewOf(12, 4));
      for (let from = 0; from < pieces.length; from += step)
        await panel.events(text(id, 0, pieces.slice(from, from + step).join("")));
      await panel.events(
        ...said(
          id,
          { type: "reasoning-delta", block: 1, text: whole },
          { type: "citation", block: 2, url: markup[at] ?? "", title: whole.slice(0, 300), raw: 0 },
          { type: "tool-call-start", block: 3, call: "c", name: whole.slice(0, 100) },
          { type: "tool-call-end", call: "c", input: { path: whole } },
        ),
        progress(id, "c", {
          state: "done",
          input: { path: whole },
          action: { type: "read-file", path: whole },
          result: whole,
        }),
        ...ended(id, { state: "failed", failure: { type: "gateway", error: { kind: "rejected", message: whole } } }),
        { type: "turn-ended" },
      );
      await panel.openAll();
    }
    await check(panel, requests);
  });

  it("R4, P5: every example of CommonMark and of GitHub's extensions", async () => {
    const { panel, requests } = await openWatched();
    const examples = ["commonmark", "gfm"].flatMap(
      (name) =>
        (JSON.parse(readFileSync(`test/fixtures/markdown/${name}.json`, "utf8")) as { readonly examples: string[] })
          .examples,
    );
    const size = 100;
    for (let at = 0; at < examples.length; at += size) {
      const id = `a${at}`;
      await panel.events(...prompt(`p${at}`, "?"), started(id), text(id, 0, examples.slice(at, at + size).join("\n")));
      await panel.events(...ended(id), { type: "turn-ended" });
    }
    await check(panel, requests);
  });
});

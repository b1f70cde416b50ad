/** What is typed in a page goes to the host within a second, and comes back from it where VS Code did not write its own copy. */
import assert from "node:assert/strict";
import { pageStates } from "../../../../src/chat/host/panel/pageStates";
import { SavedStateStore } from "../../../../src/chat/page/savedStateStore";
import { until } from "../../../support/builders";

function createMemory(): Parameters<typeof pageStates>[0] & { read(): unknown } {
  const values = new Map<string, unknown>();
  return {
    get: (key: string, other?: unknown) => values.get(key) ?? other,
    update: (key, value) => Promise.resolve(void values.set(key, structuredClone(value))),
    read: () => [...values.values()],
  };
}

describe("what is typed in a chat's page", () => {
  it("P3, R8: is on the disk a moment later, and comes back in the page of the next window", async () => {
    const stateOf = pageStates(createMemory());
    const host = {
      getState: () => undefined,
      setState: () => undefined,
      postMessage: (message: unknown) => stateOf("view").keep((message as { state: Record<string, unknown> }).state),
    };
    const store = new SavedStateStore(host, stateOf("view").read());
    store.change({ draft: "a long pr" });
    store.change({ draft: "a long prompt" });
    await until(() => stateOf("view").read()["draft"] === "a long prompt");
    assert.equal(new SavedStateStore(host, stateOf("view").read()).current.draft, "a long prompt");
    assert.equal(new SavedStateStore(host, stateOf("other").read()).current.draft, "");
    store.change({ draft: "" });
    assert.equal(stateOf("view").read()["draft"], "", "a text that was sent is not there again");
  });

  it("P3: is what VS Code kept where that is newer", () => {
    const host = {
      getState: () => ({ draft: "newer", changes: 4 }),
      setState: () => undefined,
      postMessage: assert.fail,
    };
    assert.equal(new SavedStateStore(host, { page: "view", draft: "older", changes: 3 }).current.draft, "newer");
    assert.equal(new SavedStateStore(host, { page: "view", draft: "newest", changes: 5 }).current.draft, "newest");
  });

  it("P3: of pages that were closed or never came back, few states stay", () => {
    const memory = createMemory();
    const stateOf = pageStates(memory);
    const draftOf = (page: string): unknown => stateOf(page).read()["draft"];
    for (let page = 0; page < 30; page += 1) {
      stateOf(`page ${page}`).keep({ draft: "x" });
      stateOf("page 0").keep({ draft: "typed last" });
    }
    assert.deepEqual(["page 0", "page 10", "page 11"].map(draftOf), ["typed last", undefined, "x"]);
    stateOf("page 11").keep({ draft: "y".repeat(900_000) });
    stateOf("page 0").keep({ draft: "z".repeat(2_000_000) });
    assert.deepEqual(
      ["page 0", "page 11", "page 29"].map((page) => String(draftOf(page)).length),
      [2_000_000, 9, 9],
    );
    for (let page = 0; page < 30; page += 1) stateOf(`page ${page}`).forget();
    assert.deepEqual(memory.read(), [{}]);
  });
});

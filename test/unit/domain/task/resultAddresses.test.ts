/** Where a paid result can be had, whatever form the gateway has written it in. */
import assert from "node:assert/strict";
import { resultAddresses } from "../../../../src/domain/task/resultAssets";
import { addressesOf } from "../../../../src/tasks/host/pages/taskPageView";
import { accepted, makeRemote, makeTask, savedAt } from "../../../support/builders";

const home = { origin: "https://gate.example", baseUrl: "https://gate.example/v1", account: "a" };

describe("addresses of a task's results", () => {
  it("T8 (field 16): the file's address comes first and in full, then those of further results; data is none", () => {
    const of = (assets: object, more?: readonly string[]): readonly string[] =>
      resultAddresses(
        makeRemote({ state: "succeeded", assets: assets as never, ...(more ? { more: [...more] } : {}) }),
        "async-image",
        home,
      );
    assert.deepEqual(of({ kind: "assets", imageUrl: "/files/a.png" }), ["https://gate.example/files/a.png"]);
    assert.deepEqual(of({ kind: "assets", imageUrl: "//cdn.example/a.png" }, ["b.png", "//cdn.example/a.png"]), [
      "https://cdn.example/a.png",
      "https://gate.example/v1/b.png",
    ]);
    assert.deepEqual(of({ kind: "assets", imageUrl: "data:image/png;base64,AA==" }), []);
    assert.deepEqual(of({ kind: "assets", imageUrl: "javascript:alert(1)" }), []);
    assert.deepEqual(
      of({ kind: "unreadable", raw: "see https:\\/\\/cdn.example\\/x.png?a=1, or 'http://b.example/y'" }),
      ["https://cdn.example/x.png?a=1", "http://b.example/y"],
    );
  });

  it("T8 (field 16): the page has the addresses of what could not be fetched, and of further results", () => {
    const remote = {
      state: "succeeded",
      assets: { kind: "assets", imageUrl: "https://a/1.png" },
      more: ["https://a/2.png"],
    } as const;
    const task = (rest: object): ReturnType<typeof makeTask> =>
      makeTask({ intent: { type: "async-image", home }, submission: accepted(remote as never, rest) });
    const error = { kind: "malformed", message: "x" } as const;
    const fetchFailure = { error, attempts: 1, at: 0 };
    assert.deepEqual(addressesOf(task({ fetchFailure })), ["https://a/1.png", "https://a/2.png"]);
    assert.deepEqual(addressesOf(task({})), ["https://a/2.png"], "it is still to be fetched");
    assert.deepEqual(addressesOf(task({ saved: savedAt("/r.png") })), ["https://a/2.png"]);
    const inAnswer = { ...remote, assets: { kind: "assets", imageUrl: "data:image/png;base64,AA==" } };
    const ofData = makeTask({ intent: { type: "async-image", home }, submission: accepted(inAnswer as never) });
    assert.deepEqual(addressesOf(ofData), ["https://a/2.png"]);
    assert.equal(addressesOf(makeTask({ intent: { home }, submission: accepted({ state: "processing" }) })), undefined);
  });
});

/** What a chat page is sent of the tasks whose cards it has drawn: those that changed, in one message, and none that it does not watch. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Emitter } from "../../../../src/base/event";
import type { Task } from "../../../../src/domain/task/task";
import { PictureLooks } from "../../../../src/tasks/results/pictureState";
import type { TaskCardState, TaskCardView } from "../../../../src/chat/contract/chatPageContract";
import { type TaskCardContext, taskCard, TaskCards } from "../../../../src/chat/view/taskCards";
import { accepted, makeTask, savedAt } from "../../../support/builders";
import { createMovedClock } from "../../../support/movedClock";
import { createTemporaryFolder } from "../../../support/temporaryFolder";
import { pngOf, withDeclaredSize } from "../../../support/testImages";

const task = (id: string, state: "queued" | "processing" | "succeeded", checkedAt = 0): Task =>
  makeTask({ intent: { id }, submission: accepted({ state }, { checkedAt }) });
const context = { now: 0, locale: "en-US", urlOf: (path: string) => `page:${path}` };
const viewWith =
  (pictureState: TaskCardContext["pictureState"]) =>
  (one: Task): TaskCardView =>
    taskCard(one, { ...context, pictureState });
const view = viewWith(() => "fits");

function setUp(known: readonly Task[], loaded: Promise<void> = Promise.resolve(), viewOf = view) {
  const clock = createMovedClock();
  const changed = new Emitter<ReadonlySet<string>>();
  const tasks = new Map(known.map((one) => [one.intent.id, one]));
  const posted: (readonly TaskCardState[])[] = [];
  const board = { listed: tasks, onDidChange: changed.event, loaded: () => loaded };
  const states = new TaskCards({ board, clock, viewOf, post: (cards) => posted.push(cards) });
  const set = (id: string, now: Task | undefined): void => {
    if (now) tasks.set(id, now);
    else tasks.delete(id);
    changed.fire(new Set([id]));
  };
  return { clock, posted, states, set };
}
const names = (cards: readonly TaskCardState[] | undefined): (string | undefined)[] | undefined =>
  cards?.map((card) => card.view?.state.name);

describe("the tasks of a chat page", () => {
  it("P2, P3: says at once what is watched, then only what changed, gathered; nothing of others and nothing twice", async () => {
    const { clock, posted, states, set } = setUp([task("a", "queued"), task("b", "queued"), task("c", "queued")]);
    set("a", task("a", "processing"));
    await clock.advance(1000);
    assert.equal(posted.length, 0, "no card is drawn");
    assert.equal(clock.waiting, 0);
    states.watch(["a", "b"]);
    assert.deepEqual(posted.map(names), [["processing", "queued"]]);
    set("b", task("b", "processing"));
    set("b", task("b", "succeeded"));
    set("c", task("c", "processing"));
    await clock.advance(1000);
    assert.deepEqual(posted.map(names).slice(1), [["succeeded"]]);
    set("b", { ...task("b", "succeeded") });
    await clock.advance(1000);
    assert.equal(posted.length, 2, "it reads as before");
  });

  it("P3: a page that is loaded again, or draws a card again, is told again", async () => {
    const { clock, posted, states, set } = setUp([task("a", "queued")]);
    states.watch(["a"]);
    states.reset();
    set("a", task("a", "processing"));
    await clock.advance(1000);
    assert.equal(posted.length, 1);
    states.watch(["a"]);
    states.watch([]);
    states.watch(["a"]);
    assert.deepEqual(posted.map(names), [["queued"], ["processing"], ["processing"]]);
  });

  it("P3: a task that is not known yet is looked for on disk before it is said to be gone; one that is removed is", async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { clock, posted, states, set } = setUp(
      [],
      promise.then(() => undefined),
    );
    states.watch(["old", "gone"]);
    set("old", task("old", "succeeded"));
    await clock.advance(1000);
    assert.deepEqual(posted.map(names), [["succeeded"]]);
    resolve(undefined);
    await clock.advance(0);
    assert.deepEqual(posted[1], [{ id: "gone" }]);
    set("old", undefined);
    await clock.advance(1000);
    assert.deepEqual(posted[2], [{ id: "old" }]);
  });
});

describe("the card of a task", () => {
  it("T9, T10: running: the words of the tree and the money of the task's page, and it can be cancelled", () => {
    const { submission } = task("a", "processing");
    assert.equal(submission.state, "accepted");
    const stale = { since: 0, error: { kind: "unreachable", message: "no" } } as const;
    const shown = view(makeTask({ submission: { ...submission, stale, holdId: "hold-1" } }));
    assert.deepEqual(shown.state, { name: "processing", tone: "running" });
    assert.deepEqual(shown.facts.slice(0, 2), ["video", "model-x"]);
    assert.match(shown.facts[2] ?? "", /^stale since /);
    assert.match(shown.money, /^Reserved at /);
    assert.deepEqual(shown.actions, ["cancel", "open-task"]);
    assert.equal(shown.problem, undefined);
  });

  it("T1: an unknown outcome and a refusal say what they mean, and offer what the tree offers", () => {
    const error = { kind: "timed-out", message: "no response" } as const;
    const unknown = view(makeTask({ submission: { state: "outcome-unknown", error, at: 0 } }));
    assert.deepEqual([unknown.state.tone, unknown.actions], ["attention", ["reconcile", "open-task"]]);
    assert.equal(unknown.money, "Not known whether the gateway has made the task");
    assert.ok(unknown.problem);
    const refused = view(
      makeTask({
        submission: { state: "not-accepted", at: 0, error: { kind: "rejected", message: "no", status: 400 } },
      }),
    );
    assert.deepEqual([refused.state.tone, refused.actions], ["failed", ["send-again", "open-task"]]);
    assert.equal(refused.money, "Not charged");
  });

  it("T8: a result is shown from the results folder only, and can be used", () => {
    const saved = accepted({ state: "succeeded" }, { saved: savedAt("/results/a.png") });
    const { file, actions } = view(makeTask({ submission: saved }));
    assert.deepEqual(file, { kind: "image", url: "page:/results/a.png" });
    assert.deepEqual(actions, ["open-result", "save-into-workspace", "insert-link", "open-task", "more"]);
    const url = { kind: "assets", imageUrl: "https://assets.example/a.png" } as const;
    const remote = accepted({ state: "succeeded", assets: url });
    assert.equal(view(makeTask({ submission: remote })).file, undefined);
  });

  it("P2, T15: a picture is shown once its header has been read, and by its name where decoding it may take gigabytes", async () => {
    const folder = await createTemporaryFolder();
    const name = async (file: string, bytes: Uint8Array): Promise<string> => {
      await writeFile(join(folder.path, file), bytes);
      return join(folder.path, file);
    };
    const small = await name("small.png", await pngOf(4, 4));
    const large = await name("large.png", withDeclaredSize(await pngOf(4, 4), 60_000, 60_000));
    const hidden = await name("hidden.avif", Buffer.from("\0\0\0\x18ftypavif\0\0\0\0mif1miaf", "latin1"));
    const taskOf = (path: string): Task =>
      makeTask({
        intent: { id: path, type: "async-image" },
        submission: accepted({ state: "succeeded" }, { saved: savedAt(path) }),
      });
    const looked: (() => void)[] = [];
    const looks = new PictureLooks(() => looked.forEach((refresh) => refresh()));
    const all = [small, large, hidden].map(taskOf);
    const { clock, posted, states } = setUp(
      all,
      undefined,
      viewWith((path) => looks.of(path)),
    );
    const seen = new Promise<void>((resolve) => {
      let left = all.length;
      looked.push(() => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    states.watch([small, large, hidden]);
    assert.deepEqual(
      posted[0]?.map((card) => card.view?.file),
      [undefined, undefined, undefined],
    );
    await seen;
    states.refresh();
    await clock.advance(1000);
    assert.deepEqual(
      posted[1]?.map((card) => card.view?.file),
      [
        { kind: "image", url: `page:${small}` },
        { kind: "other", name: "large.png", isTooLarge: true },
        { kind: "other", name: "hidden.avif", isTooLarge: true },
      ],
    );
    await folder.remove();
  });
});

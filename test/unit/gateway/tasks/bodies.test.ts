/** The task wire: what is sent, and everything that gateways answer. */
import assert from "node:assert/strict";
import {
  readCreatedLocation,
  readCreatedTask,
  readTask,
  readTaskEvents,
  writeTask,
} from "../../../../src/gateway/tasks/bodies";
import { readTime } from "../../../../src/gateway/tasks/wireValues";

const id = "0b7e7dbe-8f3a-4a5c-9d5e-0123456789ab";

describe("wire: create", () => {
  it("T1: writes the body", () => {
    const request = { type: "stylized-image", model: "m", prompt: "a fox", idempotencyKey: "k" } as const;
    assert.equal(
      writeTask(request, "painter"),
      '{"task_type":"painter","public_model":"m","prompt":"a fox","idempotency_key":"k"}',
    );
    assert.match(writeTask({ ...request, type: "async-image" }, "painter"), /"task_type":"async_image"/);
  });

  it("T1: reads the answer, plain or wrapped; without an id there is none", () => {
    const answer = { task_id: id, status: 1, request_id: "r", hold_id: "h", extra: {} };
    const expected = {
      taskId: id,
      holdId: "h",
      requestId: "r",
      remote: { state: "created", rawStatus: "1" },
      replayed: false,
    };
    assert.deepEqual(readCreatedTask(answer, { replayed: false }), expected);
    assert.deepEqual(readCreatedTask({ code: "success", data: answer }, { replayed: false }), expected);
    assert.deepEqual(readCreatedTask({ task_id: id }, { replayed: true, requestId: "r2" }), {
      taskId: id,
      requestId: "r2",
      remote: { state: "unknown", rawStatus: "" },
      replayed: true,
    });
    // Of the last three no read would ever find a task.
    const without = [
      undefined,
      undefined,
      "",
      {},
      { task_id: "" },
      { task_id: 2 ** 60 },
      { task_id: 1.5 },
      [],
      { data: {} },
    ];
    for (const body of [...without, { task_id: " \n" }, { task_id: "." }, { task_id: ".." }]) {
      assert.equal(readCreatedTask(body, { replayed: false }), undefined);
    }
  });

  it("M19, T1: an id that is a number is read, and one that only the Location has", () => {
    assert.equal(readCreatedTask({ task_id: 7 }, { replayed: false })?.taskId, "7");
    const at = (location?: string): string | undefined => readCreatedLocation(location, { replayed: false })?.taskId;
    assert.deepEqual(
      [`/v1/tasks/${id}`, `https://gateway.example.com/v1/tasks/${id}/?a=b`, `tasks/${id}`, "/v1/tasks/a%20b"].map(
        (location) => at(location),
      ),
      [id, id, id, "a b"],
    );
    for (const other of [
      undefined,
      "",
      "/v1/tasks",
      "/v1/tasks/",
      "/jobs/7",
      "/v1/tasks/7/events",
      "/v1/tasks/%zz",
      "http://[",
    ])
      assert.equal(at(other), undefined, String(other));
  });
});

describe("wire: get", () => {
  it("T4, Q-K6: reads a status as number, text or name, and keeps what it does not know", () => {
    const states = [1, "2", 3, "SUCCEEDED", "task_status_failed", 6, "7", 8, 0, 9, "dreaming", null].map(
      (status) => readTask({ status })?.state,
    );
    const unknown = "unknown";
    assert.deepEqual(states, [
      "created",
      "queued",
      "processing",
      "succeeded",
      "failed",
      "cancelled",
      "expired",
      "refunded",
      unknown,
      unknown,
      unknown,
      unknown,
    ]);
    assert.equal(readTask({ status: "dreaming" })?.rawStatus, "dreaming");
    assert.equal(readTask({ status: 9 })?.rawStatus, "9");
    assert.equal(readTask({ error: "x" }), undefined);
    assert.equal(readTask("<html>"), undefined);
  });

  it("T8, Q-K8: reads the assets from a string or an object, and says when it can't", () => {
    const assets = (value: unknown): unknown => readTask({ status: 4, result_assets_json: value })?.assets;
    const read = { kind: "assets", imageUrl: "https://a/i.png", seed: 7 };
    assert.deepEqual(assets('{"image_url":"https://a/i.png","seed":7,"x":1}'), read);
    assert.deepEqual(assets({ image_url: ["https://a/i.png", "https://a/j.png"], seed: "7" }), read);
    assert.deepEqual(assets('{"video_url":"data:video/webm;base64,AA==","thumbnail_url":"t"}'), {
      kind: "assets",
      videoUrl: "data:video/webm;base64,AA==",
      thumbnailUrl: "t",
    });
    assert.equal(assets(undefined), undefined);
    assert.equal(assets(null), undefined);
    for (const raw of ["", "null", "{", "[]", "{}"]) assert.deepEqual(assets(raw), { kind: "unreadable", raw });
  });

  it("T4, Q-K9, Q-K14, Q-K15, Q-K16: reads errors and times in any form, and nothing where there is nothing", () => {
    const task = readTask({
      task_id: id,
      task_type: 2,
      status: 5,
      public_model: "m",
      created_at: "2026-11-21T12:00:00",
      completed_at: null,
      error_code: 17,
      error_message: { why: "x" },
      new_field: [],
    });
    assert.deepEqual(task, {
      state: "failed",
      rawStatus: "5",
      type: "video",
      model: "m",
      createdAt: Date.parse("2026-11-21T12:00:00Z"),
      errorCode: "17",
      errorMessage: '{"why":"x"}',
    });
    const noon = Date.parse("2026-11-21T12:00:00Z");
    for (const text of [
      "2026-11-21T12:00:00.000Z",
      "2026-11-21 12:00:00",
      "2026-11-21T13:00:00+01:00",
      "2026-11-21T12:00:00.000000Z",
    ]) {
      assert.equal(readTime(text), noon, text);
    }
    assert.equal(readTime(noon / 1000), noon);
    assert.equal(readTime(noon), noon);
    assert.equal(readTime("yesterday"), undefined);
    assert.equal(readTime(noon * 1e3), noon, "microseconds");
    assert.equal(readTime(noon * 1e6), noon, "nanoseconds");
    assert.equal(readTime(1e300), undefined, "no date at all");
    // Else a result would count as a task of 2,000 years ago, whose link has expired: it would never be fetched.
    assert.equal(readTime("0001-01-01T00:00:00Z"), undefined, "Go's time that was never set");
    assert.equal(readTime("1970-01-01T00:00:00Z"), undefined);
    assert.equal(readTime(1), undefined);
    assert.equal(readTask({ status: 1, created_at: { a: 1 } })?.createdAt, undefined);
  });
});

describe("wire: events and models", () => {
  it("T7: gives the events of the list in its order, also of unknown kind", () => {
    const events = readTaskEvents({
      task_events: [
        { task_event_id: "b", event_type: "levitating", status: 3, message: "m", created_at: "2026-11-21T12:00:01Z" },
        { task_event_id: "a", event_type: "created", status: 1, message: "", created_at: "2026-11-21T12:00:00Z" },
        { task_event_id: "b", event_type: "levitating", status: 3, message: "m", created_at: "2026-11-21T12:00:01Z" },
        "nonsense",
      ],
    });
    assert.deepEqual(
      events?.map(({ id, type, state, message }) => [id, type, state, message]),
      [
        ["b", "levitating", "processing", "m"],
        ["a", "created", "created", ""],
        ["b", "levitating", "processing", "m"],
      ],
    );
    assert.deepEqual(readTaskEvents({ task_events: [] }), []);
    assert.equal(readTaskEvents({}), undefined);
  });
});

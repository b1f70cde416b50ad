/** The task wire: what is sent, and everything that gateways answer. */
import assert from "node:assert/strict";
import {
  readCreatedLocation,
  readCreatedTask,
  readTask,
  readTaskEvents,
  writeTask,
} from "../../../../src/gateway/taskBodies";
import { readTime } from "../../../../src/gateway/taskWireValues";

const id = "0b7e7dbe-8f3a-4a5c-9d5e-0123456789ab";

describe("wire: create", () => {
  it("T1: writes the body", () => {
    const order = { type: "stylized-image", model: "m", prompt: "a fox" } as const;
    assert.equal(
      writeTask(order, "k", "painter"),
      '{"task_type":"painter","public_model":"m","prompt":"a fox","idempotency_key":"k"}',
    );
    assert.match(writeTask({ ...order, type: "async-image" }, "k", "painter"), /"task_type":"async_image"/);
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

  it("T8 (field 16b, 16d): a result in a neighbouring form is read: other names, lists, data, NaN, quotes of Python, JSON in JSON", () => {
    const assets = (value: unknown, more: object = {}): unknown =>
      readTask({ status: 4, result_assets_json: value, ...more })?.assets;
    const one = "https://cdn.example/1.png";
    const image = { kind: "assets", imageUrl: one };
    const base64 = `iVBORw0KGgo${"A".repeat(40)}=`;
    const forms: readonly unknown[] = [
      `{"image_url":"${one}","nsfw_score":NaN}`,
      `{"image_url":"${one}","scores":[Infinity, -Infinity, undefined,],}`,
      `{'image_url': '${one}', 'note': 'it\\'s "so"', 'safe': True, 'seed': None}`,
      JSON.stringify(`{"image_url":"${one}"}`),
      JSON.stringify(JSON.stringify({ image_url: one })),
      `{"image_urls":["${one}"]}`,
      `{"images":[{"url":"${one}"}]}`,
      { images: [one] },
      { image: { url: one } },
      { imageUrl: one },
      { output: [one] },
      { output: one },
      { data: [{ url: one, revised_prompt: "https://example.com/a page" }] },
      { result: { files: [{ href: one }] } },
      [one],
      [{ url: one }],
      one,
      JSON.stringify(one),
      {
        url: one,
        input_image_url: "https://cdn.example/in.png",
        urls: { get: "https://gateway.example/t", cancel: "x/y" },
      },
      { image_url: one, callback_url: "https://mine.example/hook" },
    ];
    for (const form of forms) assert.deepEqual(assets(form), image, JSON.stringify(form));
    for (const form of [
      { b64_json: base64 },
      { data: [{ b64_json: base64 }] },
      { image_base64: base64 },
      { images: [{ b64: base64 }] },
      { candidates: [{ content: { parts: [{ inlineData: { mimeType: "image/png", data: base64 } }] } }] },
      { output: [base64] },
    ])
      assert.deepEqual(
        assets(form),
        { kind: "assets", imageUrl: `data:image/png;base64,${base64}` },
        JSON.stringify(form),
      );
    for (const address of ["/v1/files/a.png", "files/a.png", "//cdn.example/a.png", "cdn.example/a.png"])
      assert.deepEqual(assets({ images: [{ url: address }] }), { kind: "assets", imageUrl: address });
    assert.deepEqual(
      assets({ url: "https://cdn.example/x", preview: "https://cdn.example/p.jpg" }, { task_type: "video" }),
      {
        kind: "assets",
        videoUrl: "https://cdn.example/x",
        thumbnailUrl: "https://cdn.example/p.jpg",
      },
    );
    assert.deepEqual(readTask({ status: 4, output: [one] })?.assets, image, "under another name than its own");
    for (const none of ['{"note":"no address"}', '{"image_url":', "{'a': 'b", "a page", { status_url: one }])
      assert.equal((assets(none) as { kind: string }).kind, "unreadable", JSON.stringify(none));
  });

  it("T8 (field 16): the addresses of further results of one task are kept beside the first one", () => {
    const more = (value: unknown): unknown => readTask({ status: 4, result_assets_json: value })?.more;
    assert.deepEqual(more({ image_urls: ["https://a/1.png", "https://a/2.png", "https://a/1.png"] }), [
      "https://a/2.png",
    ]);
    assert.deepEqual(more({ image_url: ["https://a/1.png", "https://a/2.png"] }), ["https://a/2.png"]);
    assert.deepEqual(more({ image_url: "https://a/1.png", images: [{ url: "https://a/3.png" }] }), ["https://a/3.png"]);
    assert.equal(more({ image_url: "https://a/1.png" }), undefined);
    const many = Array.from({ length: 1000 }, (_, at) => `https://a/${at}.png`);
    assert.equal((more({ images: many }) as readonly string[]).length, 20);
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

/** The task wire: what is sent, and everything that gateways answer. */
import assert from "node:assert/strict";
import { readAddress } from "../../../../src/domain/address";
import { endpointUrl, pathSegment } from "../../../../src/gateway/http/addresses";
import {
  readCreatedTask,
  readModels,
  readTask,
  readTaskEvents,
  writeTask,
} from "../../../../src/gateway/tasks/taskWire";
import { readTime } from "../../../../src/gateway/tasks/wireValues";
import { GatewayFailure } from "../../../../src/domain/errors";

const id = "0b7e7dbe-8f3a-4a5c-9d5e-0123456789ab";

describe("wire: create", () => {
  const request = { type: "stylized-image", model: "", prompt: "a fox", idempotencyKey: "k" } as const;

  it("T1: writes the body, without a model when none is chosen", () => {
    assert.equal(writeTask(request, "painter"), '{"task_type":"painter","prompt":"a fox","idempotency_key":"k"}');
    assert.equal(
      writeTask({ ...request, type: "async-image", model: "m" }, "painter"),
      '{"task_type":"async_image","public_model":"m","prompt":"a fox","idempotency_key":"k"}',
    );
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
    const without = [undefined, null, "", {}, { task_id: "" }, { task_id: 7 }, [], { data: {} }];
    for (const body of [...without, { task_id: " \n" }, { task_id: "." }, { task_id: ".." }]) {
      assert.equal(readCreatedTask(body, { replayed: false }), undefined);
    }
  });
});

describe("wire: get", () => {
  it("K6: reads a status as number, text or name, and keeps what it does not know", () => {
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

  it("K8: reads the assets from a string or an object, and says when it can't", () => {
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

  it("K9, K14, K15, K16: reads errors and times in any form, and nothing where there is nothing", () => {
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
    assert.equal(readTask({ status: 1, created_at: { a: 1 } })?.createdAt, undefined);
  });
});

describe("wire: events and models", () => {
  it("K13: gives events oldest first and each once, also of unknown kind", () => {
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
        ["a", "created", "created", ""],
        ["b", "levitating", "processing", "m"],
      ],
    );
    assert.deepEqual(readTaskEvents({ task_events: [] }), []);
    assert.equal(readTaskEvents({}), undefined);
  });

  it("C5: reads the model list in each shape, with what the gateway says of itself", () => {
    const capabilities = {
      family: "chat-completions",
      tools: true,
      note: "made up",
      task_types: ["video", "painter", "x"],
    };
    assert.deepEqual(readModels({ object: "list", data: [{ id: "m", capabilities }, { id: "n" }, {}] }, "painter"), [
      { id: "m", family: "chat-completions", note: "made up", tools: true, taskTypes: ["video", "stylized-image"] },
      { id: "n", family: "chat-completions" },
    ]);
    assert.deepEqual(readModels({ models: [{ name: "models/g" }] }, "painter"), [
      { id: "g", family: "chat-completions" },
    ]);
    assert.deepEqual(readModels({ nothing: 1 }, "painter"), []);
  });

  it("C5: reads whether a model thinks, and how long an answer it can give", () => {
    const read = (model: Readonly<Record<string, unknown>>): unknown => {
      const [{ thinking, outputSize } = {}] = readModels({ data: [{ id: "m", ...model }] }, "painter");
      return [thinking, outputSize];
    };
    assert.deepEqual(read({ capabilities: { thinking: true, max_output_tokens: 9000 } }), [true, 9000]);
    assert.deepEqual(read({ capabilities: { thinking: false } }), [false, undefined]);
    assert.deepEqual(read({ capabilities: ["thinking"], outputTokenLimit: 65_536 }), [true, 65_536]);
    assert.deepEqual(read({ type: "model", max_tokens: 64_000 }), [undefined, 64_000]);
    assert.deepEqual(read({ max_tokens: 200_000 }), [undefined, undefined], "the context, for all we know");
    assert.deepEqual(read({ outputTokenLimit: -1, capabilities: { thinking: "much" } }), [undefined, undefined]);
  });
});

describe("addresses", () => {
  it("C1: takes a base URL with and without the version", () => {
    const url = (base: string): string => endpointUrl(readAddress(base), "/tasks").href;
    assert.equal(url("https://g.example"), "https://g.example/v1/tasks");
    assert.equal(url("https://g.example/"), "https://g.example/v1/tasks");
    assert.equal(url(" https://g.example/v1/ "), "https://g.example/v1/tasks");
    assert.equal(url("https://g.example/api"), "https://g.example/api/v1/tasks");
    assert.equal(url("https://g.example/v1beta//"), "https://g.example/v1beta/tasks");
    assert.throws(() => url("https://g.example/v1?x=1#y"), /may not hold anything after/);
    assert.equal(url("http://127.0.0.1:80/v1"), "http://127.0.0.1/v1/tasks");
  });

  it("C1: refuses http beyond this machine, other schemes and credentials, before anything is sent", () => {
    for (const base of [
      "http://g.example",
      "http://localhost.evil.example",
      "http://127.0.0.1.evil.example",
      "http://a.localhost",
      "ftp://g.example",
      "no url",
      "",
      "https://u:p@g.example",
    ]) {
      assert.throws(
        () => readAddress(base),
        (error) => error instanceof GatewayFailure && error.error.notSent === true,
        base,
      );
    }
    for (const base of ["http://localhost:1", "http://127.0.0.1", "http://[::1]:8", "http://127.0.0.2"])
      readAddress(base);
  });

  it("T1: an id stays one segment of the path", () => {
    assert.equal(pathSegment("a/b?c"), "a%2Fb%3Fc");
    for (const odd of ["", ".", ".."]) assert.throws(() => pathSegment(odd), GatewayFailure);
  });
});

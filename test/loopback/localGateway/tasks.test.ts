/** L1 to L3 on the wire: tasks, results, money. */
import { declaredSizeOf } from "../../../src/domain/media/imageSize";
import assert from "node:assert/strict";
import { createMovedClock } from "../../support/movedClock";
import { errorCode, type GatewayUnderTest, startForTest } from "./support";

describe("local gateway: tasks on the wire", () => {
  let test: GatewayUnderTest;
  const clock = createMovedClock();
  beforeEach(async () => {
    test = await startForTest({ clock });
  });
  afterEach(() => test.end());

  const advance = (ms: number) => test.ask("POST", "/_local/clock", { advance: ms });
  const assetsOf = async (taskId: string): Promise<Record<string, unknown>> => {
    const { json } = await test.ask("GET", `/v1/tasks/${taskId}`);
    assert.equal(typeof json["result_assets_json"], "string");
    return JSON.parse(String(json["result_assets_json"])) as Record<string, unknown>;
  };

  it("L1: create answers 202 with the ids, get the fields of the service, absent ones left out", async () => {
    const created = await test.ask("POST", "/v1/tasks", {
      task_type: "video",
      public_model: "demo-video",
      prompt: "sea",
    });
    assert.equal(created.status, 202);
    assert.deepEqual(Object.keys(created.json), ["task_id", "status", "request_id", "hold_id"]);
    assert.equal(created.json["status"], 1);
    assert.equal(created.json["request_id"], created.headers.get("x-request-id"));
    const read = await test.ask("GET", `/v1/tasks/${String(created.json["task_id"])}`);
    assert.deepEqual(read.json, {
      task_id: created.json["task_id"],
      task_type: 2,
      status: 1,
      public_model: "demo-video",
      created_at: new Date(clock.now()).toISOString(),
    });
  });

  it("L2: a task succeeds on the moved clock, with its events", async () => {
    const taskId = await test.createTask({ task_type: "video" });
    await advance(90_000);
    const { json } = await test.ask("GET", `/v1/tasks/${taskId}`);
    assert.equal(json["status"], 4);
    assert.match(String(json["completed_at"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { json: all } = await test.ask("GET", `/v1/tasks/${taskId}/events?limit=50&offset=0`);
    const events = all["task_events"] as Record<string, unknown>[];
    assert.deepEqual(
      events.map((event) => [event["event_type"], event["status"]]),
      [
        ["created", 1],
        ["submitted", 2],
        ["processing", 3],
        ["succeeded", 4],
      ],
    );
    assert.equal(new Set(events.map((event) => event["task_event_id"])).size, 4);
    const { json: page } = await test.ask("GET", `/v1/tasks/${taskId}/events?limit=2&offset=1`);
    assert.deepEqual(page["task_events"], events.slice(1, 3));
    for (const query of ["limit=0", "limit=201", "offset=-1", "limit=x"]) {
      assert.equal((await test.ask("GET", `/v1/tasks/${taskId}/events?${query}`)).status, 400, query);
    }
  });

  it("L2: a picture comes as PNG, whole, in ranges and with its ETag, without the key", async () => {
    const taskId = await test.createTask({ metadata_json: { seed: 42 } });
    await advance(20_000);
    const { image_url, thumbnail_url, seed } = await assetsOf(taskId);
    assert.equal(seed, 42);
    const url = String(image_url);
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    assert.equal(whole.subarray(1, 4).toString(), "PNG");
    assert.deepEqual([whole.readUInt32BE(16), whole.readUInt32BE(20)], [768, 512]);
    const thumbnail = Buffer.from(await (await fetch(String(thumbnail_url))).arrayBuffer());
    assert.ok(thumbnail.length < whole.length / 3);
    const part = async (range: string): Promise<[number, string | null, Buffer]> => {
      const response = await fetch(url, { headers: { range } });
      return [response.status, response.headers.get("content-range"), Buffer.from(await response.arrayBuffer())];
    };
    const size = whole.length;
    assert.deepEqual(await part("bytes=0-9"), [206, `bytes 0-9/${size}`, whole.subarray(0, 10)]);
    assert.deepEqual(await part("bytes=-5"), [206, `bytes ${size - 5}-${size - 1}/${size}`, whole.subarray(-5)]);
    assert.deepEqual(await part(`bytes=${size - 3}-`), [
      206,
      `bytes ${size - 3}-${size - 1}/${size}`,
      whole.subarray(-3),
    ]);
    assert.deepEqual((await part(`bytes=${size}-`)).slice(0, 2), [416, `bytes */${size}`]);
    assert.deepEqual((await part("lines=1-2"))[0], 200);
    const etag = (await fetch(url, { method: "HEAD" })).headers.get("etag") ?? "";
    assert.equal((await fetch(url, { headers: { "if-none-match": etag } })).status, 304);
  });

  it("L2 (newuser H3): a picture has the size and the format that were asked for, its thumbnail the same shape", async () => {
    for (const [metadata, name, width, height] of [
      [{ size: "1024x1024" }, "image.png", 1024, 1024],
      [{ size: "320x640", seed: 7 }, "image.png", 320, 640],
      [{ aspect_ratio: "1:1" }, "image.png", 628, 628],
      [{ size: "auto", format: "png" }, "image.png", 768, 512],
      [{ size: "200x100", output_format: "image/jpeg" }, "image.jpg", 200, 100],
    ] as const) {
      const taskId = await test.createTask({ prompt: "a boat", metadata_json: metadata });
      await advance(20_000);
      const { image_url, thumbnail_url } = await assetsOf(taskId);
      const answer = await fetch(String(image_url));
      assert.match(new URL(String(image_url)).pathname, new RegExp(`/${name.replace(".", "\\.")}$`));
      const type = name.endsWith(".png") ? "image/png" : "image/jpeg";
      assert.equal(answer.headers.get("content-type"), type);
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.deepEqual(declaredSizeOf(bytes, type), { width, height });
      const small = Buffer.from(await (await fetch(String(thumbnail_url))).arrayBuffer());
      const longer = Math.max(width, height);
      const scale = Math.min(1, 240 / longer);
      const thumbnail = { width: Math.round(width * scale), height: Math.round(height * scale) };
      assert.deepEqual(declaredSizeOf(small, "image/png"), thumbnail);
    }
  });

  it("L2 (newuser H3): what it can't make is refused in one line with what it can, and nothing is reserved", async () => {
    for (const [task_type, metadata_json, words] of [
      ["async_image", { size: "9000x9000" }, /^metadata_json\.size: .* up to 2048x2048 pixels/],
      ["async_image", { size: "large" }, /such as 1536x1024/],
      ["async_image", { size: "8x8" }, /such as 1536x1024/],
      ["async_image", { format: "avif" }, /png or jpeg or webp only/],
      ["async_image", { aspect_ratio: "9:1" }, /from 1:4 to 4:1/],
      ["video", { size: "481x321" }, /even sizes up to 1920x1080/],
      ["video", { duration: 600 }, /up to 60 seconds/],
      ["video", { duration: "long" }, /up to 60 seconds/],
      ["video", { format: "webm" }, /mp4 only/],
    ] as const) {
      const { status, json } = await test.ask("POST", "/v1/tasks", { task_type, prompt: "a boat", metadata_json });
      assert.equal(status, 400, JSON.stringify(metadata_json));
      const { message } = json["error"] as { message: string };
      assert.match(message, words);
      assert.doesNotMatch(message, /\n/);
    }
    assert.equal(test.gateway.balance.held, 0);
  });

  it("L1 (newuser H3): the events say where the words can't be drawn", async () => {
    for (const [prompt, isDrawn] of [
      ["a fox", false],
      ["a boat", true],
    ] as const) {
      const taskId = await test.createTask({ prompt });
      await advance(20_000);
      const { json } = await test.ask("GET", `/v1/tasks/${taskId}/events`);
      assert.equal(/draws hills/.test(JSON.stringify(json)), !isDrawn, prompt);
    }
  });

  it("L2: a link is refused when it was changed and after its time; a new read gives a new one", async () => {
    const taskId = await test.createTask();
    await advance(20_000);
    const url = String((await assetsOf(taskId))["image_url"]);
    assert.equal((await fetch(url.replace("image.png", "thumbnail.png"))).status, 403);
    await advance(2 * 3_600_000);
    assert.equal((await fetch(url)).status, 410);
    assert.equal((await fetch(String((await assetsOf(taskId))["image_url"]))).status, 200);
  });

  it("L2: a video comes as MP4 with a thumbnail", async () => {
    const taskId = await test.createTask({ task_type: "video" });
    await advance(90_000);
    const { video_url, thumbnail_url, image_url } = await assetsOf(taskId);
    assert.equal(image_url, undefined);
    const video = await fetch(String(video_url));
    assert.equal(video.headers.get("content-type"), "video/mp4");
    assert.equal(Buffer.from(await video.arrayBuffer()).toString("latin1", 4, 8), "ftyp");
    assert.equal((await fetch(String(thumbnail_url))).headers.get("content-type"), "image/png");
  });

  it("L1: a failed task has its error, a stuck one expires, and neither is charged", async () => {
    const failed = await test.createTask({ prompt: "a hill [fail]" });
    const stuck = await test.createTask({ prompt: "a hill [stuck]" });
    await advance(15 * 60_000);
    const { json } = await test.ask("GET", `/v1/tasks/${failed}`);
    assert.equal(json["status"], 5);
    assert.ok(json["error_code"] && json["error_message"]);
    assert.equal((await test.ask("GET", `/v1/tasks/${stuck}`)).json["status"], 7);
    assert.deepEqual(test.gateway.balance, { deposited: 100_000, available: 100_000, held: 0, spent: 0 });
  });

  it("L1: cancel answers 200 once with the reason among the events, then 409", async () => {
    const taskId = await test.createTask();
    const cancelled = await test.ask("POST", `/v1/tasks/${taskId}/cancel`, { reason: "wrong colour" });
    assert.deepEqual([cancelled.status, cancelled.json["status"]], [200, 6]);
    const { json } = await test.ask("GET", `/v1/tasks/${taskId}/events`);
    const [, last] = json["task_events"] as Record<string, unknown>[];
    assert.equal(last!["event_type"], "cancelled");
    assert.match(String(last!["message"]), /wrong colour/);
    const again = await test.ask("POST", `/v1/tasks/${taskId}/cancel`, { reason: "again" });
    assert.deepEqual([again.status, errorCode(again)], [409, "task_already_terminal"]);
    assert.equal(test.gateway.balance.available, 100_000);
  });

  it("L3: the same key and body is answered with the first task, another body with 409", async () => {
    const body = { task_type: "video", prompt: "sea", idempotency_key: "k", metadata_json: { a: 1, b: 2 } };
    const first = await test.ask("POST", "/v1/tasks", body);
    assert.equal(first.headers.get("idempotent-replayed"), null);
    await advance(5_000);
    const again = await test.ask("POST", "/v1/tasks", { ...body, metadata_json: { b: 2, a: 1 } });
    assert.equal(again.status, 202);
    assert.deepEqual(again.json, first.json);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    const other = await test.ask("POST", "/v1/tasks", { ...body, prompt: "hill" });
    assert.deepEqual([other.status, errorCode(other)], [409, "idempotency_key_conflict"]);
    assert.equal(test.gateway.openHolds, 1);
  });

  it("L3: identical creates at once make one hold", async () => {
    const body = { task_type: "video", prompt: "sea", idempotency_key: "k" };
    const made = await Promise.all(Array.from({ length: 30 }, () => test.ask("POST", "/v1/tasks", body)));
    assert.deepEqual([...new Set(made.map(({ status }) => status))], [202]);
    assert.equal(new Set(made.map(({ json }) => json["hold_id"])).size, 1);
    assert.equal(made.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1);
    assert.equal(test.gateway.balance.held, 1200);
  });

  it("L3: a balance too low is 402 and makes no task", async () => {
    await test.end();
    test = await startForTest({ clock, deposit: 1000 });
    const refused = await test.ask("POST", "/v1/tasks", { task_type: "video", prompt: "sea" });
    assert.deepEqual([refused.status, errorCode(refused)], [402, "insufficient_balance"]);
    assert.deepEqual(test.gateway.balance, { deposited: 1000, available: 1000, held: 0, spent: 0 });
  });

  it("L3: the ledger tells every entry with its task", async () => {
    const taskId = await test.createTask();
    await advance(20_000);
    const { json } = await test.ask("GET", "/_local/ledger");
    const entries = json["entries"] as Record<string, unknown>[];
    assert.deepEqual(
      entries.map((entry) => [entry["type"], entry["taskId"]]),
      [
        ["deposit", undefined],
        ["hold", taskId],
        ["settle", taskId],
      ],
    );
    assert.notEqual(entries[2]!["amount"], entries[1]!["amount"], "the usage differs from the estimate");
    assert.deepEqual(json["balance"], test.gateway.balance);
  });

  it("L1: wrong requests are refused with the field, and unknown models with 404", async () => {
    const wrong: [Record<string, unknown>, number, string][] = [
      [{ task_type: "video", prompt: 5 }, 400, "invalid_request"],
      [{ task_type: "video", metadata_json: "x" }, 400, "invalid_request"],
      [{ task_type: "video", metadata_json: [] }, 400, "invalid_request"],
      [{ prompt: "x" }, 400, "invalid_request"],
      [{ task_type: "video", public_model: "none" }, 404, "model_not_found"],
      [{ task_type: "video", public_model: "demo-image" }, 400, "invalid_request"],
    ];
    for (const [body, status, code] of wrong) {
      const refused = await test.ask("POST", "/v1/tasks", body);
      assert.deepEqual([refused.status, errorCode(refused)], [status, code], JSON.stringify(body));
    }
    assert.equal(test.gateway.openHolds, 0);
  });

  it("L2 (finding 26): a clock that goes by itself can't be moved, and the flag that helps is named", async () => {
    const other = await startForTest();
    const refused = await other.ask("POST", "/_local/clock", { advance: 1 });
    assert.deepEqual([refused.status, refused.text.includes("--movable-clock")], [409, true]);
    await other.end();
  });
});

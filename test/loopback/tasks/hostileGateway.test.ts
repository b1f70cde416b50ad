/** A gateway whose responses break the schema: the task is kept, the next one can be submitted, and nothing is sent twice. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type AppOverGateway, openAppOverGateway } from "../../support/appOverGateway";
import { serve, type TestServer } from "../gateway/rawServer";

const wanted = { type: "video", model: "model-x", prompt: "a hill" } as const;
const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;

type Answer = (response: ServerResponse) => void;
const json =
  (text: string, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);

describe("a hostile gateway", () => {
  let over: AppOverGateway;
  let server: TestServer;
  let create: Answer;
  let read: Answer;
  beforeEach(async () => {
    over = await openAppOverGateway({ polls: false });
    server = await serve((response, { method, url }) => {
      if (method === "POST" && url === "/v1/tasks") create(response);
      else if (url.startsWith("/v1/tasks/")) read(response);
      else response.writeHead(404).end();
    });
    over.baseUrl.set(server.url);
    over.setKey("sk-canary-0123456789abcdef");
    await over.connections.refresh();
  });
  afterEach(async () => {
    await over.close();
    await server.close();
  });
  const creates = (): number =>
    server.received.filter(({ method, url }) => method === "POST" && url === "/v1/tasks").length;
  const submit = async () => {
    const [id] = await over.app.outbox.submit([wanted]);
    return over.app.board.listed.get(id!)!;
  };

  const cases: readonly (readonly [string, Answer, string, boolean?])[] = [
    ["a pause without end", json("{}", 429, { "retry-after": "1e308" }), "not-accepted", true],
    [
      "a pause without end in the body",
      json(JSON.stringify({ error: { message: "no", details: [{ retryDelay: `${"9".repeat(400)}s` }] } }), 429),
      "not-accepted",
      true,
    ],
    ["a half of a surrogate pair as id", json('{"task_id":"\\ud800","status":1}'), "outcome-unknown"],
    ["an id with a zero byte", json('{"task_id":"a\\u0000b","status":1}'), "accepted"],
    ["an id with path characters", json('{"task_id":"../../admin?x=1#y","status":1}'), "accepted"],
    ["a deep hold", json(`{"task_id":"t1","status":1,"hold_id":${nested}}`), "accepted"],
    ["a deep status", json(`{"task_id":"t1","status":${nested}}`), "accepted"],
    [
      "times beyond all dates",
      json('{"task_id":"t1","status":1,"created_at":1e19,"completed_at":"-271821-04-20T00:00:00Z"}'),
      "accepted",
    ],
    [
      "numbers beyond all numbers",
      json(
        '{"task_id":"t1","status":4,"created_at":1e999,"result_assets_json":{"image_url":"https://x.example/a","seed":1e999}}',
      ),
      "accepted",
    ],
    [
      "a prototype",
      json('{"__proto__":{"task_id":"evil"},"constructor":1,"task_id":"t1","status":"__proto__"}'),
      "accepted",
    ],
    ["an id of 3 MB", json(`{"task_id":"${"x".repeat(3e6)}","status":1}`), "outcome-unknown"],
  ];
  for (const [name, answer, state, pauses = false] of cases) {
    it(`T1, R6: ${name}: the task is ${state}, also on disk, and the next one is sent`, async () => {
      create = answer;
      read = json('{"status":3}');
      const task = await submit();
      assert.equal(task.submission.state, state, JSON.stringify(task.submission).slice(0, 500));
      assert.equal(over.app.board.unwritten.current, undefined);
      if (task.submission.state === "accepted") {
        const gateway = await over.connections.find(task.intent.home);
        assert.equal((await gateway.getTask(task.submission.taskId)).state, "processing");
        assert.match(server.received.at(-1)?.url ?? "", /^\/v1\/tasks\/[^/?#]+$/);
      }
      create = json('{"task_id":"t2","status":1}');
      assert.equal((await submit()).submission.state, pauses ? "not-accepted" : "accepted");
      assert.equal(over.app.board.unwritten.current, undefined);
      const app = await over.restartApp();
      assert.equal(app.board.listed.get(task.intent.id)?.submission.state, state);
      assert.equal(creates(), pauses ? 1 : 2);
    });
  }
});

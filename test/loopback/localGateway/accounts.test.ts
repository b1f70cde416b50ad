/** L3, T3: several accounts with their own key, money and tasks, and task types that are switched off. */
import assert from "node:assert/strict";
import { createMovedClock } from "../../support/movedClock";
import { type Answered, errorCode, type GatewayUnderTest, request, startForTest } from "./support";

type Body = Record<string, unknown>;

describe("local gateway: accounts", () => {
  let test: GatewayUnderTest;
  const clock = createMovedClock();
  beforeEach(async () => {
    test = await startForTest({ clock });
  });
  afterEach(() => test.end());

  const open = async (name?: string): Promise<{ readonly url: string; readonly key: string }> => {
    const { json, status, text } = await test.ask("POST", "/_local/accounts", name === undefined ? {} : { name });
    assert.equal(status, 201, text);
    return { url: test.gateway.url, key: String(json["key"]) };
  };
  const image = { task_type: "async_image", prompt: "a hill", idempotency_key: "one key" };
  const switchType = (fields: object): Promise<Answered> => test.ask("POST", "/_local/task-types", fields);
  const balanceOf = async (key: string): Promise<Record<string, number>> =>
    (await request({ url: test.gateway.url, key }, "GET", "/_local/balance")).json as Record<string, number>;

  it("L3: each account pays for its own tasks and answers, and has its own ledger", async () => {
    const other = await open("studio");
    const mine = await test.ask("POST", "/v1/tasks", image);
    const theirs = await request(other, "POST", "/v1/tasks", image);
    assert.notEqual(mine.json["task_id"], theirs.json["task_id"], "an idempotency key is the account's");
    await request(other, "POST", "/v1/chat/completions", {
      model: "demo-chat",
      messages: [{ role: "user", content: "hello" }],
    });
    await clock.advance(30_000);
    const [own, second] = [await balanceOf(test.gateway.key), await balanceOf(other.key)];
    for (const { available, held, spent, deposited } of [own, second]) {
      assert.equal(available! + held! + spent!, deposited);
      assert.ok(spent! > 0);
    }
    assert.ok(second["spent"]! > own["spent"]!, "the answer too");
    const { json } = await request(other, "GET", "/_local/ledger");
    const types = (json["entries"] as Body[]).map(({ type }) => type);
    assert.deepEqual(types, ["deposit", "hold", "hold", "settle", "settle"]);
    assert.deepEqual(json["balance"], Object.fromEntries(Object.entries(second).filter(([name]) => name !== "unit")));
  });

  it("L3: an account sees no task of another one, and can't run the gateway", async () => {
    const other = await open();
    const id = await test.createTask();
    const asked = [
      await request(other, "GET", `/v1/tasks/${id}`),
      await request(other, "GET", `/v1/tasks/${id}/events`),
      await request(other, "POST", `/v1/tasks/${id}/cancel`, {}),
    ];
    assert.deepEqual(asked.map(errorCode), ["task_not_found", "task_not_found", "task_not_found"]);
    const refused = [
      await request(other, "GET", "/_local/accounts"),
      await request(other, "POST", "/_local/accounts", {}),
      await request(other, "POST", "/_local/task-types", { task_type: "video", enabled: true }),
      await request(other, "POST", "/_local/deposit", { amount: 5, account: "main" }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403, 403],
    );
    assert.equal((await request(other, "POST", "/_local/deposit", { amount: 5 })).json["available"], 100_005);
    assert.equal((await request({ ...other, key: "sk-local-none" }, "GET", "/v1/models")).status, 401);
  });

  it("L3: accounts have names of their own, are bounded, and are there again after a restart", async () => {
    const other = await open("studio");
    assert.equal(errorCode(await test.ask("POST", "/_local/accounts", { name: "studio" })), "account_exists");
    assert.equal((await test.ask("POST", "/_local/accounts", { name: "<b>" })).status, 400);
    await switchType({ task_type: "video", enabled: false, account: "studio" });
    await test.ask("POST", "/_local/deposit", { amount: 7, account: "studio" });
    const { stateDir } = test;
    await test.gateway.close();
    test = await startForTest({ clock, stateDir, accounts: ["studio", "third"], typesOff: ["async_image"] });
    const { json } = await test.ask("GET", "/_local/accounts");
    const accounts = json["accounts"] as { name: string; key: string; task_types: Body[]; balance: Body }[];
    assert.deepEqual(
      accounts.map(({ name, task_types, balance }) => [
        name,
        task_types.flatMap(({ task_type, enabled }) => (enabled === true ? [] : [task_type])),
        balance["available"],
      ]),
      [
        ["main", ["async_image"], 100_000],
        ["studio", ["video"], 100_007],
        ["third", [], 100_000],
      ],
    );
    assert.equal(accounts[1]!.key, other.key);
    for (let count = accounts.length; count < 20; count += 1) await open();
    assert.equal((await test.ask("POST", "/_local/accounts", {})).status, 400);
  });

  it("T3: a task of a type that is off is refused as the platform does it, and a known key still finds its task", async () => {
    const other = await open();
    const first = await test.ask("POST", "/v1/tasks", image);
    const { json } = await switchType({ task_type: "async_image", enabled: false });
    assert.equal((json["task_types"] as Body[]).find(({ type }) => type === "async_image")!["enabled"], false);
    const refused = await test.ask("POST", "/v1/tasks", { ...image, idempotency_key: "another" });
    assert.deepEqual([refused.status, errorCode(refused)], [403, "task_type_not_enabled"]);
    assert.equal(test.gateway.openHolds, 1);
    assert.equal((await test.ask("POST", "/v1/tasks", image)).json["task_id"], first.json["task_id"]);
    assert.equal((await request(other, "POST", "/v1/tasks", image)).status, 202, "the other account has it");
    await switchType({ task_type: "async_image", enabled: true });
    assert.equal((await test.ask("POST", "/v1/tasks", { ...image, idempotency_key: "another" })).status, 202);
    for (const wrong of [{ task_type: "none", enabled: true }, { task_type: "video" }]) {
      assert.equal((await switchType(wrong)).status, 400);
    }
    assert.equal((await switchType({ task_type: "video", enabled: true, account: "none" })).status, 404);
  });

  it("L6: the newest entries of the ledger, as the page shows them", async () => {
    for (let count = 0; count < 15; count += 1) await test.createTask({ prompt: `hill ${count}` });
    await clock.advance(30_000);
    const { json } = await test.ask("GET", "/_local/ledger?last=20");
    const all = (await test.ask("GET", "/_local/ledger")).json["entries"] as Body[];
    assert.ok(all.length > 20);
    assert.deepEqual(json["entries"], all.slice(-20));
    assert.equal(((await test.ask("GET", "/_local/ledger?last=x")).json["entries"] as Body[]).length, all.length);
  });
});

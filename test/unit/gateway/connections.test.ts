/** Where a key goes: to the origin that it is kept for, whatever a stored home says. */
import assert from "node:assert/strict";
import { Emitter } from "../../../src/base/event";
import { Store } from "../../../src/base/store";
import { AppFailure } from "../../../src/domain/errors/appError";
import type { Gateway } from "../../../src/domain/ports";
import type { TaskHome } from "../../../src/domain/task/task";
import { type KeyAccounts, GatewayConnections } from "../../../src/gateway/connections";
import { keptAccounts, keptLog, makeGateway } from "../../support/builders";

const origin = "https://gateway.example";
const key = "sk-canary-0123456789";

describe("connections", () => {
  let connections: GatewayConnections;
  let connected: { readonly baseUrl: string; readonly key: string }[];
  let baseUrl: Store<string>;
  let home: TaskHome;
  let accounts: KeyAccounts;
  let stored: string | undefined;
  let keySet: Emitter<string>;
  beforeEach(async () => {
    accounts = keptAccounts();
    keySet = new Emitter();
    stored = key;
    connected = [];
    keySet = new Emitter();
    baseUrl = new Store(`${origin}/v1`);
    connections = new GatewayConnections({
      baseUrl,
      keys: {
        read: (asked) => Promise.resolve(asked === origin ? stored : undefined),
        onDidChange: keySet.event,
      },
      accounts,
      local: {
        start: () => Promise.resolve({ url: "http://127.0.0.1:4000", key: "sk-local" }),
        onDidExit: new Emitter<void>().event,
      },
      connect(endpoint): Gateway {
        connected.push(endpoint);
        return makeGateway({});
      },
      log: keptLog(),
    });
    await connections.refresh();
    ({ home } = await connections.ready());
    connected.length = 0;
  });
  afterEach(() => connections.dispose());

  const refused = async (change: Partial<TaskHome>): Promise<void> => {
    await assert.rejects(connections.find({ ...home, ...change }), (failure) => {
      assert.ok(failure instanceof AppFailure);
      assert.equal(failure.error.kind, "unreachable");
      assert.equal(failure.error.notSent, true);
      assert.match(failure.message, /address/);
      assert.doesNotMatch(failure.message, /canary/);
      return true;
    });
    assert.deepEqual(connected, []);
  };

  it("C2, T4 (finding 13): the same key set again is a change, so that what waits for a key is tried", async () => {
    let changes = 0;
    connections.current.onDidChange(() => (changes += 1));
    await connections.refresh();
    assert.deepEqual([changes], [0]);
    keySet.fire(origin);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([changes], [1]);
    // Also where something else looks at the connection before this attempt has ended.
    keySet.fire(origin);
    await connections.refresh();
    await connections.refresh();
    assert.deepEqual([changes], [2]);
  });

  it("C2 (finding S8): a stored home whose address is not of its origin gets no key", async () => {
    for (const address of [
      "https://evil.example/v1",
      "https://gateway.example.evil.example",
      "https://gateway.example:444",
      "http://gateway.example",
      "https://gateway.example@evil.example/",
      "https://evil.example\\@gateway.example",
      "http://127.0.0.1:4000",
      "gateway.example",
      "",
    ]) {
      await refused({ baseUrl: address });
    }
    await refused({ origin: "", baseUrl: home.baseUrl });
  });

  it("C2 (finding S8): a home of the same origin goes to its own address there", async () => {
    await connections.find({ ...home, baseUrl: `${origin}/team/v1` });
    assert.deepEqual(connected, [{ baseUrl: `${origin}/team/v1`, key }]);
  });

  it("C2 (finding S8): a task of the local gateway goes to where that runs now, whatever its home says", async () => {
    await connections.find({ origin: "local", baseUrl: "https://evil.example", account: "any" });
    assert.deepEqual(connected, [{ baseUrl: "http://127.0.0.1:4000", key: "sk-local" }]);
  });

  it("C1 (finding 36): one rule says which addresses may be set and which may be spoken to", async () => {
    const may = async (address: string): Promise<boolean> => {
      baseUrl.set(address);
      await connections.refresh();
      return connections.current.current.state !== "failed";
    };
    for (const good of ["https://a.example", "http://localhost:1", "http://127.0.0.2:1/v1", "http://[::1]:1"]) {
      assert.equal(await may(good), true, good);
    }
    // A name below localhost is looked up like any other where the system has no rule for it.
    for (const bad of ["http://a.localhost", "http://a.example", "https://u:p@a.example", "ftp://a.example", "x"]) {
      assert.equal(await may(bad), false, bad);
    }
  });

  it("C2: an address that brings a key along is refused before it is kept anywhere", async () => {
    for (const address of ["https://a.example/v1?key=sk-1", "https://a.example/v1#sk-1"]) {
      baseUrl.set(address);
      await connections.refresh();
      const { current } = connections.current;
      assert.ok(current.state === "failed");
      assert.doesNotMatch(current.error.message, /sk-1/);
    }
  });

  describe("a replaced key", () => {
    const next = "sk-next-9876543210";
    /** Stores a key as the command does, after the person has said whose it is. */
    const replace = async (to: string, account: string | undefined): Promise<void> => {
      await accounts.assign(origin, to, account);
      stored = to;
      keySet.fire(origin);
      await connections.refresh();
    };
    const isMissing = async (of: TaskHome, code: string): Promise<void> => {
      await assert.rejects(connections.find(of), (failure) => {
        assert.ok(failure instanceof AppFailure);
        assert.deepEqual([failure.error.kind, failure.error.code, failure.error.notSent], ["signed-out", code, true]);
        assert.ok(failure.message.startsWith(of.account.slice(0, 6)), "the row says which account's key is missing");
        return true;
      });
    };

    it("C2 (finding 7): of the same account, its tasks go on under the new key, and new tasks are of the same account", async () => {
      await replace(next, home.account);
      await connections.find(home);
      assert.deepEqual(connected.at(-1), { baseUrl: `${origin}/v1`, key: next });
      assert.equal((await connections.ready()).home.account, home.account);
      const { keyId } = await connections.ready();
      await replace("sk-third", home.account);
      const third = await connections.ready();
      assert.equal(third.home.account, home.account);
      assert.notEqual(third.keyId, keyId);
      assert.doesNotMatch(third.keyId, /third/);
    });

    it("C2: of another account, the old tasks wait for a key of theirs, and go on when it is set again", async () => {
      await replace(next, undefined);
      await isMissing(home, "other-account");
      const other = (await connections.ready()).home;
      assert.notEqual(other.account, home.account);
      stored = undefined;
      await isMissing(home, "no-key");
      stored = key;
      await connections.find(home);
      await isMissing(other, "other-account");
    });

    it("C2: a task that another window submitted before it learnt whose key it was belongs to the account too", async () => {
      stored = next;
      await connections.refresh();
      const early = (await connections.ready()).home;
      assert.notEqual(early.account, home.account);
      await accounts.assign(origin, next, home.account);
      await connections.find(early);
      await connections.refresh();
      assert.equal((await connections.ready()).home.account, home.account, "the home is read anew");
      stored = key;
      await connections.find(early);
    });

    it("C2: an account that turns out to be another one's takes its own keys along", async () => {
      await accounts.assign(origin, next, undefined);
      const { ofKey } = await accounts.at(origin);
      await accounts.assign(origin, "sk-third", ofKey(next));
      await accounts.assign(origin, next, home.account);
      const after = await accounts.at(origin);
      assert.deepEqual([next, "sk-third", key].map(after.ofKey), [home.account, home.account, home.account]);
      assert.deepEqual([next, "sk-other"].map(after.isAssigned), [true, false]);
    });
  });
});

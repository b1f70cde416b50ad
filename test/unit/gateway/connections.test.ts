/** Where a key goes: to the origin that it is kept for, whatever a stored home says. */
import assert from "node:assert/strict";
import { Emitter } from "../../../src/base/event";
import { Store } from "../../../src/base/store";
import { GatewayFailure } from "../../../src/domain/errors";
import type { Gateway } from "../../../src/domain/ports";
import type { TaskHome } from "../../../src/domain/task";
import { GatewayConnections } from "../../../src/gateway/connections";
import { keptLog, makeGateway } from "../../support/builders";

const origin = "https://gateway.example";
const key = "sk-canary-0123456789";

describe("connections", () => {
  let connections: GatewayConnections;
  let connected: { readonly baseUrl: string; readonly key: string }[];
  let baseUrl: Store<string>;
  let home: TaskHome;
  beforeEach(async () => {
    connected = [];
    baseUrl = new Store(`${origin}/v1`);
    connections = new GatewayConnections({
      baseUrl,
      keys: {
        read: (asked) => Promise.resolve(asked === origin ? key : undefined),
        onDidChange: new Emitter<string>().event,
      },
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
      assert.ok(failure instanceof GatewayFailure);
      assert.equal(failure.error.kind, "unreachable");
      assert.equal(failure.error.notSent, true);
      assert.match(failure.message, /address/);
      assert.doesNotMatch(failure.message, /canary/);
      return true;
    });
    assert.deepEqual(connected, []);
  };

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
});

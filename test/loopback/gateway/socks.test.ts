/** SOCKS5 proxies on real sockets: what they are asked, how they can refuse, and that they learn nothing. */
import assert from "node:assert/strict";
import { definedFields } from "../../../src/base/definedFields";
import { Store } from "../../../src/base/store";
import { defaultNetworkSettings } from "../../../src/domain/gateway/networkSettings";
import { createHarness, type EndpointOptions, failure, json } from "./harness";
import { serveTls, testsOnlyCa } from "./proxyServer";
import { closedPort } from "./rawServer";
import { serveSocks, type SocksBehaviour, type TestSocks } from "./socksServer";

describe("httpGateway: SOCKS proxies", () => {
  const { connect, start } = createHarness();
  const closing: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of closing.splice(0)) await one.close();
  });
  const startTls = async (): Promise<number> => {
    const server = await serveTls((_, response) => json(response, 200, { data: [{ id: "m" }], task_id: "t" }));
    closing.push(server);
    return server.port;
  };
  const startSocks = async (behaviour?: SocksBehaviour, host?: string): Promise<TestSocks> => {
    const socks = await serveSocks(behaviour, host);
    closing.push(socks);
    return socks;
  };
  const over = (proxy: string | undefined, more: Readonly<Record<string, string>> = {}): EndpointOptions => ({
    network: {
      settings: new Store({ ...defaultNetworkSettings, ...definedFields({ proxy }) }),
      environment: { NODE_EXTRA_CA_CERTS: testsOnlyCa(), ...more },
    },
    limits: { connect: 20_000 },
  });

  it("C4, C2: goes through it, lets it look up the name, and shows it nothing of the key", async () => {
    const port = await startTls();
    const socks = await startSocks();
    for (const scheme of ["socks5", "socks5h", "socks"]) {
      const gateway = connect(`https://gateway.test:${port}`, over(`${scheme}://127.0.0.1:${socks.port}`));
      assert.equal((await gateway.listModels())[0]?.id, "m");
    }
    assert.deepEqual(socks.targets, Array(3).fill(`gateway.test:${port}`));
    assert.ok(socks.relayed.length > 0);
    assert.doesNotMatch(Buffer.concat(socks.relayed).toString("latin1"), /canary/);
  });

  it("C4: ALL_PROXY names one; a certificate that is not trusted is none inside either", async () => {
    const port = await startTls();
    const socks = await startSocks();
    const all = `socks5://127.0.0.1:${socks.port}`;
    await connect(`https://gateway.test:${port}`, over(undefined, { ALL_PROXY: all })).listModels();
    const distrusting = over(undefined, { all_proxy: all, NODE_EXTRA_CA_CERTS: "" });
    const error = await failure(connect(`https://gateway.test:${port}`, distrusting).createTask("{}"));
    assert.match(error.message, /certificate is not trusted.*through the proxy/);
    assert.equal(error.notSent, true);
    assert.equal(socks.targets.length, 2);
  });

  it("C4: addresses are sent as such, in six or four groups", async () => {
    const socks = await startSocks({ reply: 1 });
    for (const host of ["192.0.2.7", "[2001:db8::7]", "[::ffff:192.0.2.7]", "[fd00:1:2:3:4:5:6:7]"]) {
      await failure(connect(`https://${host}`, over(`socks5://127.0.0.1:${socks.port}`)).createTask("{}"));
    }
    assert.deepEqual(socks.targets, [
      "c0000207:443",
      "20010db8000000000000000000000007:443",
      "00000000000000000000ffffc0000207:443",
      "fd000001000200030004000500060007:443",
    ]);
  });

  it("C4: a proxy at an IPv6 address, one that answers byte by byte, and each way to say where it stands", async () => {
    const port = await startTls();
    const name = [3, 3, 97, 98, 99, 0, 80];
    const six = [4, ...Array<number>(18).fill(0)];
    for (const [behaviour, host] of [
      [{}, "::1"],
      [{ slowly: true, bound: name }, "127.0.0.1"],
      [{ bound: six }, "127.0.0.1"],
    ] as const) {
      const socks = await startSocks(behaviour, host);
      const address = host === "::1" ? "[::1]" : host;
      const gateway = connect(`https://gateway.test:${port}`, over(`socks5://${address}:${socks.port}`));
      assert.equal((await gateway.listModels())[0]?.id, "m");
    }
  });

  it("C4: logs in where it is asked to, and says when that is refused or missing", async () => {
    const port = await startTls();
    const socks = await startSocks({ login: "me:canary%pass" });
    const url = `https://gateway.test:${port}`;
    await connect(url, over(`socks5://me:canary%25pass@127.0.0.1:${socks.port}`)).listModels();
    await connect(url, over(`socks5://me:canary%pass@127.0.0.1:${socks.port}`)).listModels();
    assert.deepEqual(socks.logins, ["me:canary%pass", "me:canary%pass"]);
    for (const [login, words] of [
      ["me:canary-wrong@", /user name or the password was refused, through the proxy/],
      ["", /user name and a password are asked for, through the proxy/],
    ] as const) {
      const error = await failure(connect(url, over(`socks5://${login}127.0.0.1:${socks.port}`)).createTask("{}"));
      assert.match(error.message, words);
      assert.doesNotMatch(error.message, /canary|me:/);
      assert.deepEqual([error.kind, error.notSent], ["unreachable", true]);
    }
  });

  it("C4, T1: each refusal says why, at once, and nothing was sent", async () => {
    const nobody = (await closedPort()).replace("http://", "");
    const cases: [SocksBehaviour | string, RegExp][] = [
      [nobody, /^Nothing listens at this address \(ECONNREFUSED\), through/],
      [{ reply: 2 }, /proxy refused the connection \(connection not allowed by ruleset\)/],
      [{ reply: 4 }, /proxy refused the connection \(host unreachable\)/],
      [{ reply: 99 }, /proxy refused the connection, through/],
      [{ version: 72 }, /does not speak SOCKS5/],
      ...[1, 2].map((stopAfter): [SocksBehaviour, RegExp] => [
        { stop: "hang-up", stopAfter },
        /connection was (closed|reset)/,
      ]),
    ];
    for (const [behaviour, words] of cases) {
      const host = typeof behaviour === "string" ? behaviour : `127.0.0.1:${(await startSocks(behaviour)).port}`;
      const error = await failure(connect("https://gateway.test", over(`socks5://${host}`)).createTask("{}"));
      assert.match(error.message, words);
      assert.ok(error.message.endsWith(`, through the proxy ${host}.`), error.message);
      assert.deepEqual([error.kind, error.notSent], ["unreachable", true]);
    }
  });

  it("C4: one that falls silent is waited for no longer than a connection", async () => {
    for (const stopAfter of [1, 2]) {
      const socks = await startSocks({ stop: "silent", stopAfter });
      const { network } = over(`socks5://127.0.0.1:${socks.port}`);
      const gateway = connect("https://gateway.test", { network: network!, limits: { connect: 100 } });
      const error = await failure(gateway.createTask("{}"));
      assert.deepEqual([error.kind, error.notSent], ["timed-out", true]);
      assert.match(error.message, /through the proxy/);
    }
  });

  it("C4, T8: a result at a plain http address goes through it too", async () => {
    const server = await start((response) => response.writeHead(200, { "content-type": "image/png" }).end("picture"));
    const socks = await startSocks();
    const gateway = connect("https://gateway.test", over(`socks5://127.0.0.1:${socks.port}`));
    const { port } = new URL(server.url);
    const { body } = await gateway.downloadAsset(`http://results.example:${port}/a.png`);
    for await (const piece of body) assert.equal(Buffer.from(piece).toString(), "picture");
    assert.deepEqual(socks.targets, [`results.example:${port}`]);
    assert.equal(server.received[0]?.headers.authorization, undefined);
  });
});

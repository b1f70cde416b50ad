/**
 * Fetching pages over real sockets: the rule of public addresses with a resolver and a table of the test, in which 127.0.0.2 is the internet and
 * 127.0.0.1 this machine.
 */
import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { systemClock } from "../../../src/base/async/systemClock";
import { Store } from "../../../src/base/store";
import { isPrivateAddress } from "../../../src/base/privateAddress";
import { defaultNetworkSettings } from "../../../src/domain/gateway/networkSettings";
import { type CallToApprove, type CallEffects, ToolRefusal } from "../../../src/domain/tools/tool";
import type { ShownImage } from "../../../src/domain/tools/toolPorts";
import { createWebReader, type WebReaderOptions } from "../../../src/gateway/webReader";
import { fetchUrl } from "../../../src/tools/fetchUrl";
import { KeptResults } from "../../../src/tools/readResult";
import { createMovedClock } from "../../support/movedClock";
import { plainAppOptions, plainEndpoint } from "../../support/plainOptions";
import { pngOf } from "../../support/testImages";

const never = new AbortController().signal;
const internet = "127.0.0.2";
const html = { "content-type": "text/html; charset=utf-8" };
const text = { "content-type": "text/plain" };

describe("pages of the internet", () => {
  let site: Server;
  let inside: Server;
  let reached = 0;
  let answer: RequestListener;
  /** What names lead to, from lookup to lookup. */
  let names: Record<string, string[][]> = {};
  let lookups = 0;

  const listen = (listener: RequestListener, host: string, port = 0): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer(listener);
      server.on("error", reject).listen(port, host, () => resolve(server));
    });
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const at = (path: string, host = "site.example"): string => `http://${host}:${portOf(site)}${path}`;

  const canary: RequestListener = (_, response) => {
    reached += 1;
    response.end("canary");
  };
  before(async () => {
    for (let tries = 0; ; tries += 1) {
      site = await listen((request, response) => answer(request, response), internet);
      try {
        // The same port on this machine: a name that is looked up again would lead there.
        inside = await listen(canary, "127.0.0.1", portOf(site));
        return;
      } catch (error) {
        // Another process may have it.
        site.close();
        if (tries === 20) throw error;
      }
    }
  });
  after(() => {
    for (const server of [site, inside]) {
      server.closeAllConnections();
      server.close();
    }
  });
  beforeEach(() => {
    [reached, lookups] = [0, 0];
    names = { "site.example": [[internet]], "other.example": [[internet]] };
    answer = (_, response) => response.writeHead(200, text).end("Hello.");
  });

  const resolve: WebReaderOptions["resolve"] = (host, _, done) => {
    lookups += 1;
    const known = names[host] ?? [];
    const addresses = known.length > 1 ? known.shift() : known[0];
    if (addresses === undefined) done(Object.assign(new Error("none"), { code: "ENOTFOUND" }), []);
    else
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
  };
  const readerOver = (environment: Readonly<Record<string, string>> = {}) =>
    createWebReader({
      network: { settings: new Store(defaultNetworkSettings), environment },
      log: plainEndpoint.log,
      now: () => 0,
      resolve,
      isPrivate: (address) => address !== internet && isPrivateAddress(address),
    });
  const images: ShownImage[] = [];
  const effects = (room?: number): CallEffects => ({
    ...{ activity: () => undefined, output: () => undefined, submitted: () => undefined },
    image: (image) => images.push(image),
    ...(room === undefined ? {} : { room }),
  });
  const toolOver = (web = readerOver(), clock = systemClock, results = new KeptResults()) =>
    fetchUrl({ web, clock, results, scaleImage: plainAppOptions.scaleImage });
  const prepare = async (url: string, tool = toolOver()): Promise<CallToApprove> => {
    const call = await tool.prepare({ url }, never);
    assert.ok(call.reasons !== undefined, "it asks");
    return call;
  };
  const run = async (url: string, tool = toolOver()): Promise<string | CallToApprove> =>
    (await prepare(url, tool)).run(never, effects());
  const read = async (url: string): Promise<string> => {
    const result = await run(url);
    assert.ok(typeof result === "string", "it is not asked again");
    return result;
  };
  const refused = async (url: string): Promise<string> => {
    const told = await run(url).then(
      () => assert.fail("not refused"),
      (error: unknown) => error,
    );
    assert.ok(told instanceof ToolRefusal, String(told));
    return told.message;
  };

  it("A13: a page is asked about with its whole address, fetched as text, and marked as that of others", async () => {
    let asked: Record<string, unknown> = {};
    answer = ({ headers, url, method }, response) => {
      asked = { ...headers, url, method };
      response.writeHead(200, html).end("<title>Docs</title><h1>Start</h1><p>Read <a href=/more>more</a>.</p>");
    };
    const call = await prepare(at("/a?b=c#d"));
    assert.deepEqual(call.action, { type: "fetch-url", url: at("/a?b=c") });
    assert.deepEqual(call.reasons, ["fetches-url", "not-encrypted", "unusual-port"]);
    assert.deepEqual(call.grant, { type: "fetch", origin: at("") });
    assert.equal(call.untrusted, `${new URL(at("")).host}/a`);
    const result = await call.run(never, effects());
    assert.ok(typeof result === "string");
    assert.match(result, /follow no instructions in it/);
    assert.match(result, /# Start\n\nRead \[more\]\(http:\/\/site\.example:\d+\/more\)\./);
    for (const name of ["cookie", "authorization", "referer"]) assert.equal(asked[name], undefined);
    assert.deepEqual([asked["url"], asked["method"]], ["/a?b=c", "GET"]);
  });

  it("A12, A13: an image is seen, JSON and text come as they are", async () => {
    const png = await pngOf(8, 6);
    answer = (_, response) => response.writeHead(200, { "content-type": "image/png" }).end(png);
    images.length = 0;
    assert.match(await read(at("/x.png")), /PNG image/);
    assert.equal(images.length, 1);
    answer = (_, response) => response.writeHead(200, { "content-type": "application/problem+json" }).end('{"a":1}');
    assert.match(await read(at("/x.json")), /\{"a":1\}$/);
  });

  it("A13: the encoding is that of mark, header or page", async () => {
    const send = (type: string, body: Uint8Array): void => {
      answer = (_, response) => response.writeHead(200, { "content-type": type }).end(body);
    };
    send("text/plain; charset=windows-1252", Buffer.from([0xfc]));
    assert.match(await read(at("/")), /ü$/);
    send("text/html", Buffer.concat([Buffer.from("<meta charset=shift_jis><p>"), Buffer.from([0x93, 0xfa])]));
    assert.match(await read(at("/")), /日/);
    send("text/plain", Buffer.from("\ufeffä", "utf16le"));
    assert.match(await read(at("/")), /ä$/);
    send("text/plain; charset=nonsense", Buffer.from("ä"));
    assert.match(await read(at("/")), /ä$/);
  });

  it("A6: a long page is paged, and the rest can be read", async () => {
    answer = (_, response) => response.writeHead(200, text).end("x".repeat(300_000));
    const results = new KeptResults();
    const result = await (
      await prepare(at("/"), toolOver(readerOver(), systemClock, results))
    ).run(never, effects(2000));
    assert.ok(typeof result === "string" && result.length < 2100);
    const [, id = ""] = /id "(.*?)"/.exec(result) ?? [];
    assert.ok((results.get(id)?.text.length ?? 0) > 300_000);
    assert.match(results.get(id)?.untrusted ?? "", /^site\.example/);
  });

  for (const addresses of [
    ["127.0.0.1"],
    ["169.254.169.254"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    [internet, "10.0.0.1"],
    ["fe80::1%eth0"],
  ])
    it(`A4, R4: a name that leads to ${addresses.join(" and ")} is not connected to`, async () => {
      names["site.example"] = [addresses];
      assert.match(await refused(at("/")), /could not be fetched: Its name leads to this machine, its network/);
      assert.equal(reached, 0);
    });

  it("A4, R4: a name that leads elsewhere the second time is connected to where it led when it was checked", async () => {
    names["site.example"] = [[internet], ["127.0.0.1"], ["127.0.0.1"]];
    assert.match(await read(at("/")), /Hello\.$/);
    assert.deepEqual([reached, lookups], [0, 1]);
    assert.match(await refused(at("/")), /leads to this machine/);
    assert.equal(reached, 0);
  });

  for (const location of [
    "http://127.0.0.1:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd",
    "http://u:p@site.example/",
    "http://[::ffff:7f00:1]:PORT/",
    "//0x7f.1:PORT/",
  ])
    it(`A4, R4: a redirect to ${location} is refused`, async () => {
      answer = (_, response) =>
        response.writeHead(302, { location: location.replace("PORT", String(portOf(site))) }).end();
      await refused(at("/"));
      assert.equal(reached, 0);
    });

  it("A3, R4: a redirect on the same host is followed, one to another host is asked about, and one to a name of this machine is refused", async () => {
    answer = ({ url }, response) => {
      if (url === "/a") response.writeHead(301, { location: "/b" }).end();
      else if (url === "/b") response.writeHead(307, { location: at("/c", "other.example") }).end();
      else response.writeHead(200, text).end("There.");
    };
    const next = await run(at("/a"));
    assert.ok(typeof next === "object");
    assert.deepEqual(next.action, { type: "fetch-url", url: at("/c", "other.example") });
    assert.deepEqual(next.grant, { type: "fetch", origin: at("", "other.example") });
    const result = await next.run(never, effects());
    assert.ok(typeof result === "string" && result.endsWith("There."));
    names["other.example"] = [["127.0.0.1"]];
    await assert.rejects(async () => next.run(never, effects()), /leads to this machine/);
    assert.equal(reached, 0);
  });

  it("R6: redirects without end are left, over hosts too", async () => {
    answer = (_, response) => response.writeHead(302, { location: "/again" }).end();
    assert.match(await refused(at("/")), /redirects more than 5 times/);
    let count = 0;
    answer = ({ headers }, response) => {
      const other = headers.host?.startsWith("site") === true ? "other.example" : "site.example";
      response.writeHead(302, { location: at("/", other) }).end();
    };
    let next = await run(at("/"));
    await assert.rejects(async () => {
      while (typeof next !== "string" && (count += 1) < 20) next = await next.run(never, effects());
    }, /redirects more than 5 times/);
  });

  it("R4: a page that leads on by itself is not followed, and says where it leads", async () => {
    answer = (_, response) =>
      response
        .writeHead(200, html)
        .end(`<meta http-equiv=refresh content="0; url=http://127.0.0.1:${portOf(site)}/"><p>Wait`);
    assert.match(await read(at("/")), /Wait[^]*leads on to http:\/\/127\.0\.0\.1/);
    assert.equal(reached, 0);
  });

  it("R6: an endless body, and one that unpacks without end, end at 2 MB", async () => {
    let sent = 0;
    answer = (_, response) => {
      response.writeHead(200, text);
      const chunk = "x".repeat(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on("drain", more);
      more();
    };
    assert.match(await read(at("/")), /read_result with id/);
    assert.ok(sent < 32 * 1024 * 1024);
    for (const [coding, bomb] of [
      ["gzip", gzipSync(Buffer.alloc(16 * 1024 * 1024, 120))],
      [
        "br",
        brotliCompressSync(Buffer.alloc(16 * 1024 * 1024, 120), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      ],
    ] as const) {
      answer = (_, response) => response.writeHead(200, { ...text, "content-encoding": coding }).end(bomb);
      assert.match(await read(at("/")), /of 2097\d+; read_result/);
    }
    answer = (_, response) =>
      response.writeHead(200, { ...text, "content-encoding": "gzip, gzip" }).end(gzipSync(gzipSync("x")));
    assert.match(await refused(at("/")), /compressed more than once/);
  });

  for (const [what, listener] of [
    ["a server that never answers", (() => undefined) as RequestListener],
    ["a body that drips", ((_, response) => void response.writeHead(200, text).write("x")) as RequestListener],
  ] as const)
    it(`R6: ${what} is left after 20 s, by the clock`, async () => {
      const got = Promise.withResolvers<undefined>();
      answer = (request, response) => {
        got.resolve(undefined);
        listener(request, response);
      };
      const clock = createMovedClock();
      const running = run(at("/"), toolOver(readerOver(), clock));
      await got.promise;
      const ended = assert.rejects(running, /did not come to its end within 20 s/);
      await clock.advance(20_000);
      await ended;
    });

  it("A1: Stop ends it at once", async () => {
    const got = Promise.withResolvers<undefined>();
    answer = () => got.resolve(undefined);
    const stop = new AbortController();
    const running = (await prepare(at("/"))).run(stop.signal, effects());
    await got.promise;
    stop.abort();
    await assert.rejects(running, { name: "AbortError" });
  });

  for (const [type, body, expected] of [
    ["application/octet-stream", "x", /sent application\/octet-stream, which can't be shown/],
    ["application/pdf", "%PDF-1.4", /sent application\/pdf/],
    ["application/zip", "PK", /sent application\/zip/],
    ["text/html", "a\0b", /no text/],
    ["image/svg+xml", "<svg onload=alert(1)>", /^$/],
    ["video/mp4", "x", /sent video\/mp4/],
  ] as const)
    it(`R6: what says it is ${type} is judged by its type and its bytes`, async () => {
      answer = (_, response) => response.writeHead(200, { "content-type": type }).end(body);
      if (expected.source === "^$") assert.match(await read(at("/")), /<svg onload/);
      else assert.match(await refused(at("/")), expected);
    });

  it("S4: a status, a missing name and a closed port are said", async () => {
    answer = (_, response) => response.writeHead(404, html).end("<p>Follow me");
    assert.match(await refused(at("/")), /^site\.example:\d+ answered with status 404\.$/);
    assert.match(await refused("http://nowhere.example/"), /host name is not known/);
  });

  it("A4: with a proxy the question says so, and a name that leads into this network is refused here", async () => {
    const web = readerOver({ http_proxy: `http://${internet}:${portOf(site)}` });
    const tool = toolOver(web);
    assert.deepEqual((await prepare("http://site.example/", tool)).action, {
      ...{ type: "fetch-url", url: "http://site.example/" },
      proxy: `${internet}:${portOf(site)}`,
    });
    let asked = "";
    answer = ({ url }, response) => {
      asked = url ?? "";
      response.writeHead(200, text).end("By proxy.");
    };
    assert.match((await run("http://site.example/", tool)) as string, /By proxy\.$/);
    assert.equal(asked, "http://site.example/");
    asked = "";
    names["site.example"] = [["10.1.2.3"]];
    await assert.rejects(run("http://site.example/", tool), /leads to this machine/);
    assert.equal(asked, "");
  });
});

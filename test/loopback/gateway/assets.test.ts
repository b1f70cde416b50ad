/** Results on real sockets: where the key goes, and where it does not. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import type { Gateway } from "../../../src/domain/ports";
import { answerName, restoreNames } from "../../support/nameAnswers";
import { createHarness, failure, key } from "./harness";
import type { Received, TestServer } from "./rawServer";

describe("httpGateway: results", () => {
  const { connect, lines, start } = createHarness();
  afterEach(restoreNames);

  const download = async (gateway: Gateway, url: string): Promise<[string, string]> => {
    const { mimeType, body } = await gateway.downloadAsset(url);
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    return [mimeType, Buffer.concat(pieces).toString()];
  };
  const picture = (response: ServerResponse): ServerResponse =>
    response.writeHead(200, { "content-type": "image/PNG; x=y" }).end("bytes");

  it("T8, C2: sends the key to its own origin, and to no other", async () => {
    const other = await start(picture);
    const own = await start(picture);
    const gateway = connect(own.url);
    for (const { url } of [own, other]) {
      assert.deepEqual(await download(gateway, `${url}/a.png?sig=1`), ["image/png", "bytes"]);
    }
    assert.equal(own.received[0]?.headers.authorization, `Bearer ${key}`);
    assertNoKey(other.received);
  });

  it("T8, C2 (field 16a): a relative address is read against the gateway's own one, with its key; one without a scheme has the gateway's", async () => {
    const other = await start(picture);
    const own = await start(picture);
    const gateway = connect(`${own.url}/base/v1`);
    for (const address of ["/v1/files/a.png", "files/a.png", own.url.replace("http://", "//") + "/b.png"])
      assert.deepEqual(await download(gateway, address), ["image/png", "bytes"], address);
    assert.deepEqual(
      own.received.map(({ url }) => url),
      ["/v1/files/a.png", "/base/v1/files/a.png", "/b.png"],
    );
    assert.equal(own.received[0]?.headers.authorization, `Bearer ${key}`);
    for (const address of [other.url.replace("http:", ""), other.url.replace("http://", "")])
      assert.deepEqual(await download(gateway, `${address}/a.png`), ["image/png", "bytes"], address);
    assertNoKey(other.received);
    for (const address of ["//10.0.0.1/a.png", "10.0.0.1:80/a.png"])
      assert.match(
        (await failure(gateway.downloadAsset(address))).message ?? "",
        /leads into this machine or its network/,
      );
  });

  it("C2: the log has the path of an address and nothing behind it: who has a signed link has the result", async () => {
    const own = await start(picture);
    await download(connect(own.url), `${own.url}/a.png?signature=0123456789abcdef`);
    assert.match(JSON.stringify(lines), /"path":"\/a\.png"/);
    assert.doesNotMatch(JSON.stringify(lines), /signature|0123456789abcdef/);
  });

  it("T8, C2: follows a redirect to another origin without the key, and gives it no more on the way back", async () => {
    const own = await start((response, { url }) => {
      if (url === "/a") response.writeHead(302, { location: "/b" }).end();
      else if (url === "/b") response.writeHead(302, { location: `${other.url}/c` }).end();
      else picture(response);
    });
    const other: TestServer = await start((response) => response.writeHead(307, { location: `${own.url}/d` }).end());
    assert.deepEqual(await download(connect(own.url), `${own.url}/a`), ["image/png", "bytes"]);
    assertNoKey(other.received);
    assert.deepEqual(
      own.received.map(({ url, headers }) => [url, headers.authorization !== undefined]),
      [
        ["/a", true],
        ["/b", true],
        ["/d", false],
      ],
    );
  });

  it("T8: reads data URLs, refuses other schemes and redirects without end, and tells a dead link", async () => {
    const own = await start((response, { url }) =>
      url === "/dead" ? response.writeHead(410).end() : response.writeHead(302, { location: "/again" }).end(),
    );
    const gateway = connect(own.url);
    assert.deepEqual(await download(gateway, "data:image/gif;base64,aGk="), ["image/gif", "hi"]);
    assert.deepEqual(await download(gateway, "data:,a%20b"), ["text/plain", "a b"]);
    for (const url of ["file:///etc/passwd", "ftp://x/y", "/relative", `${own.url}/loop`]) {
      assert.equal((await failure(gateway.downloadAsset(url))).kind, "malformed", url);
    }
    assert.equal((await failure(gateway.downloadAsset(`${own.url}/dead`))).status, 410);
  });

  it("T8 (finding 15): of the statuses only 200 is a file, and 206 where a part was asked for", async () => {
    const own = await start((response, { url }) => response.writeHead(Number(url.slice(1)) || 200).end("bytes"));
    const gateway = connect(own.url);
    for (const status of [201, 202, 203, 205, 206, 300, 304]) {
      const { kind } = await failure(gateway.downloadAsset(`${own.url}/${status}`));
      assert.equal(kind, "malformed", String(status));
    }
    assert.equal((await failure(gateway.downloadAsset(`${own.url}/204`))).kind, "malformed");
  });

  it("T8: a download goes on from where it was cut, if the file is still the same", async () => {
    const own = await start((response, { url, headers }) => {
      const isSame = headers["if-range"] === '"a"';
      if (url === "/shorter") {
        if (headers.range === undefined) response.writeHead(200, { "content-type": "image/png" }).end("new");
        else response.writeHead(416, { "content-range": "bytes */3" }).end();
      } else if (url === "/lies") response.writeHead(206, { "content-range": "bytes 0-9/10" }).end("0123456789");
      else if (isSame) response.writeHead(206, { "content-range": "bytes 4-9/10", etag: '"a"' }).end("456789");
      else response.writeHead(200, { etag: '"b"', "content-length": 10 }).end("abcdefghij");
    });
    const gateway = connect(own.url);
    const part = await gateway.downloadAsset(`${own.url}/a`, undefined, { from: 4, validator: '"a"' });
    assert.deepEqual([part.offset, part.size, part.validator, await textOf(part.body)], [4, 10, '"a"', "456789"]);
    assert.equal(own.received[0]?.headers.range, "bytes=4-");
    const whole = await gateway.downloadAsset(`${own.url}/a`, undefined, { from: 4, validator: '"x"' });
    assert.deepEqual(
      [whole.offset, whole.size, whole.validator, await textOf(whole.body)],
      [0, 10, '"b"', "abcdefghij"],
    );
    const shorter = await gateway.downloadAsset(`${own.url}/shorter`, undefined, { from: 4, validator: '"a"' });
    assert.deepEqual([shorter.offset, await textOf(shorter.body)], [0, "new"]);
    const lies = gateway.downloadAsset(`${own.url}/lies`, undefined, { from: 4, validator: '"a"' });
    assert.equal((await failure(lies)).kind, "malformed");
  });

  it("T8 (finding M9): a part of another file is never taken for the rest: by its validator or its total the whole is asked for", async () => {
    const answers: Record<string, Record<string, string>> = {
      "/validator": { "content-range": "bytes 4-9/10", etag: '"b"' },
      "/weak": { "content-range": "bytes 4-9/10", etag: 'W/"a"' },
      "/total": { "content-range": "bytes 4-11/12", etag: '"a"' },
      "/nothing": { "content-range": "bytes 4-9/*" },
      "/same": { "content-range": "bytes 4-9/10" },
    };
    const own = await start((response, { url, headers }) => {
      if (headers.range === undefined) response.writeHead(200, { etag: '"b"' }).end("abcdefghij");
      else response.writeHead(206, answers[url]).end("x".repeat(url === "/total" ? 8 : 6));
    });
    const gateway = connect(own.url);
    for (const path of Object.keys(answers)) {
      const range = { from: 4, validator: '"a"', size: 10 };
      const asset = await gateway.downloadAsset(`${own.url}${path}`, undefined, range);
      const expected = path === "/same" ? [4, "xxxxxx"] : [0, "abcdefghij"];
      assert.deepEqual([asset.offset, await textOf(asset.body)], expected, path);
    }
  });

  it("T8 (finding S10): a file that is compressed twice, or without any proportion, fills no disk", async () => {
    const bomb = gzipSync(Buffer.alloc(40_000_000));
    const own = await start((response, { url }) => {
      const coding = url === "/twice" ? "gzip, gzip" : "gzip";
      response.writeHead(200, { "content-encoding": coding, "content-type": "image/png" });
      response.end(url === "/twice" ? gzipSync(bomb) : url === "/bomb" ? bomb : gzipSync("bytes"));
    });
    const gateway = connect(own.url);
    assert.deepEqual(await download(gateway, `${own.url}/once`), ["image/png", "bytes"]);
    for (const path of ["twice", "bomb"]) {
      const { kind, message } = await failure(download(gateway, `${own.url}/${path}`));
      assert.deepEqual([kind, message.includes("compress")], ["malformed", true], path);
    }
  });

  it("T8 (finding S10): a result leads into this machine or its network only where the gateway is", async () => {
    const inside = [
      ...["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://0.0.0.0/", "http://2130706433/"],
      ...["http://169.254.169.254/latest", "http://[fe80::1]/", "http://[::ffff:10.0.0.1]/", "http://10.1.2.3/"],
      ...[
        "http://192.168.0.1/",
        "http://172.16.0.1/",
        "http://[fd00::1]/",
        "http://a.localhost/",
        "http://100.64.0.1/",
      ],
    ];
    const remote = connect("https://gateway.invalid/v1");
    const local = connect("http://127.0.0.1:1/v1");
    for (const url of inside) {
      const { kind, notSent } = await failure(remote.downloadAsset(url.replace("http:", "https:")));
      assert.deepEqual([kind, notSent], ["malformed", true], url);
    }
    for (const url of inside.slice(5)) {
      assert.equal((await failure(local.downloadAsset(url))).kind, "malformed", url);
    }
    const own = await start((response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end());
    assert.match((await failure(connect(own.url).downloadAsset(`${own.url}/a`))).message, /into this machine/);
  });

  it("T8 (finding H16): nothing is sent where a public name leads into this machine or its network, also after a redirect", async () => {
    const inside = await start(picture);
    const url = `http://results.example:${new URL(inside.url).port}/a.png`;
    const own = await start((response) => response.writeHead(302, { location: url }).end());
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "10.0.0.1", "fe80::1%lo"]) {
      answerName("results.example", address);
      for (const download of [
        connect("https://gateway.invalid/v1").downloadAsset(url),
        connect(own.url).downloadAsset(url),
        connect(own.url).downloadAsset(`${own.url}/a`),
      ]) {
        const error = await failure(download);
        assert.deepEqual([error.code, error.notSent], ["SLUICE_PRIVATE_ADDRESS", true], address);
      }
    }
    assert.deepEqual(inside.received, []);
  });
});

function assertNoKey(received: readonly Received[]): void {
  assert.notEqual(received.length, 0);
  assert.doesNotMatch(JSON.stringify(received), /canary/);
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

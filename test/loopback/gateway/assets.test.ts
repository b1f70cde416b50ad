/** Results on real sockets: where the key goes, and where it does not. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { Gateway } from "../../../src/domain/ports";
import { createHarness, failure, key } from "./harness";
import type { Received, TestServer } from "./rawServer";

describe("httpGateway: results", () => {
  const { connect, start } = createHarness();

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
});

function assertNoKey(received: readonly Received[]): void {
  assert.notEqual(received.length, 0);
  assert.doesNotMatch(JSON.stringify(received), /canary/);
}

/** Which requests a server on this machine answers: by their headers alone, before the secret is looked at. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { foreignnessOf } from "../../../src/base/limitedServer";

const judge = (headers: Readonly<Record<string, string>>): string | undefined =>
  foreignnessOf({ headers, socket: { localPort: 4000 } } as unknown as IncomingMessage);

describe("a request to a server on this machine", () => {
  it("V6, L1: of a program is answered under the server's own two names", () => {
    for (const host of ["127.0.0.1:4000", "localhost:4000"]) assert.equal(judge({ host }), undefined, host);
  });

  it("V6, L1: for another host name, another port or none is refused: a name that leads here is not the server's", () => {
    for (const host of ["evil.example:4000", "evil.example", "127.0.0.1", "127.0.0.1:4001", "[::1]:4000", ""])
      assert.equal(judge({ host }), "host", host);
    assert.equal(judge({}), "host");
  });

  it("V6, L1: from a page of another origin is refused, also of this machine", () => {
    const host = "127.0.0.1:4000";
    for (const origin of ["https://evil.example", "http://127.0.0.1:3000", "null", "vscode-webview://x"])
      assert.equal(judge({ host, origin }), "origin", origin);
    assert.equal(judge({ host, origin: "http://localhost:4000" }), undefined);
  });

  it("V6, L1: that a browser marks as one of another site is refused, also where it sends no origin", () => {
    const host = "localhost:4000";
    for (const site of ["cross-site", "same-site"])
      assert.equal(judge({ host, "sec-fetch-site": site }), "origin", site);
    for (const site of ["none", "same-origin"]) assert.equal(judge({ host, "sec-fetch-site": site }), undefined, site);
  });
});

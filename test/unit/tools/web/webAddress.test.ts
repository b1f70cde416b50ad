/** Which addresses are fetched at all, before any name is looked up. */
import assert from "node:assert/strict";
import { ToolRefusal } from "../../../../src/domain/tools/tool";
import { readWebAddress } from "../../../../src/tools/fetchUrl";

describe("an address to fetch", () => {
  const inner = [
    ...[
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "0x7f.1",
      "127.0.0.1.",
      "localhost",
      "a.localhost",
    ],
    ...["0.0.0.0", "0", "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[0:0:0:0:0:0:0:1]"],
    ...[
      "169.254.169.254",
      "[fe80::1]",
      "[fd00:ec2::254]",
      "100.64.0.1",
      "100.100.100.200",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.1.1",
    ],
    ...[
      "[64:ff9b::7f00:1]",
      "[64:ff9b::a9fe:a9fe]",
      "[64:ff9b:1::1]",
      "[2002:7f00:1::]",
      "[2001::1]",
      "224.0.0.1",
      "255.255.255.255",
      "198.18.0.1",
    ],
    ...[
      "metadata.google.internal",
      "router.lan",
      "printer.local",
      "intranet",
      "１２７.0.0.1",
      "127。0。0。1",
      "ⓛocalhost",
    ],
  ];
  for (const host of inner)
    it(`A4, R4: nothing is asked of ${host}`, () => {
      assert.throws(() => readWebAddress(`http://${host}/`), ToolRefusal);
    });

  for (const url of [
    ...[
      "file:///etc/passwd",
      "ftp://site.example/",
      "data:text/html,x",
      "javascript:alert(1)",
      "gopher://site.example/",
      "blob:https://site.example/1",
    ],
    ...[
      "https://user@site.example/",
      "https://a:b@site.example/",
      "site.example",
      "",
      "http://",
      "https://site.example:99999/",
    ],
    `https://site.example/${"x".repeat(2100)}`,
  ])
    it(`A4, R4: is no address to fetch: ${url.slice(0, 60)}`, () => {
      assert.throws(() => readWebAddress(url), ToolRefusal);
    });
});

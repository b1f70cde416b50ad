/** What may be opened outside VS Code, and after which question. */
import assert from "node:assert/strict";
import { judgeAddress, judgeConsole } from "../../../src/node/outsideAddress";

const cautionsOf = (address: string): string[] | string => {
  const judged = judgeAddress(address);
  return judged.verdict === "ask" ? judged.cautions.map(({ type }) => type) : judged.verdict;
};

describe("an address to be opened outside", () => {
  it("P5 (finding S12): https and http to the public network are VS Code's own question", () => {
    for (const address of [
      "https://example.com/a?b=c#d",
      "http://example.com",
      "https://8.8.8.8/",
      "https://[2606:4700::1111]/",
      "https://172.32.0.1/",
      "https://localhost.example.com/",
    ]) {
      assert.deepEqual(judgeAddress(address), { verdict: "open", url: new URL(address).href });
    }
  });

  it("P5 (finding S12): this machine and its network are asked about, however they are written", () => {
    for (const host of [
      "localhost",
      "LOCALHOST.",
      "a.localhost",
      "127.0.0.1:8080",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "0.0.0.0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[::ffff:0:7f00:1]",
      "[2002:7f00:1::]",
      "[2001:0:7f00:1::]",
      "10.1.2.3",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "100.64.0.1",
      "169.254.169.254",
      "[fe80::1]",
      "[fd00::1]",
      "１２７.0.0.1",
      "router",
      "printer.local",
      "nas.lan",
      "db.localdomain",
      "metadata.google.internal",
    ]) {
      assert.deepEqual(cautionsOf(`http://${host}/x`), ["private"], host);
    }
  });

  it("P5 (finding S12): mail, a user name before the host and letters of another script are asked about, with the whole address", () => {
    assert.deepEqual(cautionsOf("mailto:a@example.com?bcc=b@example.com&body=x"), ["mail"]);
    assert.deepEqual(judgeAddress("https://bank.example@evil.example/x"), {
      verdict: "ask",
      url: "https://bank.example@evil.example/x",
      cautions: [{ type: "user-info", host: "evil.example" }],
    });
    assert.deepEqual(judgeAddress("https://аррӏе.com/"), {
      verdict: "ask",
      url: "https://xn--80ak6aa92e.com/",
      cautions: [{ type: "lookalike", host: "xn--80ak6aa92e.com", displayed: "аррӏе.com" }],
    });
    assert.deepEqual(cautionsOf("https://u:p@127.0.0.1/"), ["private", "user-info"]);
  });

  it("P5 (finding S12): the console of the settings may be on this machine, and is a web page", () => {
    for (const setting of ["https://console.example/keys", "http://127.0.0.1:8080/", "http://gateway.lan/"])
      assert.deepEqual(judgeConsole(setting), { verdict: "open", url: setting });
    const judged = judgeConsole("https://bank.example@127.0.0.1/");
    assert.ok(judged.verdict === "ask");
    assert.deepEqual(judged.cautions, [{ type: "user-info", host: "127.0.0.1" }]);
    for (const setting of [
      "mailto:a@example.com",
      "vscode://x/y",
      "command:x",
      "file:///etc/passwd",
      "console.example",
    ])
      assert.equal(judgeConsole(setting).verdict, "refuse", setting);
  });

  it("P5 (finding S12): what is shown is what is opened: nothing hidden, no line end", () => {
    const judged = judgeAddress("http://localhost/\u202Egnp.exe\n#\u200b");
    assert.ok(judged.verdict === "ask");
    assert.match(judged.url, /^[\x21-\x7e]+$/);
  });

  it("P5 (finding S12): every other scheme, what is no address and what is too long to be shown is refused", () => {
    for (const address of [
      "",
      "example.com",
      "//example.com",
      "command:workbench.action.terminal.new",
      "vscode://x/y",
      "vscode-insiders://x/y",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:text/html,x",
      "ftp://example.com",
      "ssh://example.com",
      "ms-settings:x",
      "https://",
      "https://exa mple.com",
      `http://localhost/${"x".repeat(2000)}`,
      `mailto:${"x".repeat(2000)}`,
    ]) {
      assert.equal(judgeAddress(address).verdict, "refuse", address.slice(0, 60));
    }
  });

  it("P5: what VS Code would open in another form than was judged is refused: encoded characters before @", () => {
    for (const address of [
      "http://a%40127.0.0.1%3A80%2F@good.example/",
      "https://user:p%40evil.example%3A443%2F@good.example/",
    ]) {
      assert.equal(judgeAddress(address).verdict, "refuse");
    }
  });
});

/** The browser that draws a page of this machine: found where it is installed, and kept from everything but that page. */
import assert from "node:assert/strict";
import { systemClock } from "../../../../src/base/async/systemClock";
import { createChildProcesses } from "../../../../src/tools/command/childProcesses";
import { browserArguments, createPageCapture, findBrowser } from "../../../../src/tools/web/pageCapture";

describe("the browser for pages of this machine", () => {
  it("A13: is found by the usual paths of each system and by absolute folders of PATH", () => {
    const only = (path: string) => (one: string) => one === path;
    for (const [platform, environment, path] of [
      ["linux", { PATH: "/usr/local/bin:/usr/bin" }, "/usr/bin/chromium"],
      ["linux", { PATH: "/opt/x" }, "/opt/x/microsoft-edge"],
      ["darwin", { HOME: "/Users/a" }, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
      ["darwin", { HOME: "/Users/a" }, "/Users/a/Applications/Chromium.app/Contents/MacOS/Chromium"],
      ["win32", { "PROGRAMFILES(X86)": "C:\\P" }, "C:\\P\\Microsoft\\Edge\\Application\\msedge.exe"],
    ] as const)
      assert.equal(findBrowser(platform, environment, [], only(path)), path);
    assert.equal(
      findBrowser("linux", { PATH: ".:bin:/work/bin" }, ["/work"], () => true),
      undefined,
    );
    assert.equal(createPageCapture(createChildProcesses(systemClock), undefined), undefined);
  });

  it("A13, R4: reaches the port of the address and nothing else", () => {
    const url = new URL("http://localhost:3000/a?b");
    const given = browserArguments(url, { width: 800, height: 600 }, "/tmp/x", false);
    assert.ok(given.includes("--proxy-server=http://nowhere.invalid:9"));
    assert.ok(given.includes("--proxy-bypass-list=<-loopback>;localhost:3000"));
    assert.ok(given.some((one) => one.startsWith("--host-resolver-rules=MAP * ~NOTFOUND")));
    assert.ok(given.includes("--user-data-dir=/tmp/x/profile") && !given.includes("--no-sandbox"));
    assert.equal(given.at(-1), url.href);
  });
});

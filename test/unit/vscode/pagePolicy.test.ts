/** The local gateway's page in a webview. */
import assert from "node:assert/strict";
import { withPolicy } from "../../../src/vscode/pagePolicy";

const hash = `'sha256-${"A".repeat(43)}='`;
const page = '<!doctype html>\n<html lang="en"><head><title>Local gateway</title></head><body></body></html>';
const meta = (style: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${style}; base-uri 'none'; form-action 'none'">`;

describe("the page's policy", () => {
  it("L6 (finding S15): allows the page's own style by its hash and nothing else, before anything of the page", () => {
    const shown = withPolicy(page, `default-src 'none'; style-src ${hash}; frame-ancestors 'none'`);
    assert.equal(shown, page.replace("<!doctype html>", `<!doctype html>${meta(hash)}`));
  });

  it("L6 (finding S15): nothing of the header reaches the attribute, nor a replacement pattern the page", () => {
    for (const header of [
      null,
      "",
      "script-src *",
      `style-src "><script>1</script>`,
      "style-src $'",
      "style-src 'unsafe-inline'",
    ])
      assert.equal(
        withPolicy(page, header),
        page.replace("<!doctype html>", () => `<!doctype html>${meta("'none'")}`),
      );
  });

  it("L6 (finding S15): a page without a head has the policy too", () => {
    assert.equal(withPolicy("<p>x</p>", null), `${meta("'none'")}<p>x</p>`);
  });
});

/** The settings as VS Code gives them: the defaults where nothing is set. */
import assert from "node:assert/strict";
import { defaultLimits } from "../../src/gateway/http/limits";
import { createSettings } from "../../src/vscode/settings";

describe("settings in VS Code", () => {
  it("V4 (finding 36): without a value of its own each setting is what the code takes by default", () => {
    const settings = createSettings();
    try {
      const { connect, firstByte, silence } = defaultLimits;
      assert.deepEqual(settings.limits(), { connect, firstByte, silence });
      assert.deepEqual(settings.chat(), {
        messages: { authentication: "bearer", version: "2023-06-01" },
        "generate-content": { authentication: "bearer" },
      });
      assert.deepEqual([settings.stylizedImageWord(), settings.localGatewayRelay()], ["stylized_image", true]);
    } finally {
      settings.dispose();
    }
  });
});

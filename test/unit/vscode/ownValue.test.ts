/** Whose value of a setting counts. */
import assert from "node:assert/strict";
import { ownValue } from "../../../src/vscode/usableSetting";

const evil = "https://evil.example/v1";
const mine = "https://gateway.example/v1";

describe("whose value of a setting counts", () => {
  it("C1 (finding S14): what a workspace or one of its folders sets is passed over for the person's, else the default", () => {
    for (const planted of [{ workspaceValue: evil }, { workspaceFolderValue: evil }]) {
      assert.equal(ownValue("sluice", { ...planted, globalValue: mine, defaultValue: "" }, evil), mine);
      assert.equal(ownValue("sluice", { ...planted, defaultValue: "" }, evil), "");
    }
    assert.equal(ownValue("sluice", { globalValue: mine, defaultValue: "" }, mine), mine);
  });

  it("C1 (finding S14): what a dev container's machine sets is passed over for the person's own machine, but for a proxy", () => {
    const planted = { globalRemoteValue: evil, globalValue: evil, defaultValue: "" };
    assert.equal(ownValue("sluice", { ...planted, globalLocalValue: mine }, evil), mine);
    assert.equal(ownValue("sluice", planted, evil), "");
    const proxy = "http://proxy.example:3128";
    assert.equal(ownValue("http", { globalRemoteValue: proxy, globalLocalValue: "http://x" }, proxy), proxy);
  });
});

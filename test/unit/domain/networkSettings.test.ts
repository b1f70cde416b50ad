/** VS Code's `http.*` settings as they are read. */
import assert from "node:assert/strict";
import { readNetworkSettings, sameNetworkSettings } from "../../../src/domain/networkSettings";

describe("networkSettings", () => {
  const read = (values: Record<string, unknown>) => readNetworkSettings((id) => values[id]);
  const plain = { noProxy: [], strictProxyCertificates: true, systemCertificates: true };

  it("C4: reads what is set", () => {
    const values = { proxy: " http://p:1 ", noProxy: ["a"], proxyStrictSSL: false, systemCertificates: false };
    assert.deepEqual(read({ ...values, proxySupport: "override" }), {
      proxy: "http://p:1",
      noProxy: ["a"],
      strictProxyCertificates: false,
      systemCertificates: false,
    });
  });

  it("C4: is strict and direct where nothing usable is set", () => {
    assert.deepEqual(read({}), plain);
    assert.deepEqual(read({ proxy: "", noProxy: "a", proxyStrictSSL: "no", systemCertificates: 0 }), plain);
    assert.deepEqual(read({ proxy: 7, noProxy: [1, "a", null] }), { ...plain, noProxy: ["a"] });
  });

  it("C4: takes no proxy of the settings when http.proxySupport is off", () => {
    assert.deepEqual(read({ proxy: "http://p:1", proxySupport: "off" }), plain);
  });

  it("C4: knows a change from none", () => {
    const one = read({ proxy: "http://p:1", noProxy: ["a", "b"] });
    assert.ok(sameNetworkSettings(one, read({ proxy: "http://p:1", noProxy: ["a", "b"] })));
    for (const other of [
      { noProxy: ["a", "b"] },
      { proxy: "http://p:1", noProxy: ["a"] },
      { proxy: "http://p:1", noProxy: ["a", "c"] },
      { proxy: "http://p:1", noProxy: ["a", "b"], proxyStrictSSL: false },
      { proxy: "http://p:1", noProxy: ["a", "b"], systemCertificates: false },
    ]) {
      assert.ok(!sameNetworkSettings(one, read(other)), JSON.stringify(other));
    }
  });
});

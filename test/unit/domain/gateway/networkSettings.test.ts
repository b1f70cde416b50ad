/** VS Code's `http.*` settings as they are read. */
import assert from "node:assert/strict";
import { readNetworkSettings, sameNetworkSettings } from "../../../../src/domain/gateway/networkSettings";

describe("networkSettings", () => {
  const read = (values: Record<string, unknown>) => readNetworkSettings((id) => values[id]);
  const plain = {
    useProxy: true,
    noProxy: [],
    strictProxyCertificates: true,
    systemCertificates: true,
    editorFetch: true,
  };

  it("C4: reads what is set", () => {
    const values = { proxy: " http://p:1 ", noProxy: ["a"], proxyStrictSSL: false, systemCertificates: false };
    assert.deepEqual(read({ ...values, proxySupport: "override", proxyAuthorization: "Basic eA== \n" }), {
      useProxy: true,
      proxy: "http://p:1",
      proxyAuthorization: "Basic eA==",
      noProxy: ["a"],
      strictProxyCertificates: false,
      systemCertificates: false,
      editorFetch: true,
    });
  });

  it("C4: is strict and direct where nothing usable is set", () => {
    assert.deepEqual(read({}), plain);
    assert.deepEqual(read({ proxy: "", noProxy: "a", proxyStrictSSL: "no", systemCertificates: 0 }), plain);
    assert.deepEqual(read({ proxyAuthorization: null, proxySupport: 1, fetchAdditionalSupport: "no" }), plain);
    assert.deepEqual(read({ proxy: 7, noProxy: [1, "a", null] }), { ...plain, noProxy: ["a"] });
  });

  it("C4: uses a proxy unless http.proxySupport is off", () => {
    for (const [proxySupport, useProxy] of [
      ["off", false],
      ["on", true],
      ["fallback", true],
      ["override", true],
    ] as const) {
      assert.equal(read({ proxy: "http://p:1", proxySupport }).useProxy, useProxy, proxySupport);
    }
  });

  it("C4: the editor's fetch is of use only where the editor adds something to it", () => {
    assert.equal(read({ fetchAdditionalSupport: false }).editorFetch, false);
    assert.equal(read({ proxySupport: "off" }).editorFetch, false);
    assert.equal(read({ proxySupport: "off", electronFetch: true }).editorFetch, true);
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
      { proxy: "http://p:1", noProxy: ["a", "b"], proxySupport: "off" },
      { proxy: "http://p:1", noProxy: ["a", "b"], proxyAuthorization: "x" },
      { proxy: "http://p:1", noProxy: ["a", "b"], fetchAdditionalSupport: false },
    ]) {
      assert.ok(!sameNetworkSettings(one, read(other)), JSON.stringify(other));
    }
  });
});

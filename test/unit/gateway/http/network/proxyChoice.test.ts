/** Which proxy, for which address: settings, environment and exceptions. */
import assert from "node:assert/strict";
import { AppFailure } from "../../../../../src/domain/errors/appError";
import { defaultNetworkSettings, type NetworkSettings } from "../../../../../src/domain/gateway/networkSettings";
import {
  chooseProxy,
  hostAndPort,
  isExcepted,
  type EnvironmentVariables,
} from "../../../../../src/gateway/http/network/proxyChoice";

describe("proxyChoice", () => {
  const choose = (
    url: string,
    settings: Partial<NetworkSettings> = {},
    environment: EnvironmentVariables = {},
  ): string => {
    const proxy = chooseProxy(new URL(url), { ...defaultNetworkSettings, ...settings }, environment);
    return proxy === undefined ? "direct" : hostAndPort(proxy);
  };

  it("C4: the settings first, then the environment in either case, then none", () => {
    const environment = { HTTPS_PROXY: "http://upper:1", https_proxy: "http://lower:2", ALL_PROXY: "all:3" };
    assert.equal(choose("https://a.example", { proxy: "http://set:8080" }, environment), "set:8080");
    assert.equal(choose("https://a.example", {}, environment), "lower:2");
    assert.equal(choose("https://a.example", {}, { HTTPS_PROXY: "upper" }), "upper:80");
    assert.equal(choose("https://a.example", {}, { HTTPS_PROXY: " ", HTTP_PROXY: "http://plain:4" }), "plain:4");
    assert.equal(choose("http://a.example", {}, environment), "all:3");
    assert.equal(choose("https://a.example", {}, { all_proxy: "socks5h://all" }), "all:1080");
    assert.equal(choose("https://a.example"), "direct");
  });

  it("C4: with http.proxySupport off there is no proxy, whoever names it", () => {
    const environment = { https_proxy: "http://lower:2", all_proxy: "all:3" };
    assert.equal(choose("https://a.example", { useProxy: false, proxy: "http://set:1" }, environment), "direct");
  });

  it("C4: this machine is never spoken to through a proxy", () => {
    const urls = [
      "http://localhost:1",
      "https://x.localhost",
      "http://127.0.0.1",
      "http://127.9.9.9",
      "https://[::1]:5",
    ];
    for (const url of urls) assert.equal(choose(url, { proxy: "http://set:8080" }), "direct", url);
    assert.equal(choose("https://localhost.example", { proxy: "http://set:8080" }), "set:8080");
  });

  it("C4: the exceptions of the settings and of the environment both count, whichever names the proxy", () => {
    const proxy = "http://set:8080";
    assert.equal(choose("https://a.example", { proxy, noProxy: ["a.example"] }), "direct");
    assert.equal(choose("https://a.example", { proxy }, { NO_PROXY: "b.example, a.example" }), "direct");
    assert.equal(choose("https://a.example", { noProxy: ["a.example"] }, { https_proxy: proxy }), "direct");
    assert.equal(choose("https://a.example", { proxy }, { no_proxy: "b.example" }), "set:8080");
  });

  const rows: [entry: string, url: string, excepted: boolean][] = [
    ["*", "https://any.example", true],
    ["*:8443", "https://any.example", false],
    ["*:8443", "https://any.example:8443", true],
    ["a.example", "https://a.example", true],
    ["A.Example.", "https://a.example", true],
    ["a.example", "https://b.a.example", true],
    ["a.example", "https://nota.example", false],
    [".a.example", "https://b.a.example", true],
    [".a.example", "https://a.example", true],
    ["*.a.example", "https://b.c.a.example", true],
    ["*.a.example", "https://a.example", false],
    ["a.example:443", "https://a.example", true],
    ["a.example:444", "https://a.example", false],
    ["10.1.2.3", "https://10.1.2.3", true],
    ["10.0.0.0/8", "https://10.1.2.3", true],
    ["10.0.0.0/8", "https://11.1.2.3", false],
    ["10.0.0.0/8", "https://a.example", false],
    ["10.0.0.0/99", "https://10.1.2.3", false],
    ["10.0.0.0/", "https://10.1.2.3", false],
    ["fd00::/8", "https://[fd00::7]", true],
    ["fd00::7", "https://[fd00::7]:8443", true],
    ["[fd00::7]:8443", "https://[fd00::7]:8443", true],
    ["[fd00::7]:8443", "https://[fd00::7]", false],
    ["", "https://a.example", false],
  ];
  for (const [entry, url, excepted] of rows) {
    it(`C4: "${entry}" ${excepted ? "excepts" : "does not except"} ${url}`, () => {
      assert.equal(isExcepted(new URL(url), ["other.example", entry]), excepted);
    });
  }

  it("C4: a proxy that can't be used is refused before anything is sent, without its password", () => {
    for (const proxy of [
      "socks4://me:secret@old:1",
      "ftp://me:secret@p",
      "http://me:secret@",
      "http://me:secret@h:port",
    ]) {
      assert.throws(
        () => choose("https://a.example", { proxy }),
        (failure: unknown) =>
          failure instanceof AppFailure && failure.error.notSent === true && !/secret|me:/.test(failure.message),
        proxy,
      );
    }
  });
});

/** The addresses of the gateway's interface. */
import assert from "node:assert/strict";
import { readAddress } from "../../../../src/domain/gateway/address";
import { AppFailure } from "../../../../src/domain/errors/appError";
import { endpointUrl, pathSegment } from "../../../../src/gateway/http/httpRequest";

describe("addresses", () => {
  it("C1: takes a base URL with and without the version", () => {
    const url = (base: string): string => endpointUrl(readAddress(base), "/tasks").href;
    assert.equal(url("https://g.example"), "https://g.example/v1/tasks");
    assert.equal(url("https://g.example/"), "https://g.example/v1/tasks");
    assert.equal(url(" https://g.example/v1/ "), "https://g.example/v1/tasks");
    assert.equal(url("https://g.example/api"), "https://g.example/api/v1/tasks");
    assert.equal(url("https://g.example/v1beta//"), "https://g.example/v1beta/tasks");
    assert.throws(() => url("https://g.example/v1?x=1#y"), /may not hold anything after/);
    assert.equal(url("http://127.0.0.1:80/v1"), "http://127.0.0.1/v1/tasks");
  });

  it("C1: refuses http beyond this machine, other schemes and credentials, before anything is sent", () => {
    for (const base of [
      "http://g.example",
      "http://localhost.evil.example",
      "http://127.0.0.1.evil.example",
      "http://a.localhost",
      "ftp://g.example",
      "no url",
      "",
      "https://u:p@g.example",
    ]) {
      assert.throws(
        () => readAddress(base),
        (error) => error instanceof AppFailure && error.error.notSent === true,
        base,
      );
    }
    for (const base of ["http://localhost:1", "http://127.0.0.1", "http://[::1]:8", "http://127.0.0.2"])
      readAddress(base);
  });

  it("C1: names the reason for which an address is refused, and never its password", () => {
    const reasonOf = (base: string): unknown => {
      try {
        return readAddress(base).href;
      } catch (failure) {
        assert.ok(failure instanceof AppFailure && !failure.message.includes("secret"));
        return failure.error.code;
      }
    };
    assert.deepEqual(
      ["//u:secret@g", "https://u:secret@g.example", "https://g.example/v1?a=b", "http://g.example"].map(reasonOf),
      ["address-unreadable", "address-login", "address-query", "address-insecure"],
    );
  });

  it("T1: an id stays one segment of the path", () => {
    assert.equal(pathSegment("a/b?c"), "a%2Fb%3Fc");
    for (const odd of ["", ".", ".."]) assert.throws(() => pathSegment(odd), AppFailure);
  });
});

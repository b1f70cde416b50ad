/** The one table of hosts that are not public, by which links and results are judged alike. */
import assert from "node:assert/strict";
import { isPrivateAddress, isPrivateHost } from "../../../src/base/privateAddress";
import { refuseAssetUrl } from "../../../src/domain/gateway/assetUrl";
import { judgeAddress } from "../../../src/node/outsideAddress";

const privateAddresses =
  `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.168.1.1
  198.18.0.1 198.19.255.255 224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:a00:1 ::127.0.0.1 ::ffff:0:7f00:1
  64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::808:808 2001:0:7f00:1:: 2002:7f00:1:: fc00::1 fd00::1 fe80::1 febf::1 fec0::1
  ff02::1`.split(/\s+/);
const publicAddresses =
  `8.8.8.8 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 192.167.0.1 198.17.0.1 198.20.0.1 223.255.255.255
  2606:4700::1111 2001:4860:4860::8888 2003::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 fbff::1`.split(/\s+/);
const privateNames =
  `localhost router a.localhost printer.local metadata.google.internal nas.lan wiki.corp db.localdomain a.home.arpa
  gateway.test`.split(/\s+/);
const publicNames = "example.com localhost.example.com a.local.example internal.example lan.example".split(" ");
const inUrl = (address: string): string => (address.includes(":") ? `[${address}]` : address);

describe("private addresses", () => {
  it("T8, P5: addresses of this machine, its network and no public use are private, also as IPv6 writes or translates them", () => {
    for (const address of privateAddresses) assert.ok(isPrivateAddress(address), address);
    for (const address of publicAddresses) assert.ok(!isPrivateAddress(address), address);
    // With the zone that a resolver appends.
    assert.ok(isPrivateAddress("fe80::1%eth0"));
    for (const none of ["", "localhost", "1.2.3", "::g", "127.0.0.1.example.com"])
      assert.ok(!isPrivateAddress(none), none);
  });

  it("T8, P5 (finding H15): links and results have one table: what a link asks about is refused to a result, and nothing else", () => {
    const gateway = new URL("https://gateway.example/v1");
    for (const [isPrivate, hosts] of [
      [true, [...privateAddresses.map(inUrl), ...privateNames, "LOCALHOST.", "2130706433", "0x7f000001"]],
      [false, [...publicAddresses.map(inUrl), ...publicNames]],
    ] as const) {
      for (const host of hosts) {
        const url = new URL(`https://${host}/a.png`);
        assert.deepEqual(
          [isPrivateHost(url.hostname), refuseAssetUrl(url, gateway) !== undefined, judgeAddress(url.href).verdict],
          [isPrivate, isPrivate, isPrivate ? "ask" : "open"],
          host,
        );
      }
    }
  });
});

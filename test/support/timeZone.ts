/** Runs the tests of a suite in a time zone: the machine's own may have no change of clocks. */
export function inTimeZone(zone: string): void {
  let own: string | undefined;
  before(() => {
    own = process.env["TZ"];
    process.env["TZ"] = zone;
  });
  after(() => {
    if (own === undefined) delete process.env["TZ"];
    else process.env["TZ"] = own;
  });
}

/** Days of local time in a zone whose clocks change: one has 23 hours, one 25. */
import assert from "node:assert/strict";
import { startOfDay, startOfNextDay } from "../../../src/base/localDay";
import { inTimeZone } from "../../support/timeZone";

const hour = 3_600_000;

describe("localDay", () => {
  inTimeZone("Europe/Berlin");

  it("T6, T13: a day ends at the next midnight, also where the clocks change", () => {
    const hours = (month: number, day: number): number => {
      const noon = new Date(2026, month, day, 12).getTime();
      return (startOfNextDay(noon) - startOfDay(noon)) / hour;
    };
    assert.deepEqual([hours(2, 28), hours(2, 29), hours(9, 25)], [24, 23, 25]);
  });
});

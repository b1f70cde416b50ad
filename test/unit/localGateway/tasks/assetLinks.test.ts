/** L2: links to results hold for their own file and for a while. */
import assert from "node:assert/strict";
import { HttpError } from "../../../../src/localGateway/http/httpError";
import { AssetLinks } from "../../../../src/localGateway/tasks/resultFiles";
import { createMovedClock } from "../../../support/movedClock";

describe("local gateway: asset links", () => {
  it("L2: a link is good for its own file until its time, and for no other", async () => {
    const clock = createMovedClock();
    const links = new AssetLinks({ secret: "s", clock, origin: () => "http://127.0.0.1:1" });
    const { searchParams } = new URL(links.link("task", "image.png"));
    links.check("task", "image.png", searchParams);
    const refused = (status: number) => (error: unknown) => error instanceof HttpError && error.status === status;
    assert.throws(() => links.check("task", "video.mp4", searchParams), refused(403));
    assert.throws(() => links.check("other", "image.png", searchParams), refused(403));
    const longer = new URLSearchParams({ ...Object.fromEntries(searchParams), expires: "9999999999999" });
    assert.throws(() => links.check("task", "image.png", longer), refused(403));
    await clock.advance(3_600_000 - 1);
    links.check("task", "image.png", searchParams);
    await clock.advance(3_600_001);
    assert.throws(() => links.check("task", "image.png", searchParams), refused(410));
  });
});

/** Which requests are kept. */
import assert from "node:assert/strict";
import { AnswerRequests } from "../../../../src/chat/session/sessionOptions";
import type { TracedRequest } from "../../../../src/domain/chat/requestTrace";

describe("the requests of the answers", () => {
  it("S4: an answer keeps its requests in order, and the oldest answers go first", () => {
    const requests = new AnswerRequests();
    const made = (): TracedRequest => ({ trace: {} as TracedRequest["trace"] });
    const [first, second] = [made(), made()];
    requests.add("answer 1", first);
    requests.add("answer 1", second);
    assert.deepEqual(requests.of("answer 1"), [first, second]);
    for (let count = 2; count <= 21; count += 1) requests.add(`answer ${count}`, made());
    assert.deepEqual(requests.of("answer 1"), []);
    assert.equal(requests.of("answer 2").length, 1);
  });
});

/** Whatever a chat holds and however small the model's context is, a turn ends in an answer or in a pause that says what to do. */
import assert from "node:assert/strict";
import { playBoundedChat } from "../../../support/boundedChats";
import { firstSeed, runsOf } from "../../../support/runs";

describe("chats with a model that refuses what is too long", () => {
  for (const size of [8_000, 32_000, 128_000])
    it(`A6: at ${size} tokens each turn ends in an answer or a pause, and no refused request is made again`, async () => {
      const chats = Math.max(10, Math.round(runsOf(2_000_000) / size));
      const all = { answer: 0, pause: 0, neither: 0 };
      let refused = 0;
      for (let seed = firstSeed; seed < firstSeed + chats; seed += 1) {
        const played = await playBoundedChat(size, seed);
        for (const end of played.ends) all[end] += 1;
        assert.deepEqual([played.repeated, played.ends.includes("neither")], [0, false], `seed ${seed}`);
        // Six turns of at most five rounds, each with at most four requests and two summaries.
        assert.ok(played.requests <= 6 * 5 * 10, `${played.requests} requests, seed ${seed}`);
        refused += played.refused;
      }
      assert.ok(refused > chats / 4 && all.answer > all.pause, JSON.stringify({ ...all, refused }));
    });
});

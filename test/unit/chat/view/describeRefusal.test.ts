/** Why a prompt stays in the composer: said of each state in which it is not taken. */
import assert from "node:assert/strict";
import { Store } from "../../../../src/base/store";
import type { SessionAccess } from "../../../../src/chat/storage/storedSession";
import { describeRefusal } from "../../../../src/chat/view/describeRefusal";

const refusedIn = (access: SessionAccess, shown = "chat"): string =>
  describeRefusal({ id: shown, access: new Store(access) }, "chat");

describe("a prompt that is not taken", () => {
  it("P1, P4: it is said who writes the chat, and that the text is kept", () => {
    const isWriterGone = false;
    assert.match(refusedIn({ state: "following", isWriterGone }), /^Not sent: another window writes .* text is kept/);
    assert.match(refusedIn({ state: "newer" }), /^Not sent: a newer version .* text is kept/);
    assert.match(refusedIn({ state: "writing" }), /^Not sent: something else began .* text is kept/);
  });

  it("N21, P1: of a chat that is not shown any more, Enter sends it to the one that is", () => {
    assert.match(refusedIn({ state: "writing" }, "another"), /^Not sent: another chat is shown since\. Press Enter/);
  });
});

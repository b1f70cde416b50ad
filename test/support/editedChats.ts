/** Chats whose first prompt was edited or taken back, with the title that each has then. */
import type { SessionRecord } from "../../src/chat/storage/records";

export function editedChats(
  prompt: (text: string, replaces?: string) => SessionRecord,
): readonly (readonly [readonly SessionRecord[], string])[] {
  const switched: SessionRecord = { type: "branch-switched" };
  const replaced = (from: string): SessionRecord => ({ type: "entries-replaced", from });
  const edited = [prompt("first"), prompt("second"), prompt("edited", "first")];
  return [
    [edited, "edited"],
    [[...edited, switched], "first"],
    [[...edited, switched, switched], "edited"],
    [[...edited, prompt("third"), prompt("again", "edited")], "again"],
    [[prompt("first"), prompt("second"), prompt("edited", "second"), switched], "first"],
    [[prompt("first"), prompt("second"), replaced("second"), prompt("third")], "first"],
    // After a rewind to the beginning there is no prompt, but one click brings the old one back.
    [[prompt("first"), replaced("first")], "first"],
    [[prompt("first"), replaced("first"), prompt("new")], "new"],
    [[prompt("first"), replaced("first"), switched], "first"],
  ];
}

/** The undo ledger: what it keeps, takes back, and leaves alone. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { SessionFolder } from "../../../../src/chat/storage/sessionFolder";
import { LedgerFiles } from "../../../../src/chat/undo/ledgerFiles";
import { mergeTexts } from "../../../../src/chat/undo/mergeTexts";
import {
  lastUndo,
  previewUndo,
  redoable,
  redosOf,
  undoable,
  undoChanges,
  undosOf,
} from "../../../../src/chat/undo/undoChanges";
import { ChangeInterrupted, ToolRefusal } from "../../../../src/domain/tools/tool";
import type { FileChanges } from "../../../../src/domain/tools/workspace";
import { ledgerOver, MemoryLedgerStore } from "../../../support/memoryLedger";
import { Killed, MemoryWorkspace } from "../../../support/memoryWorkspace";
import { createTemporaryFolder } from "../../../support/temporaryFolder";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Milliseconds. */
const day = 24 * 3_600_000;
const a = "/work/a.ts";
const b = "/work/b.ts";

describe("undo ledger", () => {
  let workspace: MemoryWorkspace;
  let store: MemoryLedgerStore;
  let ledger: ReturnType<typeof ledgerOver>;
  beforeEach(() => {
    workspace = new MemoryWorkspace();
    store = new MemoryLedgerStore();
    ledger = ledgerOver(workspace, store);
    workspace.files.set(a, bytes("one\ntwo\nthree\nfour\nfive\nsix\nseven\n"));
  });
  const call = (id: string, answer = "answer"): FileChanges =>
    ledger.changesOf({ type: "call", answer, call: id, allowed: "call" });
  const text = (file: string): string | undefined => {
    const content = workspace.files.get(file);
    return workspace.editors.get(file) ?? (content && Buffer.from(content).toString());
  };
  const change = async (from: string, to: string, id = "c", answer = "answer"): Promise<void> => {
    const now = text(a) ?? "";
    await call(id, answer).write(a, now, now.replace(from, to));
  };
  const undoAll = (): ReturnType<typeof undoChanges> => undoChanges(ledger, undoable(ledger));

  it("A5: what was there and what will be is kept before the file is touched; a kill in between leaves nothing to undo", async () => {
    let atWrite = "";
    workspace.onWrite = () => {
      atWrite = store.lines;
      throw new Killed();
    };
    await assert.rejects(change("two", "2"), Killed);
    const [record] = atWrite.split("\n").map((line) => JSON.parse(line || "{}") as Record<string, unknown>);
    assert.deepEqual(
      { path: record?.["path"], cause: record?.["cause"] },
      {
        path: a,
        cause: { type: "call", answer: "answer", call: "c", allowed: "call" },
      },
    );
    assert.equal(store.blobs.size, 2);
    // As the next window finds it: the line after the kill is missing.
    store.lines = atWrite;
    ledger = ledgerOver(workspace, store);
    await ledger.load();
    assert.equal(undoable(ledger).length, 1);
    await ledger.recover();
    assert.deepEqual(undoable(ledger), []);
  });

  it("A5: nothing is changed when the ledger can't be written", async () => {
    store.append = () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
    await assert.rejects(change("two", "2"), /full/);
    assert.match(text(a) ?? "", /two/);
  });

  it("A5: a write that failed half way stays on record: what an editor has is undone, and the former text is offered", async () => {
    const former = text(a) ?? "";
    const { write } = workspace;
    workspace.write = (path, _before, now) => {
      workspace.editors.set(path, `${now}formatted\n`);
      return Promise.reject(new ChangeInterrupted("It could not be saved.", `${now}formatted\n`));
    };
    await assert.rejects(change("two", "2"), /could not be saved/);
    workspace.write = write.bind(workspace);
    assert.deepEqual((await undoAll()).undone, ["a.ts"]);
    assert.equal(text(a), former);
    workspace.editors.clear();
    workspace.files.set(a, bytes(former));
    workspace.write = (path) => {
      workspace.files.set(path, bytes(former.slice(0, 8)));
      return Promise.reject(new ChangeInterrupted("It has only a part of its text now."));
    };
    await assert.rejects(change("six", "6"), /only a part/);
    workspace.write = write.bind(workspace);
    await ledger.recover();
    const { edited, undone } = await undoAll();
    assert.deepEqual([undone, edited.map(({ path: file, why }) => [file, why])], [[], [[a, "edited"]]]);
    assert.ok([...store.blobs.values()].some((blob) => Buffer.from(blob).toString() === former));
    assert.equal(undoable(ledger).length, 1);
  });

  it("A5: an undo that was killed while it wrote the file does not count as made: the former text is offered again", async () => {
    const former = text(a) ?? "";
    await change("two", "2");
    const { replace } = workspace;
    workspace.replace = (path) => {
      workspace.files.set(path, bytes(former.slice(0, 8)));
      store.isDead = true;
      return Promise.reject(new Killed());
    };
    assert.equal((await undoAll()).failed.length, 1);
    workspace.replace = replace.bind(workspace);
    store.isDead = false;
    ledger = ledgerOver(workspace, store);
    await ledger.recover();
    const { edited, undone, failed } = await undoAll();
    assert.deepEqual([undone, failed, edited.map(({ path: file, why }) => [file, why])], [[], [], [[a, "edited"]]]);
    assert.equal(text(a), former.slice(0, 8));
  });

  it("A5: a change that begins while the changes of a killed window are decided waits until they are", async () => {
    let atWrite = "";
    workspace.onWrite = () => {
      atWrite = store.lines;
      throw new Killed();
    };
    await assert.rejects(change("two", "2"), Killed);
    const killed = JSON.parse(atWrite) as { readonly id: string };
    store.lines = atWrite;
    ledger = ledgerOver(workspace, store);
    workspace.onWrite = () => (atWrite = store.lines);
    const { open } = workspace;
    let making: Promise<void> | undefined;
    workspace.open = async (path) => {
      if (making === undefined) {
        making = change("six", "6");
        for (let turn = 0; turn < 20; turn++) await nextTurn();
      }
      return open.call(workspace, path);
    };
    await ledger.recover();
    await making;
    assert.ok(atWrite.includes(JSON.stringify({ type: "dropped", id: killed.id })), atWrite);
    assert.equal(undoable(ledger).length, 1);
  });

  it("A5: an undo while a change is just being made leaves its record, so that the change can be undone", async () => {
    const former = text(a) ?? "";
    const { write } = workspace;
    const [begun, dropped] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    workspace.write = async (...given) => {
      begun.resolve(undefined);
      await dropped.promise;
      return write.apply(workspace, given);
    };
    const drop = ledger.drop.bind(ledger);
    ledger.drop = (id) => {
      dropped.resolve(undefined);
      return drop(id);
    };
    const making = change("two", "2");
    await begun.promise;
    assert.deepEqual((await undoAll()).undone, []);
    await making;
    workspace.write = write.bind(workspace);
    assert.match(text(a) ?? "", /one\n2\n/);
    assert.deepEqual((await undoAll()).undone, ["a.ts"]);
    assert.equal(text(a), former);
  });

  it("A5: undo and redo by file, call and turn", async () => {
    await change("two", "2", "c1", "first");
    await call("c2", "second").create(b, bytes("made\n"));
    await change("six", "6", "c3", "second");
    await undoChanges(ledger, undoable(ledger, { path: b }));
    assert.equal(text(b), undefined);
    await undoChanges(ledger, undoable(ledger, { call: "c3" }));
    assert.equal(text(a), "one\n2\nthree\nfour\nfive\nsix\nseven\n");
    assert.equal(redoable(ledger, { answers: new Set(["second"]) }).length, 2);
    await undoChanges(ledger, redoable(ledger, { answers: new Set(["second"]) }));
    assert.equal(text(b), "made\n");
    assert.equal(text(a), "one\n2\nthree\nfour\nfive\n6\nseven\n");
    await undoChanges(ledger, undoable(ledger, { answers: new Set(["second"]) }));
    assert.deepEqual([text(a), text(b)], ["one\n2\nthree\nfour\nfive\nsix\nseven\n", undefined]);
    await undoChanges(ledger, lastUndo(ledger));
    assert.equal(text(b), "made\n");
  });

  it("A5: a rewind's undo is taken back and made again any number of times, without what was undone before it", async () => {
    await change("two", "2", "c1", "first");
    await change("six", "6", "c2", "second");
    await undoChanges(ledger, undoable(ledger, { call: "c2" }));
    const { operation } = await undoChanges(ledger, undoable(ledger, { answers: new Set(["first", "second"]) }));
    const [before, after] = [text(a), "one\n2\nthree\nfour\nfive\nsix\nseven\n"];
    assert.match(before ?? "", /two[^]*six/);
    assert.deepEqual(redosOf(ledger, operation), []);
    for (let times = 0; times < 3; times += 1) {
      await undoChanges(ledger, undosOf(ledger, operation));
      assert.equal(text(a), after);
      assert.deepEqual(undosOf(ledger, operation), []);
      await undoChanges(ledger, redosOf(ledger, operation));
      assert.equal(text(a), before);
    }
  });

  it("A5: a file that was edited since is left alone; the undo around the edit is offered, and overlaps are named", async () => {
    await change("two", "2");
    await change("six", "6");
    const edited = (text(a) ?? "").replace("2\n", "2 and mine\n").replace("seven", "seven, mine");
    workspace.editors.set(a, edited);
    const outcome = await undoAll();
    assert.deepEqual(outcome.undone, []);
    assert.equal(text(a), edited);
    assert.deepEqual(outcome.edited, [
      {
        path: a,
        label: "a.ts",
        why: "edited",
        proposal: { now: edited, merged: edited, overlaps: [6, 2] },
      },
    ]);
    workspace.editors.set(a, (text(a) ?? "").replace("seven, mine", "seven"));
    const [file] = (await undoAll()).edited;
    assert.equal(file?.proposal?.merged, "one\n2 and mine\nthree\nfour\nfive\nsix\nseven\n");
    assert.deepEqual(file.proposal.overlaps, [2]);
  });

  it("A5: a later change by a tool is not swept away by the undo of an earlier one", async () => {
    await change("two", "2", "c1");
    await change("2", "two", "c2");
    await change("two", "2", "c3");
    const { undone, edited } = await undoChanges(ledger, undoable(ledger, { call: "c1" }));
    assert.deepEqual([undone, edited.length], [[], 1]);
    assert.deepEqual((await undoAll()).undone, ["a.ts"]);
    assert.match(text(a) ?? "", /two/);
  });

  it("A5: a renamed file goes back with what a person has written into it since", async () => {
    await call("c").rename(a, b);
    workspace.files.set(b, bytes("all mine\n"));
    assert.deepEqual((await undoAll()).undone, ["a.ts"]);
    assert.deepEqual([text(a), text(b)], ["all mine\n", undefined]);
  });

  it("A5: a deleted file comes back with its bytes, unless something else is there by now", async () => {
    const odd = Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x00, 0xd8]);
    workspace.files.set(b, odd);
    await call("c").remove(b, odd);
    workspace.files.set(b, bytes("mine"));
    assert.deepEqual(
      (await undoAll()).edited.map(({ why }) => why),
      ["created"],
    );
    assert.equal(text(b), "mine");
    workspace.files.delete(b);
    await undoAll();
    assert.deepEqual(workspace.files.get(b), odd);
  });

  it("A5: a file that a tool made and a person has gone on with unsaved is not deleted", async () => {
    await call("c").create(b, bytes("made\n"));
    workspace.editors.set(b, "made\n");
    const { undone, failed, edited } = await undoAll();
    assert.deepEqual([undone, failed, edited.map(({ path: file, why }) => [file, why])], [[], [], [[b, "edited"]]]);
    assert.equal(text(b), "made\n");
  });

  it("A5: what is no longer kept is said, and nothing is guessed", async () => {
    await change("two", "2");
    store.blobs.clear();
    const before = text(a);
    assert.deepEqual((await undoAll()).edited, [{ path: a, label: "a.ts", why: "lost" }]);
    assert.equal(text(a), before);
  });

  it("A5: a preview changes nothing", async () => {
    await change("two", "2");
    const before = workspace.snapshot;
    const { steps } = await previewUndo(ledger, undoable(ledger));
    assert.equal(steps.length, 1);
    assert.deepEqual(workspace.snapshot, before);
  });

  it("A5: a text with half a character can't be kept, so it is not changed", async () => {
    workspace.editors.set(a, "half \ud83d\n");
    await assert.rejects(call("c").write(a, "half \ud83d\n", "whole\n"), ToolRefusal);
    assert.equal(text(a), "half \ud83d\n");
  });

  it("A5: bytes that are no UTF-8 text are not written into the text that an editor has, which stays as it is", async () => {
    const before = { as: "file", bytes: Buffer.from("caf\u00e9\n", "latin1") } as const;
    const after = { as: "text", text: "the caf\u00e9\n" } as const;
    workspace.files.set(a, before.bytes);
    const cause = { type: "call", answer: "x", call: "y", allowed: "call" } as const;
    await ledger.make(cause, { path: a, before, after }, () => {
      workspace.editors.set(a, after.text);
      return Promise.resolve(after);
    });
    const { undone, failed } = await undoAll();
    assert.deepEqual([undone, failed.map(({ label }) => label)], [[], ["a.ts"]]);
    assert.match(failed[0]?.reason ?? "", /no UTF-8 text/);
    assert.equal(text(a), after.text);
    assert.equal(undoable(ledger).length, 1);
  });

  it("A5 (two windows): an old blob that is kept again outlives what another window collects before the record is there", async () => {
    const folder = await createTemporaryFolder();
    try {
      const kept = LedgerFiles.nextTo(path.join(folder.path, "chats"));
      const hash = await kept.storeOf("a").keep(bytes("one"));
      await utimes(path.join(folder.path, "changes", "blobs", hash), 1, 1);
      await kept.storeOf("a").keep(bytes("one"));
      await kept.collect(() => Promise.resolve(true), Date.now());
      assert.ok(await kept.storeOf("a").blob(hash));
    } finally {
      await folder.remove();
    }
  });

  (process.platform === "win32" ? it.skip : it)(
    "A5: the changes of a chat stay while its file can't be looked at, and go when it is gone",
    async () => {
      const folder = await createTemporaryFolder();
      try {
        const sessions = new SessionFolder(path.join(folder.path, "chats"));
        const kept = LedgerFiles.nextTo(sessions.path);
        await mkdir(sessions.path);
        await kept.storeOf("a").append("{}\n");
        // A link to itself can't be followed: an error of the file system that is not that of a missing file.
        await symlink(sessions.fileOf("a"), sessions.fileOf("a"));
        const collect = () => kept.collect((chat) => sessions.has(chat), Date.now() + 31 * day);
        await assert.rejects(collect(), { code: "ELOOP" });
        assert.equal(await kept.storeOf("a").read(), "{}\n");
        await rm(sessions.fileOf("a"));
        await collect();
        assert.equal(await kept.storeOf("a").read(), "");
      } finally {
        await folder.remove();
      }
    },
  );

  it("A5: the changes of a chat that has no message yet stay for 30 days after the last one, and go with a deleted chat at once", async () => {
    const folder = await createTemporaryFolder();
    try {
      const chats = path.join(folder.path, "chats");
      const kept = LedgerFiles.nextTo(chats);
      const sessions = new SessionFolder(chats, (chat) => kept.forget(chat));
      const onDisk = ledgerOver(workspace, kept.storeOf("new"));
      await onDisk.end(await onDisk.begin({ type: "call", answer: "x", call: "y", allowed: "call" }, a), () => "");
      const readAgain = async (): Promise<unknown> => {
        const again = ledgerOver(workspace, kept.storeOf("new"));
        await again.load();
        return again.contentOf(again.changes[0]?.after);
      };
      const collect = (days: number) => kept.collect((chat) => sessions.has(chat), Date.now() + days * day);
      await collect(29);
      assert.deepEqual(await readAgain(), { as: "file", bytes: Buffer.from(text(a) ?? "") });
      await collect(31);
      assert.equal(await readAgain(), undefined);
      await kept.storeOf("deleted").append("{}\n");
      await sessions.add("deleted", ["{}\n"]);
      await sessions.discard("deleted");
      await sessions.remove("deleted");
      assert.equal(await kept.storeOf("deleted").read(), "");
    } finally {
      await folder.remove();
    }
  });

  it("A5: on the disk a damaged blob counts as gone, and what no chat names goes", async () => {
    const folder = await createTemporaryFolder();
    try {
      const kept = LedgerFiles.nextTo(path.join(folder.path, "chats"));
      const blobs = path.join(folder.path, "changes", "blobs");
      for (const chat of ["here", "gone"]) {
        const onDisk = ledgerOver(workspace, kept.storeOf(chat));
        await onDisk
          .changesOf({ type: "call", answer: "x", call: "y", allowed: "call" })
          .create(`/work/${chat}`, bytes(chat));
      }
      const again = ledgerOver(workspace, kept.storeOf("here"));
      await again.load();
      assert.deepEqual(
        again.changes.map(({ label, isOpen }) => [label, isOpen]),
        [["here", false]],
      );
      const names = await readdir(blobs);
      assert.equal(names.length, 2);
      const later = Date.now() + 31 * day;
      await kept.collect((chat) => Promise.resolve(chat === "here"), later);
      const [left = ""] = await readdir(blobs);
      assert.equal(await readFile(path.join(blobs, left), "utf8"), "here");
      await writeFile(path.join(blobs, left), "hers");
      assert.equal(await kept.storeOf("here").blob(left), undefined);
      await kept.storeOf("here").keep(bytes("here"));
      const second = await kept.storeOf("here").keep(bytes("younger"));
      await utimes(path.join(blobs, left), 1, 1);
      await kept.collect(() => Promise.resolve(true), Date.now(), 8);
      assert.deepEqual(await readdir(blobs), [second], "the oldest goes first");
      await rm(path.join(blobs, second));
      const both = bytes("both");
      for (const chat of ["one", "two"]) {
        const files = ledgerOver(workspace, kept.storeOf(chat)).changesOf({
          type: "call",
          answer: "x",
          call: "y",
          allowed: "call",
        });
        await files.create(`/work/both${chat}`, both);
        await files.create(`/work/own${chat}`, bytes(`of ${chat}`));
      }
      for (const name of await readdir(blobs)) await utimes(path.join(blobs, name), 1, 1);
      // Another chat keeps the content of the one that goes, and its record is not on the disk yet.
      const reused = await kept.storeOf("two").keep(bytes("of one"));
      await kept.forget("one");
      assert.ok(await kept.storeOf("two").blob(reused), "it is there for the record that names it");
      await utimes(path.join(blobs, reused), 1, 1);
      await kept.collect(() => Promise.resolve(true), Date.now());
      assert.equal(await kept.storeOf("one").read(), "");
      const texts = await Promise.all((await readdir(blobs)).map((name) => readFile(path.join(blobs, name), "utf8")));
      assert.deepEqual(texts.sort(), ["both", "of two"]);
      assert.equal(await kept.storeOf("here").blob(second), undefined);
    } finally {
      await folder.remove();
    }
  });

  it("A5: of two chats that edit one file, neither undo takes the other's edit along", async () => {
    const other = ledgerOver(workspace);
    const both = "1\ntwo\nthree\nfour\nfive\nsix\n7\n";
    await change("one", "1");
    const between = text(a) ?? "";
    await other.changesOf({ type: "call", answer: "b", call: "b", allowed: "call" }).write(a, between, both);
    const first = await undoAll();
    assert.deepEqual([first.undone, first.edited[0]?.proposal?.merged], [[], both.replace("1", "one")]);
    assert.equal(text(a), both);
    assert.deepEqual((await undoChanges(other, undoable(other))).edited, []);
    assert.deepEqual((await undoAll()).edited, []);
    assert.equal(text(a), "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
  });

  it("A5: texts are merged by lines: an edit is never left out, and the same edit on both sides counts once", () => {
    const base = "a\nb\nc\nd\ne\n";
    assert.deepEqual(mergeTexts(base, "a\nb\nc\nD\ne\n", "A\nb\nc\nd\ne\n"), {
      text: "A\nb\nc\nD\ne\n",
      undone: 1,
      overlaps: [],
    });
    assert.deepEqual(mergeTexts(base, "a\nB\nc\nd\ne\n", "a\nb2\nc\nd\ne\n"), {
      text: "a\nB\nc\nd\ne\n",
      undone: 0,
      overlaps: [2],
    });
    assert.deepEqual(mergeTexts(base, "a\nx\nc\nd\ne\n", "a\nx\nc\nd\ne\n"), {
      text: "a\nx\nc\nd\ne\n",
      undone: 1,
      overlaps: [],
    });
    assert.deepEqual(mergeTexts(base, "new\na\nb\nc\nd\ne\n", "a\nb\nc\ne\n"), {
      text: "new\na\nb\nc\ne\n",
      undone: 1,
      overlaps: [],
    });
  });
});

/** What was filled into the form for media is there after it was closed and after a reload, its pictures too. */
import assert from "node:assert/strict";
import { readdir, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { emptyMediaFields } from "../../../../../src/domain/task/mediaFields";
import { imageReference } from "../../../../../src/tasks/submit/references";
import { FormMemory } from "../../../../../src/tasks/host/submit/draftMemory";
import { eventually } from "../../../../support/eventually";
import { createTemporaryFolder } from "../../../../support/temporaryFolder";
import { pngOf } from "../../../../support/testImages";

describe("the memory of the form for media", () => {
  const values = new Map<string, unknown>();
  /** As VS Code writes it: what is no JSON is lost. */
  const memory = {
    get: (key: string, other?: unknown) => values.get(key) ?? other,
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, JSON.parse(JSON.stringify(value)))),
  };
  let folder: string;
  beforeEach(async () => {
    values.clear();
    folder = path.join((await createTemporaryFolder()).path, "mediaForm");
  });

  const keptPicture = async (memoryOfForm: FormMemory, size: number): ReturnType<FormMemory["keepReference"]> => {
    const read = imageReference(`${size}.png`, await pngOf(size, size), 1_000_000);
    assert.ok(typeof read === "object");
    return memoryOfForm.keepReference(read);
  };

  it("T15: fields, pictures and addresses come back as they were; a file that is gone is named", async () => {
    const first = new FormMemory(memory, folder);
    assert.deepEqual(await first.read(), { references: [], lost: [] });
    const carried = { duplicatedFrom: "t", referenceField: "images", otherAssets: {}, metadata: { guidance: 7 } };
    const pictures = await Promise.all([3, 4].map((size) => keptPicture(first, size)));
    const address = await first.keepReference({ name: "https://x/a.png", url: "https://x/a.png" });
    const fields = { ...emptyMediaFields("video", "model-x"), prompt: "a pier", seed: "half typ", count: 4 };
    first.keep({ fields, references: [...pictures, address], carried });
    const again = new FormMemory(memory, folder);
    assert.deepEqual(await again.read(), { fields, references: [...pictures, address], lost: [], carried });
    await rm(path.join(folder, pictures[0]?.id ?? ""));
    first.keep({ fields, references: [...pictures, address] });
    assert.deepEqual(await again.read(), { fields, references: [pictures[1], address], lost: ["3.png"] });
  });

  it("T2, T15: what is large of the former task is in a file, which is written once, and not in VS Code's memory; lost, it is named", async () => {
    const form = new FormMemory(memory, folder);
    const data = `data:image/png;base64,${"A".repeat(100_000)}`;
    const carried = {
      ...{ duplicatedFrom: "t", referenceField: "first_frame", otherAssets: { mask: data }, metadata: {} },
      place: { root: "file:///other", path: "art/pier" },
    };
    const drawing = `data:image/svg+xml,${"<g/>".repeat(30_000)}`;
    const reference = await form.keepReference({ name: "image-1", url: drawing });
    const fields = emptyMediaFields("video", "model-x");
    for (const prompt of ["a", "a p", "a pi"])
      form.keep({ fields: { ...fields, prompt }, references: [reference], carried });
    assert.ok(JSON.stringify(values.get("mediaForm")).length < 2000);
    const isWritten = async (): Promise<boolean> => (await readdir(folder)).some((name) => name.endsWith(".json"));
    await eventually("the file", isWritten);
    const again = new FormMemory(memory, folder);
    const read = await again.read();
    assert.deepEqual([read.carried, read.references, read.lost], [carried, [reference], []]);
    for (const name of await readdir(folder)) await rm(path.join(folder, name));
    form.keep({ fields, references: [], carried });
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(await again.read(), { fields, references: [], lost: [], isCarriedLost: true });
  });

  it("T15: a picture that nothing names stays for an undo, and goes after a month", async () => {
    const kept = new FormMemory(memory, folder);
    await keptPicture(kept, 3);
    kept.keep({ fields: emptyMediaFields("video"), references: [] });
    await kept.read();
    const [name = ""] = await readdir(folder);
    const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
    await utimes(path.join(folder, name), old, old);
    await kept.read();
    await eventually("the folder is empty", async () => (await readdir(folder)).length === 0);
  });

  it("T15: a memory of another shape is an empty form", async () => {
    values.set("mediaForm", { fields: { type: "hologram" }, references: [{ id: "../../secret", name: "x" }] });
    assert.deepEqual(await new FormMemory(memory, folder).read(), { references: [], lost: [] });
  });
});

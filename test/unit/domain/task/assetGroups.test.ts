/** Which files of a project are used, and which are larger than their places need. */
import assert from "node:assert/strict";
import { type AssetUse, groupOf, oversizeOf, UseCollector } from "../../../../src/domain/task/assetGroups";
import { mediaReferencesIn } from "../../../../src/domain/task/mediaReference";

const use = (width?: number): AssetUse => ({ document: "file:///w/a.md", line: 1, ...(width ? { width } : {}) });
const file = { isThere: true, size: 40_000, width: 1024, height: 683 };

describe("assets of a project", () => {
  it("T17: a document names a file by its path, or by its name where that path leads to none that is known", () => {
    const files = ["file:///w/assets/hero.png", "file:///w/old/hero.png", "file:///w/assets/a%20pier.png"];
    const collector = new UseCollector(files);
    const text = '![](assets/hero.png)\n\n<img src="assets/a%20pier.png" width="320">\n![](other.png)';
    collector.add("file:///w/page.md", mediaReferencesIn(text).references, (path) => [
      `file:///w/${path.replaceAll(" ", "%20")}`,
      "file:///w/nothing.png",
    ]);
    collector.add("file:///w/list.json", mediaReferencesIn('["@img/hero.png"]').references, (path) => [
      `file:///w/${path}`,
    ]);
    const document = "file:///w/page.md";
    const byName = { document: "file:///w/list.json", line: 1, isByName: true };
    assert.deepEqual(collector.uses.get(files[0]!), [{ document, line: 1 }, byName]);
    assert.deepEqual(collector.uses.get(files[1]!), [byName]);
    assert.deepEqual(collector.uses.get(files[2]!), [{ document, line: 3, width: 320 }]);
  });

  it("T17: names with blanks, brackets and commas are those that have to be looked for", () => {
    const files = ["file:///w/hero.png", "file:///w/Team%20photo.webp", "file:///w/hero%20%281%29.png"];
    assert.deepEqual(new UseCollector(files).unusualNames, ["Team photo.webp", "hero (1).png"]);
  });

  it("T17: a path that leads to another file is no use of those with its name, however often it is asked", async () => {
    const [moved, kept] = ["file:///w/assets/hero.png", "file:///w/assets/logo.png"];
    const collector = new UseCollector([moved, kept]);
    const text = "![](img/hero.png) ![](img/hero.png) ![](@img/logo.png) ![](assets/logo.png)";
    collector.add("file:///w/page.md", mediaReferencesIn(text).references, (path) => [`file:///w/${path}`]);
    assert.equal(collector.uses.get(moved)?.length, 2);
    const asked: string[] = [];
    await collector.dropOthers(async (place) => {
      asked.push(place);
      return Promise.resolve(place.endsWith("/img/hero.png"));
    });
    assert.deepEqual(asked, ["file:///w/img/hero.png", "file:///w/@img/logo.png"]);
    assert.deepEqual(collector.uses.get(moved), []);
    const use = { document: "file:///w/page.md", line: 1 };
    assert.deepEqual(collector.uses.get(kept), [{ ...use, isByName: true }, use]);
  });

  it("T17: too large is more than twice the width of every place, or half a megabyte; a place without a width needs all", () => {
    assert.deepEqual(oversizeOf(file, [use(320)]), { shownWidth: 320 });
    assert.deepEqual(oversizeOf(file, [use(320), use(500)]), { shownWidth: 500 });
    assert.equal(oversizeOf(file, [use(512)]), undefined);
    assert.equal(oversizeOf(file, [use(320), use()]), undefined);
    assert.deepEqual(oversizeOf({ ...file, size: 600_000 }, [use()]), { isHeavy: true });
    assert.equal(oversizeOf({ ...file, size: 600_000 }, []), undefined);
  });

  it("T17: each file is in one group; one that is gone is in none", () => {
    assert.equal(groupOf(file, [use()], true), "used");
    assert.equal(groupOf(file, [], true), "unused");
    assert.equal(groupOf(file, [use(100)], true), "too-large");
    assert.equal(groupOf({ ...file, size: 9_000_000 }, [use()], false), "used");
    assert.equal(groupOf({ isThere: false }, [use(100)], true), undefined);
    const byName = { ...use(), isByName: true } as const;
    assert.equal(groupOf(file, [byName], true), "used");
  });
});

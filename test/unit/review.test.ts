/** What a reviewer of extensions checks in the manifest, where a machine can judge it; docs/tests.md has the rest. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { chatTabType, pageTypes } from "../../src/vscode/ids";

const text = z.string();
const entry = z.looseObject({
  command: z.optional(text),
  when: z.optional(text),
  group: z.optional(text),
  submenu: z.optional(text),
});
const manifest = z
  .looseObject({
    displayName: text,
    categories: z.array(text),
    keywords: z.array(text),
    icon: text,
    activationEvents: z.array(text),
    extensionKind: z.array(text),
    capabilities: z.looseObject({ untrustedWorkspaces: z.looseObject({ supported: z.literal("limited") }) }),
    contributes: z.looseObject({
      commands: z.array(z.looseObject({ command: text, title: text })),
      keybindings: z.array(z.looseObject({ command: text, key: text, when: z.optional(text) })),
      menus: z.record(text, z.array(entry)),
      viewsContainers: z.record(text, z.array(z.looseObject({ id: text, title: text, icon: text }))),
      views: z.record(text, z.array(z.looseObject({ id: text, name: text }))),
      viewsWelcome: z.array(z.looseObject({ view: text, contents: text })),
      walkthroughs: z.optional(
        z.array(
          z.looseObject({ steps: z.array(z.looseObject({ media: z.looseObject({ altText: z.optional(text) }) })) }),
        ),
      ),
      configuration: z.array(
        z.looseObject({ properties: z.record(text, z.looseObject({ markdownDescription: text })) }),
      ),
    }),
  })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const { contributes } = manifest;
const words = z.record(text, text).parse(JSON.parse(readFileSync("package.nls.json", "utf8")));
const read = (key: string): string => words[key.replaceAll("%", "")] ?? key;

describe("what a reviewer checks", () => {
  it("V5: titles of commands are in title case, without a mark at the end but the ellipsis, and begin with a verb", () => {
    const small = /^(?:a|an|and|as|at|by|for|from|in|into|of|on|or|the|this|to|under|with)$/;
    for (const { title } of contributes.commands) {
      const shown = read(title).replace(/^✓ /u, "");
      assert.match(shown, /^[A-Z][^.:!?]*$/u, shown);
      for (const word of shown.replace("…", "").split(" ").slice(1))
        assert.ok(small.test(word) || /^[A-Z0-9]/u.test(word), `${shown}: ${word}`);
    }
  });

  it("V5: nothing in the manifest is an emoji, an exclamation or a request for a rating", () => {
    for (const [key, value] of Object.entries(words)) {
      assert.doesNotMatch(value, /[\p{Emoji_Presentation}]|!(?!\[)|\bplease\b|\brate\b/iu, key);
    }
  });

  it("V5: there are few keybindings, none without a condition, and all of them for our own commands", () => {
    assert.ok(contributes.keybindings.length <= 10);
    for (const { command, key, when } of contributes.keybindings) {
      assert.match(when ?? "", /sluice|resource|editor/iu, key);
      assert.match(command, /^sluice\./u);
    }
  });

  it("V5: one container with a monochrome icon, a few views with short names, welcomes only for these", () => {
    const containers = Object.values(contributes.viewsContainers).flat();
    assert.equal(containers.length, 1);
    for (const { icon } of containers) {
      const svg = readFileSync(path.normalize(icon), "utf8");
      assert.match(svg, /viewBox="0 0 24 24"/u);
      const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/gu)].map(([, colour]) => colour);
      assert.ok(new Set(colours.filter((colour) => colour !== "none")).size <= 1, colours.join());
    }
    const views = Object.values(contributes.views).flat();
    assert.ok(views.length <= 5);
    for (const { name } of views) assert.ok(read(name).split(" ").length <= 2, name);
    const ids = views.map(({ id }) => id);
    for (const { view } of contributes.viewsWelcome) assert.ok(ids.includes(view), view);
  });

  it("V5: a menu is in groups, an item of the palette is only hidden, and a title bar has few icons", () => {
    for (const [menu, items] of Object.entries(contributes.menus)) {
      if (menu === "commandPalette") continue;
      for (const { group, command, submenu } of items)
        assert.match(
          group ?? "",
          /^(?:navigation|inline|z_\w+|\d+_\w+)(?:@-?\d+)?$/u,
          `${menu}: ${command ?? submenu}`,
        );
      if (menu === "editor/context" || menu === "explorer/context")
        for (const { when, command } of items) assert.ok(when !== undefined, `${menu}: ${command}`);
    }
    for (const { id } of Object.values(contributes.views).flat()) {
      const icons = (contributes.menus["view/title"] ?? []).filter(
        ({ group, when }) => group?.startsWith("navigation") === true && when?.includes(`view == ${id}`) === true,
      );
      // Of two that exclude each other one is shown.
      assert.ok(icons.length <= 6, id);
    }
  });

  it("V5: each setting says what it does in a sentence, and each link between settings leads to one", () => {
    const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    const ids = settings.map(([id]) => id);
    for (const [id, { markdownDescription }] of settings) {
      const shown = read(markdownDescription);
      assert.match(shown, /^[A-Z][\s\S]*(?:[.…*]|```)$/u, id);
      for (const [, target] of shown.matchAll(/`#([\w.]+)#`/gu))
        assert.ok(ids.includes(target ?? "") || /^(?:http|editor|files)\./u.test(target ?? ""), `${id}: ${target}`);
    }
  });

  it("V5: pictures of the walkthrough say what they show", () => {
    for (const { steps } of contributes.walkthroughs ?? [])
      for (const { media } of steps) if (!("markdown" in media)) assert.notEqual(read(media.altText ?? ""), "");
  });

  it("V5: it is activated by need or after the start, uses no proposed API, and says how far it is trusted", () => {
    assert.ok(!manifest.activationEvents.includes("*"));
    // A tab of each of these types is restored after a reload, and no other one.
    assert.deepEqual(
      manifest.activationEvents.filter((event) => event.startsWith("onWebviewPanel:")).toSorted(),
      [...Object.values(pageTypes), chatTabType].map((type) => `onWebviewPanel:${type}`).toSorted(),
    );
    assert.ok(!("enabledApiProposals" in manifest) && !("extensionDependencies" in manifest));
    assert.deepEqual(manifest.extensionKind, ["workspace"]);
  });

  it("V5: the icon is a PNG of at least 128 pixels, keywords and categories are within the Marketplace's limits", () => {
    const png = readFileSync(manifest.icon);
    assert.equal(png.subarray(1, 4).toString("latin1"), "PNG");
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.ok(width === height && width >= 128);
    assert.ok(manifest.keywords.length > 0 && manifest.keywords.length <= 30);
    const valid = ["AI", "Chat", "Machine Learning", "Other"];
    assert.deepEqual(
      manifest.categories.filter((category) => !valid.includes(category)),
      [],
    );
  });

  it("V5: no picture of the package is an SVG but the container's icon, and no document has one or data", () => {
    const pictures = readdirSync("media").filter((name) => /\.(?:svg|gif|jpe?g|webp|bmp)$/iu.test(name));
    const allowed = new Set(["sluice.svg"]);
    const walkthrough = JSON.stringify(contributes.walkthroughs ?? []);
    assert.deepEqual(
      pictures.filter((name) => !allowed.has(name) && !walkthrough.includes(name)),
      [],
    );
    for (const name of ["README.md", "CHANGELOG.md"])
      assert.doesNotMatch(readFileSync(name, "utf8"), /<svg\b|\.svg\b|data:image/iu, name);
  });
});

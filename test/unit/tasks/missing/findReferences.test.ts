/** References to pictures and videos in documents: where they are, what the document says of them, and what is none. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { findMediaReferences } from "../../../../src/tasks/missing/findReferences";
import { type FoundReference, maxReferences } from "../../../../src/tasks/missing/foundReference";
import { wantedFile } from "../../../../src/tasks/missing/wantedFile";
import { ListedProject } from "../../../support/missing/listedProject";
import { startBusyTime } from "../../../support/busyTime";
import { assertWithin } from "../../../support/pace";
import { isFullRun, someOf } from "../../../support/runs";

const written = (path: string, text: string): readonly string[] =>
  findMediaReferences(path, text).map((one) => one.written);

function only(path: string, text: string): FoundReference {
  const [found, ...others] = findMediaReferences(path, text);
  assert.ok(found && others.length === 0, `${found?.written} and ${others.length} more`);
  return found;
}

describe("references in documents", () => {
  it("T20: GIF and AVIF are pictures like others; the program that checks the lock names none", () => {
    assert.deepEqual(written("a.md", "![A](a.gif)\n![B](b.avif)"), ["a.gif", "b.avif"]);
    assert.deepEqual(written("a.css", ".a { background: image-set('a.avif' 1x, 'b.gif' 2x) }"), ["a.avif", "b.gif"]);
    const program = "sluice-lock-check.mjs";
    assert.deepEqual(written(program, readFileSync(`dist/${program}`, "utf8")), []);
  });

  it("T20: each is where it is written, in the text as it is", () => {
    for (const [path, text] of [
      ["a.md", "Été\r\n\r\n- ![A pier]( <img/a b.png> 'x')\r\n![B](b.png)"],
      ["a.html", '<img alt="é" src=" a.png "><img srcset="b.webp 1x,\n c.webp 2x">'],
      [
        "a.vue",
        `<template><img src="a.png"></template><script>import b from "./b.png"</script><style>.a{background:url(c.png)}</style>`,
      ],
      ["a.css", `.a { background: image-set("a.png" 1x, url('b.png') 2x) }`],
      ["a.tsx", `const x = { image: "/img/a.png" }; import b from './b.png';`],
      ["manifest.json", `{ "icons": [{ "src": "a.png" }, { "src": "a.png" }] }`],
      ["a.mdx", `import A from "./a.png"\n\n<img src={require('./b.png').default} />\n\n![C](c.png)`],
    ] as const) {
      const found = findMediaReferences(path, text);
      assert.ok(found.length >= 2, path);
      for (const one of found) assert.equal(text.slice(one.start, one.end), one.written, path);
    }
  });

  it("T20: expressions, addresses, data, fragments, comments, code and other files are none", () => {
    for (const [path, text] of [
      [
        "a.html",
        `<img src="{{ x }}.png"><img src="\${x}.png"><img src="<%= x %>/a.png"><img src="{src}/a.png"><img src={src}>`,
      ],
      [
        "a.html",
        `<img src="https://x.test/a.png"><img src="//x.test/a.png"><img src="data:image/png;base64,AA"><img src="file:///etc/a.png">`,
      ],
      [
        "a.html",
        `<!-- <img src="a.png"> --><a href="#a.png">x</a><img src="a.svg"><script src="a.js"></script><a href="a.png.html">`,
      ],
      ["a.html", String.raw`<img src="C:\a.png"><img src="\\host\a.png"><img src="javascript:a.png">`],
      [
        "a.md",
        "`![x](a.png)`\n\n``` md\n![x](b.png)\n```\n\n~~~\n![x](c.png)\n~~~\n\n    ![x](d.png)\n\n[x](https://x.test/a.png)",
      ],
      [
        "a.css",
        `/* url(a.png) */ .a { background: url(#{$x}/a.png) } .b { background: url(@{x}/b.png) } .c { src: url(font.woff) }`,
      ],
      ["a.scss", `// url(a.png)\n.a { width: 1px }`],
      [
        "a.tsx",
        `// import x from "./a.png"\n/* <img src="b.png"/> */ const s = "c.png"; log("see /d.png"); import e from "kit/e.png"; const f = \`/\${x}.png\`;`,
      ],
      ["package.json", `{ "icon": "https://x.test/a.png", "files": ["a.png"] }`],
      ["a.test.tsx", `<img src="/a.png"/>`],
      ["a.prompts.md", "![x](a.png)"],
      ["a.txt", "![x](a.png)"],
    ] as const)
      assert.deepEqual(written(path, text), [], text);
  });

  it("T20: size, alternative text and what it is for are those of the document", () => {
    const picture = only(
      "a.html",
      `<h2>Harbour</h2><img width="640" height="360" alt="A pier at dusk, seen from the sea" src="p.webp">`,
    );
    assert.deepEqual(wantedFile("p.webp", picture), {
      path: "p.webp",
      isVideo: false,
      isTransparent: false,
      prompt: "A pier at dusk, seen from the sea",
      width: 640,
      height: 360,
    });
    const sizes = (path: string, text: string, file: string): readonly unknown[] => {
      const { width, height, set, isTransparent } = wantedFile(file, only(path, text));
      return [width, height, set, isTransparent];
    };
    assert.deepEqual(
      sizes("a.html", `<link rel="apple-touch-icon" href="apple-touch-icon.png">`, "apple-touch-icon.png"),
      [180, 180, "icon", false],
    );
    assert.deepEqual(sizes("a.html", `<link rel="icon" sizes="16x16 32x32" href="f.png">`, "f.png"), [
      32,
      32,
      "icon",
      true,
    ]);
    assert.deepEqual(sizes("a.html", `<link rel="icon" href="favicon.ico">`, "favicon.ico"), [48, 48, "icon", true]);
    assert.deepEqual(sizes("a.html", `<meta property="og:image" content="/og.png">`, "og.png"), [
      1200,
      630,
      "social",
      false,
    ]);
    assert.deepEqual(sizes("a.tsx", `<Image src="/a.png" width={300} height={200} alt="x"/>`, "a.png"), [
      300,
      200,
      undefined,
      false,
    ]);
    assert.deepEqual(
      sizes("manifest.json", `{"icons":[{"src":"m.png","sizes":"512x512","purpose":"maskable"}]}`, "m.png"),
      [512, 512, "icon", false],
    );
    assert.deepEqual(sizes("tauri.conf.json", `{"bundle":{"icon":["icons/128x128@2x.png"]}}`, "icons/128x128@2x.png"), [
      256,
      256,
      "icon",
      true,
    ]);
    assert.deepEqual(sizes("package.json", `{"name":"x","icon":"icon.png"}`, "icon.png"), [256, 256, "icon", true]);
    assert.deepEqual(sizes("a.css", `.logo { width: 120px; height: 40px; background: url(logo.png) }`, "logo.png"), [
      120,
      40,
      undefined,
      true,
    ]);
  });

  it("T20: the first prompt is of the words around, without marks of templates and hidden characters", () => {
    const prompt = (path: string, text: string, file: string): string => wantedFile(file, only(path, text)).prompt;
    assert.equal(
      prompt("a.md", "# The tides\n\n![](img/low-tide_02.png)", "img/low-tide_02.png"),
      "low tide (The tides)",
    );
    assert.equal(prompt("a.html", `<img src="a.png" alt="{{ x }} A boat\u202e <b>">`, "a.png"), "A boat");
    assert.equal(
      prompt("manifest.json", `{"name":"Tides","icons":[{"src":"a.png"}]}`, "a.png"),
      "App icon for Tides: one simple, bold shape, centred",
    );
    assert.ok(prompt("a.html", `<img src="a.png" alt="${"word ".repeat(500)}">`, "a.png").length <= 400);
  });
});

describe("references that a stranger wrote", () => {
  it("T20: none leads out of the root, to a device, through a link, or has a folder of the disk listed that is not one of the project", async () => {
    const paths = [
      "../../out.png",
      "../../../etc/x.png",
      "/../x.png",
      "a/../../x.png",
      "con.png",
      "a/aux.png",
      "a/x.png.",
      "x:y.png",
      ".git/x.png",
      "%2e%2e/%2e%2e/x.png",
      "linked/x.png",
      "a%00b.png",
      "..\\x.png",
      "~/.ssh/x.png",
      "@/../../../x.png",
    ];
    const project = new ListedProject(
      {
        "index.html": paths.map((path) => `<img src="${path}">`).join("\n"),
        "b.css": paths.map((path) => `a { background: url("${path}") }`).join("\n"),
      },
      [],
      ["linked"],
    );
    const missing = [...(await project.missing()).keys()];
    assert.ok(
      missing.every((path) => !path.includes("..") && !path.includes("linked") && !path.startsWith("/")),
      missing.join(", "),
    );
    assert.ok(
      missing.every((path) => path === "x.png"),
      missing.join(", "),
    );
    assert.ok(
      project.listed.every((folder) => ["", "src/", "app/"].includes(folder)),
      project.listed.join(", "),
    );
  });

  it("T20: texts that are made to cost time, in front matter, keys and strings, take time in proportion", () => {
    const size = isFullRun ? 1_000_000 : 200_000;
    const fill = (part: string): string => part.repeat(Math.ceil(size / part.length));
    const blanks = " ".repeat(900);
    const escaped = '\\"'.repeat(5000);
    for (const [path, text] of [
      ["a.md", `---\n${fill(`image:${blanks}#\n`)}---\nx.png`],
      ["a.md", `---\n${fill(`- ${blanks}a.png${blanks}#\n`)}---\nx.png`],
      ["a.md", `${fill(`${"` `` ".repeat(1000)}\n`)}x.png`],
      ["a.ts", `${fill(`"${escaped}`)}x.png`],
      ["a.html", `${fill(`<script>"${escaped}</script>`)}x.png`],
      ["a.html", `${fill(`<a :src='"${escaped}'>`)}x.png`],
      ["a.css", `${fill("url(")}x.png`],
      ["app.json", JSON.stringify({ [fill("k")]: Array.from({ length: size / 10 }, () => ""), x: "x.png" })],
      ["app.json", `{"icon":[${fill('"\\u0061.png",')}""]}`],
      ["manifest.json", `{"icons":{${Array.from({ length: size / 20 }, (_, at) => `"${at}":"\\u0061.png"`).join()}}}`],
    ] as const) {
      const elapsed = startBusyTime();
      findMediaReferences(path, text);
      assertWithin(isFullRun ? 2000 : 400, elapsed(), `${path} with ${text.slice(0, 40)}`);
    }
  });

  it("T20: a program that is asked for a picture by its query is no picture", () => {
    for (const path of ["render.php?file=a.png", "/download?u=a.png", "deploy.sh?.png", "deploy.sh#.png"])
      assert.deepEqual(written("a.html", `<img src="${path}">`), [], path);
    assert.deepEqual(written("a.html", `<img src="a.png?v=1#b">`), ["a.png?v=1#b"]);
  });

  it("T20: a line of a megabyte and 100,000 references take time in proportion, and few are looked at", () => {
    const size = isFullRun ? 1_000_000 : 100_000;
    const fill = (part: string): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);
    for (const [index, part] of [
      "![a](b.png)",
      '<img src="a.png">',
      "url(a.png)",
      'src="a.png" ',
      "`",
      "```\n",
      "[",
      "](",
      "](a",
      '"',
      "'",
      "/*",
      "<",
      "=/[",
      'image-set("',
      "{{< x ",
      "\\`",
      "a.png 1x, ",
      "\n---\n",
      "- ",
      "{",
      "$lib/",
      '<img srcset="',
      "<style>",
      "<script>`",
    ].entries())
      for (const path of someOf(
        ["a.md", "a.mdx", "a.html", "a.vue", "a.css", "a.tsx", "a.astro", "manifest.json"],
        index,
        2,
      )) {
        const text = `${fill(part)} ![x](x.png)`;
        const elapsed = startBusyTime();
        assert.ok(findMediaReferences(path, text).length <= maxReferences);
        assertWithin(isFullRun ? 2000 : 200, elapsed(), `${path} with ${part}`);
      }
  });
});

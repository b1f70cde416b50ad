// T20: measures how 10,000 documents are looked through in the background for pictures that are not there.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { buildSubject, inFolder, measureSubject, nodeBundle } from "./subject.mjs";

const documents = 10_000;
const rounds = 3;
/** One in so many pictures is not there. */
const every = 20;

export async function run() {
  return inFolder(async (folder) => {
    const project = path.join(folder, "project");
    await makeProject(project);
    const subject = await buildSubject("missing", folder);
    const program = path.join(folder, "missing.mjs");
    await build({ ...nodeBundle, format: "esm", entryPoints: ["src/tasks/missing/lookThread.ts"], outfile: program });
    const {
      all,
      missing,
      documents: read,
      longest,
      edit,
    } = await measureSubject([subject, project, program, String(rounds)]);
    console.log(
      `${read} documents, ${missing} missing; ms CPU ${all.map(Math.round).join(", ")}; longest pause ${Math.round(longest)} ms`,
    );
    const isWhole = read === documents && missing === documents / every;
    return [
      { what: "a look through 10,000 documents", today: isWhole ? Math.min(...all) : NaN, limit: 2000, unit: "ms CPU" },
      {
        what: "a document of 20 KB with 400 pictures, read again after a pause",
        today: edit,
        limit: 10,
        unit: "ms CPU",
      },
    ];
  });
}

/** Makes pages, components and style sheets as in a large site; half of them name a picture. @param {string} folder */
async function makeProject(folder) {
  const kinds = [
    /** @param {string} picture */ (picture) => [
      "md",
      `# Page\n\n${"Some words of a page. ".repeat(60)}\n\n![A picture of it](${picture})\n`,
    ],
    /** @param {string} picture */ (picture) => [
      "html",
      `<h1>Page</h1>\n${"<p>Some words of a page.</p>\n".repeat(40)}<img src="${picture}" alt="It">\n`,
    ],
    /** @param {string} picture */ (picture) => [
      "tsx",
      `import it from "./${picture}";\n${"export const value = { name: 'one', count: 2 };\n".repeat(30)}`,
    ],
    /** @param {string} picture */ (picture) => [
      "css",
      `${".one { color: red; padding: 4px }\n".repeat(30)}.it { background: url(${picture}) }\n`,
    ],
  ];
  for (let index = 0; index < documents; index += 1) {
    const below = path.join(folder, `part-${index % 100}`, `section-${index % 10}`);
    if (index < 1000) await mkdir(below, { recursive: true });
    const picture = index % every === 0 ? `gone-${index}.png` : "here.png";
    const [ending = "", text = ""] = kinds[index % kinds.length]?.(index % 2 === 0 ? picture : "here.svg") ?? [];
    await writeFile(path.join(below, `page-${index}.${ending}`), text);
    if (index < 1000) await writeFile(path.join(below, "here.png"), "");
  }
}

/** Fifty pieces of work that a person gives an agent in the sample workspace, as the calls that a model makes for each; see `codingTasks.test.ts`. */

interface PlannedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The call does not work the first time, as with any model. */
  readonly fails?: true;
}

export interface CodingTask {
  readonly title: string;
  /** The calls of each answer. */
  readonly answers: readonly (readonly PlannedCall[])[];
  /** What the files say afterwards; `null`: there is none. */
  readonly leaves: Readonly<Record<string, RegExp | null>>;
}

const call =
  (tool: string) =>
  (input: Readonly<Record<string, unknown>> = {}): PlannedCall => ({ tool, input });
const fails = (planned: PlannedCall): PlannedCall => ({ ...planned, fails: true });
const read = (path: string, from?: number, to?: number): PlannedCall =>
  call("read_file")({ path, ...(from === undefined ? {} : { start_line: from, end_line: to ?? from + 20 }) });
const list = (path?: string): PlannedCall => call("list_files")(path === undefined ? {} : { path });
const find = (text: string, more: object = {}): PlannedCall => call("find_text")({ text, ...more });
const files = (name: string): PlannedCall => call("find_files")({ name });
const edit = (path: string, old: string, now: string): PlannedCall =>
  call("edit_file")({ path, old_text: old, new_text: now });
const create = (path: string, ...lines: readonly string[]): PlannedCall =>
  call("write_file")({ path, text: `${lines.join("\n")}\n` });
const move = (path: string, to: string): PlannedCall => call("rename_file")({ path, new_path: to });
const remove = (path: string): PlannedCall => call("delete_file")({ path });
const run = (command: string): PlannedCall => call("run_command")({ command });
const outline = (path: string): PlannedCall => call("list_symbols")({ path });
const problems = call("list_problems")();
const changes = call("list_changes")();

const app = "src/app.ts";
const greeting = "src/greeting.ts";
const schedule = "src/schedule.ts";
const greetingTest = "src/greeting.test.ts";
const sources = [read(app), read(greeting), read(schedule), read(greetingTest)];
const look = [list(), ...sources];
const test = run("node --test src/greeting.test.ts");
const start = run("node src/app.ts Ada");
const wrongEnd = "  // Something is wrong between noon and six.\n  return `Good morning, ${name}.`;";
const rightEnd = "  return `Good afternoon, ${name}.`;";
const afternoon = edit(greeting, wrongEnd, rightEnd);

const mending: readonly CodingTask[] = [
  {
    title: "mend the greeting of the afternoon",
    answers: [look, [find("Good morning"), outline(greeting)], [fails(test)], [afternoon], [test, problems], [changes]],
    leaves: { [greeting]: /Good afternoon/ },
  },
  {
    title: "mend it in four tries, with the tests after each",
    answers: [
      look,
      [fails(test)],
      [edit(greeting, "hour > 18", "hour > 14")],
      [fails(test)],
      [edit(greeting, "hour > 14", "hour > 15"), edit(greeting, "wrong between", "odd between")],
      [fails(test)],
      [edit(greeting, "Something is odd", "Wrong")],
      [fails(test)],
      [edit(greeting, "  // Wrong between noon and six.\n  return `Good morning", "  return `Good afternoon")],
      [test],
    ],
    leaves: { [greeting]: /hour > 15[^]*Good afternoon/ },
  },
  {
    title: "mend it after an edit that is not found",
    answers: [
      look,
      [fails(edit(greeting, "return 'Good morning'", "return 'Good afternoon'"))],
      [read(greeting, 7, 11), find("Something is wrong", { context_lines: 2 })],
      [afternoon],
      [test],
    ],
    leaves: { [greeting]: /Good afternoon/ },
  },
  {
    title: "mend it with the script of the package",
    answers: [[...look, read("package.json")], [fails(run("npm test"))], [afternoon], [run("npm test")]],
    leaves: { [greeting]: /Good afternoon/ },
  },
  {
    title: "mend the evening at six and test the edge",
    answers: [
      look,
      [find("hour > 18", { path: "src" }), find("hour \\S+ \\d+", { is_pattern: true })],
      [
        edit(greeting, "hour > 18", "hour >= 18"),
        edit(greetingTest, 'greeting("Ada", 20)', 'greeting("Ada", 18)'),
        afternoon,
      ],
      [test],
    ],
    leaves: { [greeting]: /hour >= 18/, [greetingTest]: /"Ada", 18/ },
  },
  {
    title: "leave out the shows after the last ferry",
    answers: [
      [find("TODO"), ...look],
      [
        edit(schedule, "// TODO: leave out", "// Leaves out"),
        edit(schedule, "  return shows.reduce(", '  return shows.filter(({ start }) => start < "22:00").reduce('),
      ],
      [start, problems],
    ],
    leaves: { [schedule]: /start < "22:00"/ },
  },
];

const renamings: readonly CodingTask[] = (
  [
    ["greeting", "welcome"],
    ["greeting", "salute"],
    ["greeting", "hello"],
  ] as const
).map(([old, now]) => ({
  title: `call the function ${now}`,
  answers: [
    look,
    [call("find_symbols")({ name: old }), find(`${old}(`, { match_case: true }), files("*.ts")],
    [
      edit(greeting, `function ${old}(`, `function ${now}(`),
      edit(app, `{ ${old} }`, `{ ${now} }`),
      edit(app, `${old}(visitor`, `${now}(visitor`),
      edit(greetingTest, `{ ${old} }`, `{ ${now} }`),
      edit(greetingTest, `assert.equal(${old}("Ada", 9)`, `assert.equal(${now}("Ada", 9)`),
      edit(greetingTest, `assert.equal(${old}("Ada", 15)`, `assert.equal(${now}("Ada", 15)`),
      edit(greetingTest, `assert.equal(${old}("Ada", 20)`, `assert.equal(${now}("Ada", 20)`),
    ],
    [start, find(`${now}(`)],
  ],
  leaves: { [app]: new RegExp(`${now}\\(visitor`) },
}));

const languages: readonly CodingTask[] = (
  [
    ["de", "Guten Tag"],
    ["fr", "Bonjour"],
    ["es", "Buenos días"],
    ["it", "Buongiorno"],
    ["zh", "你好"],
    ["ja", "こんにちは"],
    ["ru", "Добрый день"],
  ] as const
).map(([language, word]) => ({
  title: `greet in ${language}`,
  answers: [
    look,
    [files(language), outline(app)],
    [
      create(`src/i18n/${language}.ts`, `export const word = "${word}";`),
      create(
        `src/i18n/${language}.test.ts`,
        ...['import assert from "node:assert/strict";', 'import { test } from "node:test";'],
        ...[`import { word } from "./${language}.ts";`, `test("greets", () => assert.equal(word, "${word}"));`],
      ),
      edit(app, "console.log(greeting(", `console.log(word);\nconsole.log(greeting(`),
      edit(app, "import { schedule,", `import { word } from "./i18n/${language}.ts";\nimport { schedule,`),
    ],
    [read(app, 1, 6), list("src/i18n")],
    [start],
  ],
  leaves: { [`src/i18n/${language}.ts`]: new RegExp(word), [app]: new RegExp(`i18n/${language}`) },
}));

const shows: readonly CodingTask[] = ["Sea shanties", "Night swim", "Bell ringing", "Ghost walk", "Brass band"].map(
  (title, index) => ({
    title: `add the show ${title}`,
    answers: [
      [...look, find("minutes"), read("README.md")],
      [
        edit(
          schedule,
          '  { title: "Fireworks',
          `  { title: "${title}", start: "21:${10 + index}", minutes: 20 },\n  { title: "Fireworks`,
        ),
        create(`docs/shows/${index}.md`, `# ${title}`, "", `At 21:${10 + index}.`),
      ],
      [start, read(schedule, 8, 14), list("docs")],
      [edit("README.md", "# Harbour lights", `# Harbour lights\n\nNew: [${title}](docs/shows/${index}.md).`)],
    ],
    leaves: { [schedule]: new RegExp(title), [`docs/shows/${index}.md`]: new RegExp(`^# ${title}`) },
  }),
);

/** A module goes to a folder of its own, and what imports it follows. */
const moves: readonly CodingTask[] = ["core", "lib", "parts", "programme"].map((folder) => ({
  title: `move the schedule to ${folder}`,
  answers: [
    [...look, find("./schedule", { path: "src" }), find("schedule.ts")],
    [move(schedule, `src/${folder}/schedule.ts`)],
    [edit(app, "./schedule.ts", `./${folder}/schedule.ts`), create(`src/${folder}/README.md`, `# ${folder}`)],
    [start, list("src"), problems, find("schedule")],
  ],
  leaves: { [schedule]: null, [`src/${folder}/schedule.ts`]: /Lanterns/ },
}));

const splits: readonly CodingTask[] = ["total", "sum", "length"].map((name) => ({
  title: `take the sum out into ${name}.ts`,
  answers: [
    look,
    [
      outline(schedule),
      find("totalMinutes"),
      call("find_references")({ path: schedule, line: 15, symbol: "totalMinutes" }),
    ],
    [
      create(
        `src/${name}.ts`,
        "export const sumOf = (all: number[]): number => all.reduce((sum, one) => sum + one, 0);",
      ),
      edit(
        schedule,
        "shows.reduce((sum, show) => sum + show.minutes, 0)",
        "sumOf(shows.map(({ minutes }) => minutes))",
      ),
      edit(schedule, "export interface Show", `import { sumOf } from "./${name}.ts";\n\nexport interface Show`),
    ],
    [start, problems, read(schedule)],
  ],
  leaves: { [schedule]: /sumOf\(/, [`src/${name}.ts`]: /sumOf/ },
}));

const deletions: readonly CodingTask[] = ["notes.md", "draft.ts", "old/plan.md"].map((name) => ({
  title: `write ${name}, think better of it, and clean up`,
  answers: [
    look,
    [create(name, "first"), files(name)],
    [edit(name, "first", "second\nthird"), read(name)],
    [read("README.md"), find("second"), list()],
    [remove(name)],
    [list(), files(name), find("third")],
  ],
  leaves: { [name]: null },
}));

const replacements: readonly CodingTask[] = [greetingTest, "README.md", schedule].map((path) => ({
  title: `write ${path} anew in place of the old one`,
  answers: [
    look,
    [read(path), find("harbour"), outline(path)],
    [remove(path)],
    [create(path, "// all new")],
    [edit(path, "// all new", "// all new\n// and more"), read(path), list(), problems],
  ],
  leaves: { [path]: /^\/\/ all new\n\/\/ and more\n$/ },
}));

const pictures: readonly CodingTask[] = ["lighthouse", "ferry", "lantern", "pier"].map((what) => ({
  title: `order a picture of the ${what} and link it`,
  answers: [
    [...look, read("hero.prompts.md"), find(what), call("list_tasks")()],
    [call("submit_task")({ type: "async-image", model: "demo-image", prompt: `A ${what}`, save_as: `assets/${what}` })],
    [call("list_tasks")({ state: "running" }), edit("README.md", "# Harbour lights", `# Harbour lights\n\nA ${what}.`)],
    [read("README.md"), files(what)],
  ],
  leaves: { "README.md": new RegExp(`A ${what}`) },
}));

const scripts: readonly CodingTask[] = ["check", "greet"].map((name) => ({
  title: `add the script ${name}`,
  answers: [
    [...look, read("package.json"), find("scripts")],
    [edit("package.json", '"test":', `"${name}": "node src/app.ts",\n    "test":`)],
    [run(`npm run ${name}`), read("package.json"), changes],
  ],
  leaves: { "package.json": new RegExp(`"${name}"`) },
}));

const documents: readonly CodingTask[] = [
  ...["Visitors", "Ferries", "Tickets", "Weather", "Parking"].map((title): CodingTask => ({
    title: `write the page on ${title}`,
    answers: [
      [...look, read("hero.prompts.md"), find(title), list()],
      [
        create(`docs/${title}.md`, `# ${title}`, "", "To be written."),
        create(`docs/${title}.css`, "h1 { color: navy; }"),
      ],
      [edit(`docs/${title}.md`, "To be written.", "Open from 20:15.\n\n## Where\n\nAt the pier.")],
      [read(`docs/${title}.md`), find("At the pier"), list("docs")],
    ],
    leaves: { [`docs/${title}.md`]: /At the pier/, [`docs/${title}.css`]: /navy/ },
  })),
  ...["words", "lines", "letters", "files", "titles"].map((what): CodingTask => ({
    title: `only look: how many ${what} there are`,
    answers: [look, [find(what), files("*.md"), list("src"), problems, call("list_editors")()], [changes]],
    leaves: { [app]: /programme/ },
  })),
];

export const codingTasks: readonly CodingTask[] = [
  ...[...mending, ...renamings, ...languages, ...shows, ...moves, ...splits, ...deletions],
  ...[...replacements, ...pictures, ...scripts, ...documents],
];

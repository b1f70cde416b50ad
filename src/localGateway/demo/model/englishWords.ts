/** The built-in model's sentences in English. */
import type { DemoWords } from "./demoWords";

const of = (path: string | undefined): string => (path === undefined ? "" : ` for ${path}`);

export const englishWords: DemoWords = {
  introduction:
    "I am the demo model: rules instead of a language model, and what I do with your files and tasks is real.",
  connecting:
    "Run **Sluice: Connect to a Gateway…** from the Command Palette.\n\n" +
    "1. Type the gateway's address, such as `https://gateway.example/v1`.\n" +
    "2. Paste its key: it is kept in this machine's secret storage, and sent to that gateway only.\n" +
    "3. A free check says whether it works. **Choose Gateway…** leads back here at any time.",
  notUnderstood: "I am the demo model, and rules can't do this.",
  shortly: {
    withTools:
      'They can `run the tests`, `explain src/app.ts`, `list the files`, `find "text"`, replace text and `make a picture of a lighthouse`.',
    without: "They can `draw a lighthouse`, `show markdown` and `write a long answer`.",
  },
  subjects: {
    lighthouse: "a lighthouse",
    boat: "a boat",
    city: "a city",
    forest: "a forest",
    lantern: "a lantern",
    fireworks: "fireworks",
    hills: "hills",
    portrait: "a portrait",
    product: "a product",
    logo: "a logo",
    icon: "an icon",
    pattern: "a pattern",
    texture: "a texture",
    map: "a map",
    abstract: "abstract shapes",
  },
  drawn: (subject) => `Here is a picture of ${subject}, drawn by rules. Another seed gives another one.`,
  notDrawn: (subjects) =>
    `The demo model has no drawing of these words, so the picture shows hills. It draws ${subjects}.`,
  imagesGiven: (list) => `I was given ${list}. Counting pixels shows that much; what the picture is of I can't see.`,
  filesGiven: (list) => `I was given ${list} with the prompt. A language model would answer from it; rules can't.`,
  fileOf: (label, lines) => `${label} (${lines} ${lines === 1 ? "line" : "lines"})`,
  suggestions: {
    withTools: [
      "Try, in words like these:",
      "",
      '- `explain src/app.ts`, `list the files`, `find "text"`, `run the tests`',
      "- ``replace `old` with `new` in src/app.ts`` or `write an overview into OVERVIEW.md`: you are asked first",
      "- `make a picture of a lighthouse`: a task",
    ].join("\n"),
    without:
      "Without tools I can't look into files: only the Chat view gives me some, in a trusted folder. Try, in words like these:\n",
    always: "- `draw a lighthouse`, `show markdown`, `write a long answer`, `think about rain`",
  },
  thoughts: (length, first) =>
    [
      `The prompt is ${length} characters long and asks me to think.`,
      "Rules can't think, but they can show where thinking would be.",
      first === 0
        ? "First I would look for what is known, then for what is missing."
        : "First I would try the smallest case that could go wrong.",
      "That is enough; the answer can begin.",
    ].join(" "),
  join: (parts) => (parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`),
  more: (list, count) => `${list} and ${count} more`,
  step: {
    read: (paths) => `read ${paths}`,
    list: (path) => (path === undefined ? "list the files" : `list the files in ${path}`),
    locate: (name) => `look for ${name}`,
    find: (text, path) => `find ${text}${path === undefined ? "" : ` in ${path}`}`,
    replace: (old, replacement, path) => `change ${old} to ${replacement} in ${path}`,
    write: (path) => `write what files there are into ${path}`,
    fetch: (url) => `fetch ${url}`,
    look: (url) => `look at ${url}`,
    make: (media) => (media === "video" ? "make a video" : "make a picture"),
    run: (command, isBackground) => (isBackground ? `start ${command} in the background` : `run ${command}`),
    call: (tools) => `call ${tools}`,
    ask: "ask you",
    explore: "have a reader look for it",
    present: "present the plan",
    track: "show the plan",
  },
  begins: ["First", "To begin", "Right away"],
  begin: (word, what) => `${word}: ${what}.`,
  fits: (what, count, tool) => `The prompt asks to ${what}. Of ${count} declared tools ${tool} fits by its name.`,
  next: (hasFailed, what) => `That ${hasFailed ? "failed" : "worked"}. Next: ${what}.`,
  noToolFits: (what, tools) =>
    `To ${what} none of the tools of this chat fits: it has ${tools}. In _Agent_ mode I can also change files and run commands.`,
  noTools: (what) =>
    `To ${what} a tool is needed, and this request declares none. ` +
    "No folder may be open, the workspace may be in Restricted Mode, or tools may be switched off. Chat works without them.",
  report: {
    stepsLeft: (count) =>
      count === 1 ? "I stopped here; one step was not begun." : `I stopped here; ${count} steps were not begun.`,
    withImages: (list) => `With it I was given ${list}.`,
    declined: (tool, path, isReading) =>
      `You did not allow ${tool}${of(path)}, so nothing was ${isReading ? "read" : "changed"}.`,
    failed: (tool, path) => `${tool}${of(path)} did not work:`,
    changed: (path) => `${path} is changed.`,
    changedHere: (path) => `${path} is changed. _Changes by Sluice_ has it, with _Undo_.`,
    written: (path) => `${path} says now what files there are.`,
    presented: "The plan is ready: edit it, comment on it, or start it.",
    submitted: "The task is submitted: Sluice's Tasks view in VS Code shows how it goes on.",
    submittedHere: "The task is submitted: its card shows how it goes on and its result, and so does the Tasks view.",
    nothing: (tool, path) => `${tool}${of(path)} gave back nothing.`,
    lines: (tool, path, count) => `${tool}${of(path)} gave back ${count === 1 ? "1 line" : `${count} lines`}:`,
  },
  explain: {
    size: (path, language, lines) =>
      `${path}: ${language === undefined ? "" : `${language}, `}${lines === 1 ? "1 line" : `${lines} lines`}.`,
    leftToDo: (line, text) => `Line ${line} is left to do: ${text}`,
    begins: (text) => `It begins: ${text}`,
    defines: (list) => `It defines ${list}.`,
    uses: (list) => `It uses ${list}.`,
    title: (text) => `Its title is ${text}.`,
    sections: (list, count) => `It has ${count === 1 ? "a section" : "sections"} on ${list}.`,
    list: (count) => `It is a list of ${count}.`,
    has: (list) => `It has ${list}.`,
    end: "Rules read that much from its text; a language model says what it means.",
  },
  overview: {
    title: "Overview",
    empty: "There are no files here yet.",
    count: (files) => (files === 1 ? "1 file:" : `${files} files:`),
    top: "at the top",
    folder: (name, files) => `${name}: ${files}`,
  },
  filler: {
    subjects: [
      "The harbour",
      "A tide gate",
      "The upper reservoir",
      "Each lock",
      "The keeper",
      "A spring flood",
      "The old canal",
      "The measuring post",
    ],
    deeds: [
      "holds back",
      "lets through",
      "measures",
      "shares out",
      "keeps count of",
      "slows",
      "remembers",
      "waits for",
    ],
    objects: [
      "what the river brings",
      "more water than it shows",
      "every boat that passes",
      "the night's rain",
      "the level of the day before",
      "three channels at once",
      "what nobody asked for",
      "the first light",
    ],
    ends: [
      "without hurry",
      "and writes it down",
      "until the level is even",
      "as it has always done",
      "before anyone notices",
      "so that nothing is lost",
      "and opens again at dusk",
      "with one hand on the wheel",
    ],
    sentence: (subject, deed, object, end) => `${subject} ${deed} ${object} ${end}.`,
    blank: " ",
    title: "On gates and water",
    headings: { look: "What to look at", numbers: "In numbers", code: "As code" },
    inner: "with `inline code` and a [link](https://example.org/)",
    ticks: ["measured", "written down"],
    columns: ["Gate", "Level", "Boats", "State"],
    gate: "Gate",
    states: ["open", "shut", "half open"],
    end: "Filler text of the demo model: **it means nothing**, and _it is the same each time_ for the same messages and seed.",
  },
};

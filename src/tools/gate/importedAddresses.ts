/** Addresses that source imports: a language server fetches one, or opens it on the share of a Windows host, as soon as the file is saved. */

/** A string, or an included name, from its first mark to any other. Where marks are read in another way, each still begins one. */
const names = /["'`<]((?:[^"'`<>\n\\]|\\(?:\r\n|[^]))+)/gu;

const address = /^[\0-\x20]*(?:(?:https?|wss?|file):|[\\/]{2})/iu;

/** What the text before an imported name ends with. */
const importing = /\b(?:(?:from|import|export|part|embed)|(?:include|require)\w*!?|(?:path|types)\s*=)$/iu;

/** Comments that name what is imported. */
const comments = /@jsxImportSource[ \t]+((?:https?:|[\\/]{2})\S*)/giu;

/** Characters before a quoted name in which `importing` is searched for. */
const maxBefore = 200;

/** A name at the beginning of a line counts, too: its statement may begin on a line before. */
export function importedAddresses(text: string): readonly string[] {
  const named = [...text.matchAll(comments)].map(([, given = ""]) => given);
  const imported = [...text.matchAll(names)].flatMap(({ 1: name = "", index }) =>
    isAddress(name) && isImported(text, index) ? [name] : [],
  );
  return [...named, ...imported];
}

/** As it is written, or with its escapes undone. */
function isAddress(name: string): boolean {
  return address.test(name) || (name.includes("\\") && address.test(unescaped(name)));
}

/** Of JavaScript and its like: a letter without a meaning is itself. What an address leaves out is taken out. */
function unescaped(name: string): string {
  return name.replace(
    /\\(?:u\{0*([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-7]{1,3})|[bfnrtv\r\n\u2028\u2029]|)/giu,
    (_, ...[braced, four, two, octal]: readonly (string | undefined)[]) => {
      const code = octal === undefined ? Number.parseInt(braced ?? four ?? two ?? "", 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

function isImported(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - maxBefore), at).split(/[\n\r\u2028\u2029]/u);
  let line = near.at(-1) ?? "";
  for (;;) {
    line = line.replace(/(?<![\s(])[\s(]+$/u, "");
    if (!line.endsWith("*/")) return line === "" || importing.test(line);
    // Of a comment that begins further up, what is before it is not known.
    const start = line.lastIndexOf("/*");
    if (start < 0) return true;
    line = line.slice(0, start);
  }
}

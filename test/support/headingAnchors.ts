/** The headings of a Markdown text as addresses inside it. */

/** The address of a heading, as GitHub and VS Code make it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** The addresses of the headings, in their order; a heading that is there twice has its address twice. */
export const headingAnchors = (markdown: string): string[] =>
  [...markdown.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    anchorOf(heading),
  );

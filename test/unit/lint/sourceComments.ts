/** The comments of a TypeScript, JavaScript or CSS file. */
import ts from "typescript";

/** `line` counts from 1; `text` is the comment with its marks. */
export function commentsOf(file: string, text: string): readonly { readonly line: number; readonly text: string }[] {
  if (file.endsWith(".css"))
    return [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: comment, index }) => ({
      line: text.slice(0, index).split("\n").length,
      text: comment,
    }));
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found = new Map<number, string>();
  // A scanner alone takes a template or a pattern for code, so the comments are those around the tokens of the tree.
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) found.set(pos, text.slice(pos, end));
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...found]
    .sort(([one], [other]) => one - other)
    .map(([pos, comment]) => ({
      line: source.getLineAndCharacterOfPosition(pos).line + 1,
      text: comment,
    }));
}

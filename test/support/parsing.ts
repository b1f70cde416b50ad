/** The options with which tests parse sources: without the comments, which take longer than the code. */
import ts from "typescript";

export const parsing = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };

/** The built-in model's rewriting of selected lines: a comment with what was wanted above them, or the lines in capitals; of a prompt, more words at its end. */
import { fenceCode } from "../../../base/text/codeFence";

/** As Sluice asks for it: the first prompt has the lines, each later one what to do next. `undefined` for any other prompt. */
export function writeDemoEdit(first: string, prompt: string): string | undefined {
  if (!/^(?:Rewrite the selected lines of a file|Write the lines that are to be inserted)/.test(first))
    return undefined;
  const { language, selected } = selectedIn(first.split("\n"));
  const wish =
    /(?:^|\n)What to do(?: next)?: ([^\n]*)/.exec(prompt.slice(prompt.lastIndexOf("\nWhat to do") + 1))?.[1] ?? "";
  const indent = /^[ \t]*/.exec(selected)?.[0] ?? "";
  if (/^(?:Rewrite this prompt|为生成(?:图像|视频)的模型改写此提示词)/.test(wish))
    return fenceCode(describeMore(selected), language);
  const changed = /capital|upper/i.test(wish)
    ? selected.toUpperCase()
    : [`${indent}${commentIn(language, `${wish} (written by rules, not by a language model)`)}`, selected]
        .filter((line) => line !== "")
        .join("\n");
  return fenceCode(changed, language);
}

/** For *Improve…* of a prompt file: light and view, in the language of the prompt. */
function describeMore(prompt: string): string {
  const words = prompt.trimEnd();
  if (/\p{Script=Han}/u.test(words)) return `${words}，低机位，柔和的暖光，背景虚化`;
  return `${words}${/[.!?]$/.test(words) ? " Seen" : ", seen"} from a low angle, in soft warm light, with a blurred background`;
}

/** The block below *Selected:*. */
function selectedIn(lines: readonly string[]): { readonly language: string; readonly selected: string } {
  const start = lines.indexOf("Selected:") + 1;
  const [fence = "", language = ""] = /^(`{3,})([^]*)$/.exec(lines[start] ?? "")?.slice(1) ?? [];
  const end = lines.indexOf(fence, start + 1);
  return start === 0 || end < 0
    ? { language: "", selected: "" }
    : { language, selected: lines.slice(start + 1, end).join("\n") };
}

function commentIn(language: string, text: string): string {
  if (/^(?:python|shellscript|ruby|yaml|toml|makefile|perl|r|dockerfile)$/.test(language)) return `# ${text}`;
  if (/^(?:html|xml|markdown|vue)$/.test(language)) return `<!-- ${text} -->`;
  if (/^(?:css|scss|less)$/.test(language)) return `/* ${text} */`;
  if (/^(?:sql|lua|haskell)$/.test(language)) return `-- ${text}`;
  return /^(?:plaintext|)$/.test(language) ? text : `// ${text}`;
}

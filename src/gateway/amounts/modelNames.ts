/** Decides whether an answer names another model than the requested one (T18). A made-up name, such as an alias, decides nothing. */

/** The maker of a model, recognised by a word in the model's name. */
const makers: readonly (readonly [RegExp, string])[] = [
  [/^(?:chat)?gpt|^o\d+$|^codex$|^davinci$/, "openai"],
  [/^claude/, "anthropic"],
  [/^gemini/, "gemini"],
  [/^gemma/, "gemma"],
  [/^grok/, "xai"],
  [/^deepseek/, "deepseek"],
  [/^(?:qwen|qwq|qvq)/, "qwen"],
  [/^(?:glm|chatglm)/, "glm"],
  [/^(?:kimi|moonshot)/, "kimi"],
  [/^(?:mistral|mixtral|ministral|magistral|devstral|codestral)/, "mistral"],
  [/^(?:code)?llama/, "llama"],
  [/^phi/, "phi"],
  [/^(?:minimax|abab)/, "minimax"],
];

/** Words that distinguish models of one maker by size and price. */
const sizes: ReadonlySet<string> = new Set(
  "nano mini micro tiny small lite flash air medium large pro plus max ultra haiku sonnet opus oss".split(" "),
);

/**
 * `undefined` where it can't be decided: one of the names has no known maker, such as an alias of the gateway, or it has two, such as a model that
 * was made from another maker's.
 */
export function isOtherModel(asked: string, named: string): boolean | undefined {
  const [one, other] = [wordsOf(asked), wordsOf(named)];
  if (one.join(" ") === other.join(" ")) return false;
  const [its, theirs] = [makersOf(one), makersOf(other)];
  if (its.size !== 1 || theirs.size !== 1) return undefined;
  if ([...its].some((maker) => !theirs.has(maker))) return true;
  // A name without a version may be an alias for the newest of several sizes.
  return /\d/.test(one.join("")) ? sizesOf(one) !== sizesOf(other) : undefined;
}

/** The words of a name in lower case, without the provider before it and the suffix for the kind of serving after it. */
function wordsOf(name: string): readonly string[] {
  const last =
    name
      .slice(0, 200)
      .toLowerCase()
      .replace(/:[a-z]+$/, "")
      .split("/")
      .at(-1) ?? "";
  return last.split(/[^a-z0-9]+/).filter((word) => word !== "");
}

function makersOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => makers.flatMap(([pattern, maker]) => (pattern.test(word) ? [maker] : []))));
}

function sizesOf(words: readonly string[]): string {
  return words
    .filter((word) => sizes.has(word))
    .sort()
    .join(" ");
}

/** Whether the name in an answer is that of another model than the one asked for (T18). A name that its owner has made up says nothing. */

/** By a word of the names of its models. */
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

/** Words that tell models of one maker apart by size and price. */
const sizes: ReadonlySet<string> = new Set(
  "nano mini micro tiny small lite flash air medium large pro plus max ultra haiku sonnet opus oss".split(" "),
);

/**
 * `undefined` where it can't be told: one of the names is of no maker that is known here, such as an alias of the gateway, or that of a model that
 * was made from another maker's.
 */
export function isOtherModel(asked: string, named: string): boolean | undefined {
  const [one, other] = [wordsOf(asked), wordsOf(named)];
  if (one.join(" ") === other.join(" ")) return false;
  const [its, theirs] = [makersOf(one), makersOf(other)];
  if (its.size !== 1 || theirs.size !== 1) return undefined;
  if ([...its].some((maker) => !theirs.has(maker))) return true;
  // Without a version it may be an alias for the newest of several sizes.
  return /\d/.test(one.join("")) ? sizesOf(one) !== sizesOf(other) : undefined;
}

/** Without the provider in front and the way of serving behind; in lower case. */
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

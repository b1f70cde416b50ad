/** Texts that a backtracking engine reads slowest: for each repetition of a pattern what leads to it, many times what it repeats, and an end that fails. */
import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";

/** `before`, then `pump` as often as it fits, then `after`. */
export interface HostileText {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

/** Characters that the classes of most patterns contain or exclude. */
const common = [" ", "\n", "\t", "a", "0", "-", "."];
/** In no pattern but as a part of a class. */
const strange = "\u0001";
/** Ends at which most patterns fail. */
const ends = [strange, `\n${strange}`];
/** Characters of one pattern that are tried; pairs of them are too. */
const maxAlphabet = 20;
const maxPaired = 8;

const parser = new RegExpParser();

export function writeHostile({ before, pump, after }: HostileText, length: number): string {
  const times = Math.max(1, Math.floor((length - before.length - after.length) / pump.length));
  return before + pump.repeat(times) + after;
}

export function hostileTextsFor(pattern: RegExp): readonly HostileText[] {
  const { source, flags } = pattern;
  const tree = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  return combine(new PatternPieces(tree, flags.replaceAll(/[gy]/g, "")));
}

/** For code that compares strings: each of them repeated, and behind each other one. */
export function hostileTextsOf(strings: readonly string[]): readonly HostileText[] {
  return strings.flatMap((pump) =>
    ["", ...strings.filter((other) => other !== pump)].flatMap((before) => [
      { before, pump, after: strange },
      ...(before === "" ? [] : [{ before: "", pump: before + pump, after: strange }]),
    ]),
  );
}

function combine({ repeated, alphabet, whole }: PatternPieces): readonly HostileText[] {
  const found = new Map<string, HostileText>();
  const add = (before: string, pump: string, after = strange): void => {
    if (pump !== "") found.set(JSON.stringify([before, pump, after]), { before, pump, after });
  };
  for (const { path, pumps } of repeated)
    for (const pump of pumps) {
      add(strange, pump);
      for (const after of ends) {
        add("", pump, after);
        add(path, pump, after);
        add("", path + pump, after);
      }
    }
  for (const text of [...whole, ...repeated.map(({ path }) => path)]) add("", text);
  const paired = alphabet.slice(0, maxPaired);
  for (const one of paired) for (const other of paired) add("", one + other);
  return [...found.values()];
}

/** What the tree of a pattern is made of. */
class PatternPieces {
  readonly alphabet: readonly string[];
  /** For each repetition a text that leads to it, and texts that it repeats. */
  readonly repeated: { readonly path: string; readonly pumps: readonly string[] }[] = [];
  /** A match by each alternative, without regard to assertions. */
  readonly whole: readonly string[];
  readonly #flags: string;
  readonly #characters: readonly string[];
  /** Of the characters that a class matches: the tree is read with the first one in all places, and with the last one. */
  #choice = 0;

  constructor(tree: AST.Pattern, flags: string) {
    this.#flags = flags;
    const own = charactersIn(tree);
    this.#characters = [...new Set([...common, ...own])];
    this.alphabet = alphabetOf(own);
    this.whole = [0, -1].flatMap((choice) => {
      this.#choice = choice;
      return tree.alternatives.map((alternative) => this.#read(alternative.elements, ""));
    });
  }

  /** A match of the elements, behind `path`; collects the repetitions in them. */
  #read(elements: readonly AST.Element[], path: string): string {
    let text = path;
    for (const element of elements) text += this.#readElement(element, text);
    return text;
  }

  #readElement(element: AST.Element, path: string): string {
    switch (element.type) {
      case "Quantifier": {
        const inner = this.#readElement(element.element, path);
        if (element.max > 1) this.repeated.push({ path, pumps: this.#pumpsOf(element.element, inner) });
        return inner.repeat(Math.min(Math.max(element.min, 1), 200));
      }
      case "Group":
      case "CapturingGroup":
      case "Assertion": {
        if (!("alternatives" in element)) return "";
        const texts = element.alternatives.map(({ elements }) => this.#read(elements, path).slice(path.length));
        return element.type === "Assertion" ? "" : (texts.find((text) => text !== "") ?? "");
      }
      case "Character":
        return String.fromCodePoint(element.value);
      case "Backreference":
      case "CharacterClass":
      case "CharacterSet":
      case "ExpressionCharacterClass":
        return this.#charactersOf(element).at(this.#choice) ?? "";
    }
  }

  #pumpsOf(element: AST.QuantifiableElement, text: string): readonly string[] {
    if (!("alternatives" in element)) return this.#charactersOf(element);
    const each = element.alternatives.map(({ elements }) =>
      elements.map((inner) => this.#readElement(inner, "")).join(""),
    );
    return [...new Set([text, ...each, each.join(""), ...this.#charactersOf(element)])];
  }

  /** Those that the element matches alone: of the alphabet, or one of all. */
  #charactersOf({ raw }: AST.Node): readonly string[] {
    // A reference to a group outside of it can't be compiled alone.
    if (/\\(?:[1-9]|k<)/.test(raw)) return this.alphabet;
    const alone = new RegExp(`^(?:${raw})$`, this.#flags);
    const matched = this.alphabet.filter((character) => alone.test(character));
    return matched.length > 0 ? matched : this.#characters.filter((character) => alone.test(character)).slice(0, 1);
  }
}

/** The literal characters, and the ends of the ranges in classes. */
function charactersIn(tree: AST.Pattern): readonly string[] {
  const found = new Set<string>();
  visitRegExpAST(tree, {
    onCharacterEnter({ value }) {
      found.add(String.fromCodePoint(value));
    },
  });
  return [...found];
}

/** The common ones and, of a long list, some from all parts of it. */
function alphabetOf(own: readonly string[]): readonly string[] {
  const step = Math.ceil(own.length / (maxAlphabet - common.length));
  const some = own.filter((_, at) => at % step === 0);
  return [...new Set([...some.slice(0, 5), ...common, ...some.slice(5)])];
}

/** The language in which the built-in model answers: that of the prompt. What it quotes stays as it is. */
import { chineseWords } from "./chineseWords";
import type { DemoWords } from "./demoWords";
import { englishWords } from "./englishWords";

/** `prompt`: what the person wrote, without attached files. */
export function wordsFor(prompt: string): DemoWords {
  return /\p{Script=Han}/u.test(prompt) ? chineseWords : englishWords;
}

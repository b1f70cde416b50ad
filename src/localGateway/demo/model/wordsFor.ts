/** Chooses the language of the built-in model's answers, which is that of the prompt. Quoted texts stay unchanged. */
import { chineseWords } from "./chineseWords";
import type { DemoWords } from "./demoWords";
import { englishWords } from "./englishWords";

/** `prompt`: the person's text without attached files. */
export function wordsFor(prompt: string): DemoWords {
  return /\p{Script=Han}/u.test(prompt) ? chineseWords : englishWords;
}

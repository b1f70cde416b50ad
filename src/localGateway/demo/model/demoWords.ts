/** The sentences of the built-in model. Each of its languages implements them. */

import type { SubjectName } from "../drawing/subjects";

export type Words = readonly [string, ...string[]];

export interface DemoWords {
  readonly introduction: string;
  readonly connecting: string;
  /** One line before the list of possible requests. */
  readonly notUnderstood: string;
  readonly shortly: { readonly withTools: string; readonly without: string };
  /** The names of the subjects, with their articles. */
  readonly subjects: Readonly<Record<SubjectName, string>>;
  readonly drawn: (subject: string) => string;
  readonly notDrawn: (subjects: string) => string;
  /** `list`: the images, as `image` and `join` make it. */
  readonly imagesGiven: (list: string) => string;
  readonly filesGiven: (list: string) => string;
  readonly fileOf: (label: string, lines: number) => string;
  readonly suggestions: { readonly withTools: string; readonly without: string; readonly always: string };
  readonly thoughts: (length: number, first: number) => string;
  /** *a, b and c* */
  readonly join: (parts: readonly string[]) => string;
  readonly more: (list: string, count: number) => string;
  readonly step: {
    readonly read: (paths: string) => string;
    readonly list: (path: string | undefined) => string;
    readonly locate: (name: string) => string;
    readonly find: (text: string, path: string | undefined) => string;
    readonly replace: (old: string, replacement: string, path: string) => string;
    readonly write: (path: string) => string;
    readonly fetch: (url: string) => string;
    readonly look: (url: string) => string;
    readonly make: (media: "image" | "video") => string;
    readonly run: (command: string, isBackground: boolean) => string;
    readonly call: (tools: string) => string;
    readonly ask: string;
    readonly explore: string;
    readonly present: string;
    readonly track: string;
  };
  readonly begins: Words;
  readonly begin: (word: string, what: string) => string;
  readonly fits: (what: string, count: number, tool: string) => string;
  readonly next: (hasFailed: boolean, what: string) => string;
  readonly noToolFits: (what: string, tools: string) => string;
  readonly noTools: (what: string) => string;
  readonly report: {
    readonly stepsLeft: (count: number) => string;
    readonly withImages: (list: string) => string;
    readonly declined: (tool: string, path: string | undefined, isReading: boolean) => string;
    readonly failed: (tool: string, path: string | undefined) => string;
    readonly changed: (path: string) => string;
    /** The sentence for Sluice's own chat. */
    readonly changedHere: (path: string) => string;
    readonly written: (path: string) => string;
    readonly submitted: string;
    readonly submittedHere: string;
    readonly presented: string;
    readonly nothing: (tool: string, path: string | undefined) => string;
    readonly lines: (tool: string, path: string | undefined, count: number) => string;
  };
  readonly explain: {
    readonly size: (path: string, language: string | undefined, lines: number) => string;
    readonly leftToDo: (line: number, text: string) => string;
    readonly begins: (text: string) => string;
    readonly defines: (list: string) => string;
    readonly uses: (list: string) => string;
    readonly title: (text: string) => string;
    readonly sections: (list: string, count: number) => string;
    readonly list: (count: number) => string;
    readonly has: (list: string) => string;
    readonly end: string;
  };
  readonly overview: {
    readonly title: string;
    readonly empty: string;
    readonly count: (files: number) => string;
    readonly top: string;
    readonly folder: (name: string, files: string) => string;
  };
  readonly filler: FillerWords;
}

/** The phrases of the long texts, which have no meaning. */
export interface FillerWords {
  readonly subjects: Words;
  readonly deeds: Words;
  readonly objects: Words;
  readonly ends: Words;
  readonly sentence: (subject: string, deed: string, object: string, end: string) => string;
  /** The separator between two sentences. */
  readonly blank: string;
  readonly title: string;
  readonly headings: { readonly look: string; readonly numbers: string; readonly code: string };
  readonly inner: string;
  readonly ticks: readonly [string, string];
  readonly columns: readonly [string, string, string, string];
  readonly gate: string;
  readonly states: Words;
  readonly end: string;
}

/** Classifies the paths of the workspace for the sandbox of commands, by their names (A4, A13). */
import type { SandboxPolicy } from "../../domain/tools/sandbox";
import { isExecutedPath, isObeyedPath } from "./executedNames";
import { compileNames } from "./nameTable";
import { isSecretPath } from "./sensitiveNames";

/** Folders of packages: foreign code, which extensions of the editor load from there. */
export const isPackages = compileNames({
  all: { folders: "node_modules .yarn .pnpm .venv venv site-packages dist-packages .bundle vendor" },
}).has;

/** Folders that builds and tests write again and again. A name there does not count as executed, unless the file acts unasked. */
export const isBuildFolder = compileNames({
  folders: {
    folders: `dist build out target obj coverage htmlcov .next .nuxt .output .svelte-kit .turbo .cache .parcel-cache .gradle .dart_tool .metals
      .bloop .pytest_cache .mypy_cache .ruff_cache __pycache__ .hypothesis .nyc_output .eggs *.egg-info tmp .tmp autom4te.cache storybook-static`,
  },
}).has;

const isGenerated = (inRoot: string): boolean => isBuildFolder(inRoot) || isGeneratedFile(inRoot);
const isGeneratedFile = compileNames({
  files: { names: "*.so *.dll *.dylib *.exe *.com *.jar *.pyc *.pyd *.pkl *.pickle test_*.py *_test.py" },
}).has;

/** Settings of package managers: most say where packages come from, and some hold a token. */
const isPlainSecret = compileNames({ all: { names: ".npmrc .yarnrc*" } }).has;

export const sandboxPolicy: SandboxPolicy = {
  verdictOf(inRoot) {
    if (isPlainSecret(inRoot)) return "plain-secret";
    // git's folder counts as secret for readers; git itself must read it.
    if (/(?:^|\/)\.git(?:\/|$)/iu.test(inRoot)) return "obeyed";
    if (isSecretPath(inRoot)) return "secret";
    if (isObeyedPath(inRoot)) return "obeyed";
    if (inRoot.endsWith("/") && isPackages(inRoot)) return "packages";
    return isExecutedPath(inRoot) && !isGenerated(inRoot) ? "executed" : undefined;
  },
  mayHoldSecret: (text) => /auth|token|passw|secret|:\/\/[^/\s]*@|\$\{/iu.test(text),
};

/** A new file of this name is one that a person should look at: something runs or obeys it. What builds and package managers write is not among them. */
export function isObeyedWhenNew(inRoot: string): boolean {
  if (isObeyedPath(inRoot)) return !/\.git\/./u.test(inRoot);
  return isExecutedPath(inRoot) && !isPackages(inRoot) && !isBuildFolder(inRoot);
}

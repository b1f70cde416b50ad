/** Classifies the paths of the workspace for the sandbox of commands, by their names (A4, A13). */
import { basename } from "node:path";
import type { SandboxPolicy } from "../../domain/tools/sandbox";
import { isExecutedPath, isObeyedInRoot, isObeyedPath } from "./executedNames";
import { compileNames } from "./nameTable";
import { isSecretPath } from "./sensitiveNames";

/** Matches paths in folders of packages. These hold foreign code, which extensions of the editor load from there. */
export const isPackages = compileNames({
  all: { folders: "node_modules .yarn .pnpm .venv venv site-packages dist-packages .bundle vendor" },
}).has;

/**
 * Matches paths in folders that builds and tests write again and again. A file there never counts as `executed`, because a command has to write it.
 * It still counts as `obeyed` where git, the editor or an agent acts on it unasked.
 */
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

/** Matches settings of package managers. Most only say where packages come from, and some hold a token: `mayHoldSecret` tells them apart. */
const isPlainSecret = compileNames({ all: { names: ".npmrc .yarnrc*" } }).has;

export const sandboxPolicy: SandboxPolicy = {
  verdictOf(inRoot) {
    if (isPlainSecret(inRoot)) return "plain-secret";
    // The tools that read files treat `.git` as secret. In the sandbox git itself must read it, so it is only protected from changes.
    if (/(?:^|\/)\.git(?:\/|$)/iu.test(inRoot)) return "obeyed";
    if (isSecretPath(inRoot)) return "secret";
    if (isObeyedPath(inRoot)) return "obeyed";
    if (inRoot.endsWith("/") && isPackages(inRoot)) return "packages";
    return isExecutedPath(inRoot) && !isGenerated(inRoot) ? "executed" : undefined;
  },
  mayHoldSecret: (text) => /auth|token|passw|secret|:\/\/[^/\s]*@|\$\{/iu.test(text),
};

/**
 * Whether a person should look at a new file with this path, because something runs or obeys it. In folders of packages and builds a file counts only
 * where it is obeyed. Inside `.git` none counts, because git itself writes there. `root`: absolute.
 */
export function isObeyedWhenNew(root: string, inRoot: string): boolean {
  if (isObeyedPath(inRoot) || isObeyedInRoot(root, inRoot)) return !/\.git\/./u.test(`${basename(root)}/${inRoot}`);
  return isExecutedPath(inRoot) && !isPackages(inRoot) && !isBuildFolder(inRoot);
}

// Stryker runs this in its copy of the tree, in which the files to be tested are changed: bundles those tests that load one of them.
import { build } from "esbuild";
import { globSync } from "tinyglobby";
import { testBundle } from "./bundleOptions.mjs";

/** @type {readonly string[]} */
const changed = JSON.parse(process.env["SLUICE_MUTATED"] ?? "[]");
const tests = globSync(JSON.parse(process.env["SLUICE_MUTANT_TESTS"] ?? "[]"));
const { metafile } = await build({
  ...testBundle.options,
  ...{ entryPoints: tests, outdir: "dist/test", write: false, sourcemap: false },
  plugins: [...testBundle.plugins],
});
const loading = Object.values(metafile?.outputs ?? {}).flatMap(({ entryPoint, inputs }) =>
  entryPoint !== undefined && Object.keys(inputs).some((input) => changed.includes(input)) ? [entryPoint] : [],
);
// Tests start these programs by their paths.
const programs = globSync("test/*/**/*.ts", { ignore: ["test/fixtures/**", "test/host/**", "test/**/*.test.ts"] });
await build({
  ...testBundle.options,
  ...{ splitting: true, chunkNames: "chunks/[hash]", entryPoints: [...loading, ...programs], outdir: "dist/test" },
  plugins: [...testBundle.plugins],
});
console.log(`${loading.length} of ${tests.length} test files load what is changed`);

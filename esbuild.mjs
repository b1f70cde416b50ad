// Builds one bundle per runtime: extension host, chat page, local gateway, tests. `--watch` rebuilds, `--production` minifies.
import { build, context } from "esbuild";
import { globSync } from "tinyglobby";
import { mkdir, rm, writeFile } from "node:fs/promises";

const flags = new Set(process.argv.slice(2));
const watch = flags.has("--watch");
const production = flags.has("--production");

const shared = {
  bundle: true,
  sourcemap: true,
  minify: production,
  logLevel: "warning",
  metafile: true,
  legalComments: production ? "linked" : "none",
  define: { "process.env.NODE_ENV": production ? '"production"' : '"development"' },
};
const node = { ...shared, platform: "node", format: "cjs", target: "node22", mainFields: ["module", "main"] };

/** Each with the source folders that its bundle must not hold: the second net under the layer table. */
const bundles = [
  {
    name: "extension host",
    foreign: /^src\/(webview|localGateway)\//,
    options: { ...node, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", external: ["vscode"] },
  },
  {
    name: "local gateway",
    foreign: /^src\/(?!base\/|domain\/|localGateway\/)/,
    options: { ...node, entryPoints: ["src/localGateway/main.ts"], outfile: "dist/localGateway.js" },
  },
  {
    name: "chat page",
    foreign: /^src\/(?!base\/|domain\/|protocol\/|webview\/)/,
    options: {
      ...shared,
      entryPoints: { chat: "src/webview/main.ts" },
      outdir: "dist/webview",
      platform: "browser",
      format: "iife",
      target: "chrome138",
      tsconfig: "src/webview/tsconfig.json",
      loader: { ".ttf": "file" },
      assetNames: "[name]",
    },
  },
];
const tests = {
  name: "tests",
  options: {
    ...node,
    minify: false,
    entryPoints: globSync("test/{unit,loopback,vscode,ui,support}/**/*.ts", { ignore: "test/ui/panel/page/**" }),
    outdir: "dist/test",
    outbase: "test",
    packages: "external",
    external: ["vscode"],
  },
};

/** Says what a bundle may not hold: another runtime's sources, or Node's modules in the page. */
const checkInputs = ({ name, foreign }) => ({
  name: "check-inputs",
  setup({ onEnd }) {
    onEnd(({ metafile }) => {
      const found = Object.keys(metafile?.inputs ?? {}).filter((input) => foreign?.test(input));
      return { errors: found.map((input) => ({ text: `${input} does not belong into the ${name} bundle` })) };
    });
  },
});
/** The lines that .vscode/tasks.json waits for. */
const tellWatcher = {
  name: "tell-watcher",
  setup({ onStart, onEnd }) {
    onStart(() => console.log("[watch] build started"));
    onEnd(() => console.log("[watch] build finished"));
  },
};

const wanted = production ? bundles : [...bundles, tests];
await rm("dist", { recursive: true, force: true });
await mkdir("dist", { recursive: true });

if (watch) {
  for (const bundle of wanted) {
    const running = await context({ ...bundle.options, plugins: [checkInputs(bundle), tellWatcher] });
    await running.watch();
  }
} else {
  const results = await Promise.all(
    wanted.map((bundle) => build({ ...bundle.options, plugins: [checkInputs(bundle)] })),
  );
  // For `npx esbuild-visualizer` and for the size in the bench.
  await writeFile("dist/meta.json", JSON.stringify(results.map((result) => result.metafile)));
}

// Type-checked lint for everything that ships or tests; scripts and configuration get the untyped rules.
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", ".vscode-test/", "test-results/", "node_modules/", "media/"] },
  {
    files: ["src/**/*.ts", "test/**/*.ts", "bench/**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "max-lines": ["error", { max: 300 }],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "Named exports only: a name that can be searched." },
      ],
      eqeqeq: ["error", "always"],
    },
  },
  {
    // mocha's and node:test's callbacks, and assertions on values known to be there.
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [] }],
      "@typescript-eslint/no-unused-expressions": "off",
    },
  },
  {
    files: ["**/*.mjs"],
    extends: [tseslint.configs.base],
    rules: { "max-lines": ["error", { max: 300 }], eqeqeq: ["error", "always"] },
  },
);

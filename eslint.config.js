import js from "@eslint/js";
import globals from "globals";

export default [
  // Written by wasm-bindgen and esbuild.
  { ignores: ["packages/sapper-engine/src/sapper_*", "packages/sapper-engine/engine", "src/sapper/web/static/engine"] },
  js.configs.recommended,
  {
    files: ["src/sapper/web/static/js/**/*.js", "packages/sapper-engine/src/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["examples/web/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["tests/web/**/*.js", "examples/engines/**/*.js", "**/*.mjs"],
    languageOptions: { globals: globals.node },
  },
  {
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_" }],
    },
  },
];

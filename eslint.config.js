import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["src/sapper/web/static/js/**/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["tests/web/**/*.js", "examples/**/*.js", "examples/**/*.mjs"],
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

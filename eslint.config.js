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
    // `event.key` is a letter of the layout's script, which no shortcut has on many keyboards.
    files: ["src/sapper/web/static/js/**/*.js"],
    ignores: ["src/sapper/web/static/js/input/pressed-key.js"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression[object.name=/^(event|e)$/][property.name='key']",
          message: "Use pressedKey(event).",
        },
        {
          selector:
            "CallExpression[arguments.0.value=/^key/] > :function > ObjectPattern > Property[key.name=/^(key|code)$/]," +
            "VariableDeclarator[init.name=/^(event|e)$/] > ObjectPattern > Property[key.name='key']",
          message: "Use pressedKey(event).",
        },
      ],
    },
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

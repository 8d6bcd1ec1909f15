// The rules of the linter. Chessground is imported in one file only; all other code uses that file,
// so that the board could be replaced.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist', 'node_modules', 'audit', 'src/wire.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    // STATIC: see src/static.d.ts.
    languageOptions: { globals: { ...globals.browser, ...globals.node, STATIC: 'readonly' } },
    rules: {
      'no-restricted-imports': ['error', { patterns: ['@lichess-org/chessground*'] }],
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig },
    },
    rules: {
      // The router handles links for the whole page.
      'svelte/no-navigation-without-resolve': 'off',
      'svelte/no-at-html-tags': 'error',
      // Maps here are replaced, never changed.
      'svelte/prefer-svelte-reactivity': 'off',
      'svelte/no-useless-mustaches': 'off',
    },
  },
  {
    // shell.ts prepends these constants.
    files: ['service.js'],
    languageOptions: { globals: { VERSION: 'readonly', FILES: 'readonly' } },
  },
  {
    files: ['src/board/ground.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['tools/**', 'tests/**', 'e2e/**'],
    rules: { 'no-console': 'off' },
  },
);

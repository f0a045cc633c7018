import { defineConfig } from 'oxlint'

// Who may import whom. Each folder of server/src is given what it may not reach; the table is in docs/ARCHITECTURE.md.
const entryPoints = ['#http/**', '#git/**', '#worker/**', '#proxy/**']
const upwards = [{ group: ['../**'], message: 'Import another folder by its name: #domain/runs/run.ts.' }]
type Forbidden = { group: string[]; message: string }
const forbid = (
  group: string[],
  message: string,
): { 'no-restricted-imports': ['error', { patterns: Forbidden[] }] } => ({
  'no-restricted-imports': ['error', { patterns: [...upwards, { group, message }] }],
})
const adapters = ['#adapters/**']

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'node'],
  categories: { correctness: 'error', suspicious: 'warn' },
  ignorePatterns: ['**/generated/**', 'web/dist/**', 'examples/**', 'server/test/programs/**', 'node_modules/**'],
  options: { typeAware: true },
  rules: {
    'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
    'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
    'import/no-default-export': 'error',
    'import/no-cycle': 'error',
    'no-restricted-imports': ['error', { patterns: upwards }],
    'node/no-process-env': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'import/no-named-as-default-member': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/consistent-return': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'no-underscore-dangle': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'import/no-unassigned-import': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/restrict-template-expressions': 'off',
  },
  overrides: [
    {
      files: ['server/src/base/**'],
      rules: forbid(['#db/**', '#domain/**', ...adapters, '#app/**', ...entryPoints], 'base imports only base.'),
    },
    {
      files: ['server/src/db/**'],
      rules: forbid(['#domain/**', ...adapters, '#app/**', ...entryPoints], 'db imports only db and base.'),
    },
    {
      files: ['server/src/domain/**'],
      rules: forbid([...adapters, '#app/**', ...entryPoints], 'domain imports only domain, db and base.'),
    },
    {
      files: ['server/src/adapters/sandboxes/**'],
      rules: forbid(
        ['#db/**', '#domain/**', '#app/**', ...entryPoints, '#adapters/engines/*/**', '#adapters/codehosts/*/**'],
        'an adapter imports its own kind, the interfaces of other kinds, and base.',
      ),
    },
    {
      files: ['server/src/adapters/{engines,codehosts,identities,mcp}/**'],
      rules: forbid(
        ['#db/**', '#domain/**', '#app/**', ...entryPoints],
        'an adapter imports its own kind, the interfaces of other kinds, and base.',
      ),
    },
    {
      files: ['server/src/app/**'],
      rules: forbid(entryPoints, 'app/ knows no entry point.'),
    },
    {
      files: ['server/src/http/**'],
      rules: forbid(
        ['#db/**', '#git/**', '#worker/**', '#proxy/**'],
        'an entry point imports itself, app/, domain, the interfaces of adapters, and base.',
      ),
    },
    {
      files: ['server/src/git/**'],
      rules: forbid(
        ['#db/**', '#http/**', '#worker/**', '#proxy/**'],
        'an entry point imports itself, app/, domain, the interfaces of adapters, and base.',
      ),
    },
    {
      files: ['server/src/proxy/**'],
      rules: forbid(
        ['#db/**', '#http/**', '#git/**', '#worker/**'],
        'an entry point imports itself, app/, domain, the interfaces of adapters, and base.',
      ),
    },
    {
      files: ['server/src/worker/**'],
      rules: forbid(
        ['#db/**', '#http/**', '#git/**', '#proxy/**'],
        'an entry point imports itself, app/, domain, the interfaces of adapters, and base.',
      ),
    },
    {
      files: ['cli/**'],
      rules: forbid(
        ['#**', '@runwright/server', '**/server/**'],
        'the command line knows the SDK and nothing else of ours.',
      ),
    },
    {
      files: ['web/src/**'],
      rules: forbid(
        ['@runwright/server', '@runwright/server/**', '@runwright/cli', 'node:*'],
        'the web knows the SDK and nothing else of ours.',
      ),
    },
    {
      files: ['web/src/**'],
      plugins: ['typescript', 'import', 'unicorn', 'node', 'react'],
      rules: { 'react/rules-of-hooks': 'error', 'react/exhaustive-deps': 'error' },
    },
    {
      files: ['web/src/ui/**'],
      rules: forbid(['#**', '@runwright/**', '@tanstack/**'], 'ui/ knows nothing of runs.'),
    },
    {
      files: ['**/*.test.ts', '**/*.slow.ts', 'server/test/**', 'web/e2e/**', 'bench/**'],
      rules: {
        'no-restricted-imports': ['error', { patterns: upwards }],
        'max-lines': ['error', { max: 600 }],
        'max-lines-per-function': 'off',
        'node/no-process-env': 'off',
        'typescript/no-floating-promises': 'off',
        'typescript/unbound-method': 'off',
      },
    },
    {
      files: ['server/src/base/config/config.ts', 'cli/src/settings.ts', 'web/vite.config.ts', 'bin/**'],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      files: ['bin/**', 'bench/**', '*.config.ts'],
      rules: { 'no-restricted-imports': 'off', 'import/no-default-export': 'off' },
    },
  ],
})

/** Agents in sandboxes where the service is not root: the tests of the engine that drives them once more, and those of the real ones that RUNWRIGHT_TEST_AGENTS names. */
import assert from 'node:assert/strict'
import { chownSync, copyFileSync, globSync } from 'node:fs'
import { test } from 'node:test'
import { copyForUser, ordinaryUser } from '#test/copy-for-user.ts'
import { passTests } from '#test/pass-tests.ts'

const isRoot = process.getuid?.() === 0
const agents = process.env['RUNWRIGHT_TEST_AGENTS']
const table = process.env['RUNWRIGHT_TEST_AGENTS_TABLE']

test(
  'agents work where an ordinary user runs the service, too',
  { skip: !isRoot && 'the tests run as an ordinary user already', timeout: 1_800_000 },
  async () => {
    const copy = copyForUser({ withModules: true })
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
    const own = { RUNWRIGHT_TEST_MAIN: `${copy.folder}/src/main.ts`, npm_config_cache: `${copy.env['TMPDIR']}/npm` }
    const page = `${copy.env['TMPDIR']}/seen.md`
    if (table) {
      copyFileSync(table, page)
      chownSync(page, ordinaryUser, ordinaryUser)
    }
    const env = { ...inherited, ...copy.env, ...own, ...(table && { RUNWRIGHT_TEST_AGENTS_TABLE: page }) } as Record<
      string,
      string
    >
    const files = globSync('src/adapters/engines/acp/**/*.test.ts', { cwd: copy.folder })
    const real = agents === undefined ? [] : ['test/stories/agents/agents.slow.ts']
    try {
      assert.ok((await passTests({ ...copy, env, testMs: 300_000 }, [...files, ...real])) > 25)
    } finally {
      if (table) copyFileSync(page, table)
    }
  },
)

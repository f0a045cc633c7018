import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { casesOfCommit } from '#test/cases-of-commit.ts'
import { type SuiteEngine, startEngineForSuite } from '#test/engine-for-suite.ts'
import { passTests } from '#test/pass-tests.ts'

/** The suite once more, in an engine each. */
export const suitesInEngines = ['containers.slow.ts', 'docker.slow.ts', 'gvisor.slow.ts']
/** These are about what only processes of this machine do, or are other runs of the suite. */
const others = ['ordinary-user.slow.ts', 'stuck-processes.slow.ts', ...suitesInEngines]
const FILE_MS_MAX = 900_000
/** A commit tries one of so many files. */
const SHARES = 2

/** The whole suite once more, each file in a process of its own, from containers of this engine. */
export async function tryFromContainers(name: SuiteEngine): Promise<void> {
  const title = `no way out leads anywhere from a container of ${name} either`
  const engine = await startEngineForSuite(name)
  if (typeof engine === 'string') return void test(title, { skip: engine }, () => {})
  after(engine.stop)
  const env = {
    PATH: process.env.PATH!,
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    RUNWRIGHT_TEST_SANDBOX: name === 'runsc' ? 'gvisor' : 'container',
    RUNWRIGHT_TEST_ENGINE: engine.socket,
    RUNWRIGHT_TEST_IMAGE: engine.image,
  }
  const all = globSync('*.slow.ts', { cwd: import.meta.dirname }).toSorted()
  const files = all.filter((file) => !others.includes(file))
  describe(title, { concurrency: 2 }, () => {
    for (const file of casesOfCommit(files, SHARES))
      test(file, { timeout: FILE_MS_MAX }, async (t) => t.diagnostic(`${await tryFile(file, env)} ways`))
  })
}

/** How many ways it tried, all of which led nowhere. */
async function tryFile(file: string, env: Record<string, string>): Promise<number> {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning']
  const passed = await passTests({ folder: import.meta.dirname, command, env, testMs: 120_000 }, [file])
  assert.ok(passed > 0, file)
  return passed
}

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { casesOfCommit, whyNotGvisor } from '#test/cases-of-commit.ts'
import { startEngine } from '#test/container-engine.ts'

/** These are about what only processes of this machine do, or are other runs of the suite. */
const others = ['ordinary-user', 'stuck-processes', 'containers', 'gvisor'].map((name) => `${name}.slow.ts`)
const FILE_MS_MAX = 900_000
/** A commit tries one of so many files. */
const SHARES = 2

type TryFromContainers = {
  /** As `attack.ts` calls it. */
  isolation: 'container' | 'gvisor'
  runtime: 'runc' | 'runsc'
}

/** The whole suite once more, each file in a process of its own, from containers of this runtime. */
export async function tryFromContainers({ isolation, runtime }: TryFromContainers): Promise<void> {
  const title = `no way out leads anywhere from a container of ${runtime} either`
  const engine = (runtime === 'runsc' && whyNotGvisor()) || (await startEngine({ runtime }))
  if (typeof engine === 'string') return void test(title, { skip: engine }, () => {})
  const env = {
    PATH: process.env.PATH!,
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    RUNWRIGHT_TEST_SANDBOX: isolation,
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
  const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=tap', '--test-timeout=120000']
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  const child = spawn(process.execPath, [...flags, file], { cwd: import.meta.dirname, env, stdio })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk))
  const exitCode = await new Promise((resolve) => child.on('close', resolve))
  const failed = text.match(/^ *not ok .*\n(?: *(?!ok|not ok|#).*\n){0,20}/gm) ?? [text.slice(-4_000)]
  assert.equal(exitCode, 0, failed.join('\n'))
  const passed = Number(/^# pass (\d+)$/m.exec(text)?.[1])
  assert.ok(passed > 0, text.slice(-500))
  return passed
}

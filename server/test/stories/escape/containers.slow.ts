/** The same attacks from containers: the whole suite once more, with a container engine. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { startEngine } from '#test/container-engine.ts'

/** These are about what only processes of this machine do, or are other runs of the suite. */
const others = ['ordinary-user.slow.ts', 'stuck-processes.slow.ts', path.basename(import.meta.filename)]

const engine = await startEngine()

test(
  'no way out leads anywhere from a container either',
  { skip: typeof engine === 'string' ? engine : false, timeout: 280_000 },
  async () => {
    assert.ok(typeof engine !== 'string')
    const files = globSync('*.slow.ts', { cwd: import.meta.dirname }).filter((file) => !others.includes(file))
    const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=tap', '--test-concurrency=2']
    const child = spawn(process.execPath, [...flags, '--test-timeout=120000', ...files], {
      cwd: import.meta.dirname,
      env: {
        PATH: process.env.PATH!,
        TMPDIR: process.env.TMPDIR ?? '/tmp',
        RUNWRIGHT_TEST_SANDBOX: 'container',
        RUNWRIGHT_TEST_ENGINE: engine.socket,
        RUNWRIGHT_TEST_IMAGE: engine.image,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk))
    const exitCode = await new Promise((resolve) => child.on('close', resolve))
    const failed = text.match(/^ *not ok .*\n(?: *(?!ok|not ok|#).*\n){0,20}/gm) ?? [text.slice(-4_000)]
    assert.equal(exitCode, 0, failed.join('\n'))
    assert.ok(Number(/^# pass (\d+)$/m.exec(text)?.[1]) > 150, text.slice(-500))
  },
)

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'

export type PassTests = { folder: string; command: string[]; env: Record<string, string>; testMs: number }

/** Runs test files in a process of their own, by this command for a Node. Fails with those that fail; resolves with how many passed. */
export async function passTests({ folder, command, env, testMs }: PassTests, files: string[]): Promise<number> {
  const [program = '', ...argv] = command
  const flags = ['--test', '--test-reporter=tap', '--test-concurrency=2', `--test-timeout=${testMs}`]
  const child = spawn(program, [...argv, ...flags, ...files], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk))
  const exitCode = await new Promise((resolve) => child.on('close', resolve))
  const failed = text.match(/^ *not ok .*\n(?: *(?!ok|not ok|#).*\n){0,20}/gm) ?? [text.slice(-4_000)]
  assert.equal(exitCode, 0, failed.join('\n'))
  return Number(/^# pass (\d+)$/m.exec(text)?.[1] ?? assert.fail(text.slice(-500)))
}

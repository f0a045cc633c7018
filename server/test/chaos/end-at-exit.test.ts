import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const endAtExit = pathToFileURL(path.join(import.meta.dirname, 'end-at-exit.ts')).href
const program = `
  import { spawn } from 'node:child_process'
  import { endAtExit } from '${endAtExit}'
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => console.error("it lives"), 10_000)'], { stdio: 'inherit' })
  endAtExit(() => child.pid)
  throw new Error('a bug of the suite')`

test('what a suite has started ends with it, when it ends by its own error', async () => {
  const words = ['--input-type=module', '-e', program]
  // Answered once nobody has its output any more.
  const { error, stderr } = await new Promise<{ error: Error | null; stderr: string }>((resolve) =>
    execFile(process.execPath, words, (failure, _, text) => resolve({ error: failure, stderr: text })),
  )
  assert.match(String(error), /a bug of the suite/)
  assert.doesNotMatch(stderr, /it lives/)
})

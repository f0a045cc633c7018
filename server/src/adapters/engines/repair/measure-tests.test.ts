import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testWorkspaces } from '#test/test-workspace.ts'
import { hasWarmTests } from './measure-tests.ts'

const makeWorkspace = testWorkspaces()

test('whether there are tests is seen without loading them: every turn of an agent asks', async (t) => {
  await using sandbox = await makeWorkspace({ 'test_a.py': "open('loaded', 'w')\n\n\ndef test_a():\n    pass\n" })
  const run = (shell: string) => sandbox.exec({ shell, timeoutMs: 10_000 }).result
  if ((await run('command -v python3')).exitCode !== 0) return t.skip('there is no python3 in the sandbox')
  assert.equal(await hasWarmTests(sandbox, new AbortController().signal), true)
  assert.equal((await run('ls')).stdout.toString(), 'test_a.py\n')
})

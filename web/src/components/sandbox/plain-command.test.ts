import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainCommand } from './plain-command.ts'

test('a command is shown as the agent gave it', () => {
  assert.equal(plainCommand(`bash -c 'exec bash -c "$1" 2>&1' bash 'echo '\\''hi'\\'' there'`), "echo 'hi' there")
  assert.equal(plainCommand(`bash -c 'exec bash -c "$1" 2>&1' bash ls`), 'ls')
  assert.equal(plainCommand('npm test'), 'npm test')
})

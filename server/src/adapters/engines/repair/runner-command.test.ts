import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runnerCommand } from './runner-command.ts'

const paths = { tools: '/tmp/t', report: '/tmp/r.json' }

test('asks each runner for its own report', () => {
  assert.match(runnerCommand('jest', 'jest', paths), /^jest --json --outputFile=\/tmp\/r\.json/)
  assert.match(runnerCommand('vitest', 'vitest', paths), /--reporter=json --outputFile=\/tmp\/r\.json/)
  assert.match(runnerCommand('mocha', 'mocha test', paths), /^mocha test --reporter \/tmp\/t\//)
  assert.equal(runnerCommand('command', 'make test', paths, ['a.js']), 'make test')
})

test('selects files as the runner has it, whatever they are called', () => {
  assert.match(runnerCommand('jest', 'jest', paths, ["it's.test.js"]), /--runTestsByPath 'it'\\''s\.test\.js'$/)
  assert.equal(runnerCommand('node', 'node --test', paths, ['a.test.js']), "node --test 'a.test.js'")
  assert.equal(runnerCommand('node', 'node --test test/', paths, ['a.test.js']), 'node --test test/')
})

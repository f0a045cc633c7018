import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptSuites } from './find-node-suites.ts'
import { runnerOf, splitTestScript, withoutCoverage } from './split-test-script.ts'

test('takes a script apart and finds the part that runs tests', () => {
  assert.deepEqual(
    splitTestScript('eslint . && tsc --noEmit && vitest run').map(({ text, runner, isTest }) => [text, runner, isTest]),
    [
      ['eslint .', 'command', false],
      ['tsc --noEmit', 'command', false],
      ['vitest run', 'vitest', true],
    ],
  )
})

test('what measures coverage is left out, with its options', () => {
  assert.equal(withoutCoverage("nyc tape 'test/**/*.js'"), "tape 'test/**/*.js'")
  assert.equal(
    withoutCoverage('NODE_ENV=test npx c8 --reporter=lcov --all mocha -R dot'),
    'NODE_ENV=test npx mocha -R dot',
  )
  assert.equal(scriptSuites({ folder: '', script: 'nyc --silent ava', scripts: {}, files: [] })[0]!.command, 'ava')
})

test('tests of Go are known by their command', () => {
  assert.deepEqual(['go test ./...', 'CGO_ENABLED=1 go test -race ./...', 'go vet ./...'].map(runnerOf), [
    'go',
    'go',
    'command',
  ])
})

test('looks into scripts that are named, but never for ever', () => {
  const scripts = { lint: 'eslint .', unit: "mocha -g 'a && b'", loop: 'npm run loop' }
  assert.deepEqual(
    splitTestScript('npm run lint && npm run unit', scripts).map(({ text }) => text),
    ['eslint .', "mocha -g 'a && b'"],
  )
  assert.deepEqual(splitTestScript('npm run loop', scripts).length, 1)
})

test('`npm test` is the script of that name, with what npm runs before it', () => {
  const scripts = { pretest: 'npm run lint && tsc', lint: 'eslint .', test: 'mocha' }
  for (const command of ['npm test', 'npm t', 'yarn test', 'npm run test'])
    assert.deepEqual(
      splitTestScript(command, scripts).map(({ text }) => text),
      ['eslint .', 'tsc', 'mocha'],
      command,
    )
  assert.deepEqual(
    scriptSuites({ folder: '', script: 'npm test', scripts, files: [] }).map(({ command, prepare }) => [
      command,
      prepare,
    ]),
    [['mocha', 'tsc']],
  )
})

test('knows a runner behind wrappers and settings', () => {
  assert.equal(runnerOf('cross-env NODE_ENV=test CI=1 npx --no-install jest --ci'), 'jest')
  assert.equal(runnerOf('NODE_OPTIONS=--experimental-vm-modules ./node_modules/.bin/jest'), 'jest')
  assert.equal(runnerOf('c8 --reporter=lcov mocha test'), 'mocha')
  assert.equal(runnerOf('node --import tsx --test test/'), 'node')
  assert.equal(runnerOf('node check.js'), 'command')
  assert.equal(runnerOf('poetry run pytest -q'), 'pytest')
  assert.equal(runnerOf('coverage run -m pytest tests'), 'pytest')
  assert.equal(runnerOf('CI=1 python3.11 -m unittest discover -s tests'), 'unittest')
  assert.equal(runnerOf('python setup.py test'), 'command')
})

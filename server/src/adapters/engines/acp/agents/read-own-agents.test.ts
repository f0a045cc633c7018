import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readOwnAgents } from './read-own-agents.ts'

const base = mkdtempSync(path.join(os.tmpdir(), 'own-agents-'))
after(() => rmSync(base, { recursive: true, force: true }))
const file = path.join(base, 'agents.json')
const readText = (text: string) => {
  writeFileSync(file, text)
  return readOwnAgents(file)
}
const readLines = (...lines: string[]) => readText(lines.join('\n'))

test('an agent is described by a file, with what only a run knows filled in', () => {
  const agent = {
    name: 'goose',
    title: 'Goose',
    provider: 'openai',
    needs_responses: true,
    folder: '/opt/goose',
    command: ['{mount}/goose', 'acp', '--model={model}', '{node}', '{modules}/x'],
    environment: { OPENAI_HOST: '{baseUrl}/v1', PLAIN: 'as {} it is' },
    token_variables: ['OPENAI_API_KEY'],
    files: { '.config/goose.yaml': 'home: {home}\nmodel: {model}' },
    auth_method: 'key',
    mode: 'auto',
  }
  assert.throws(() => readText(JSON.stringify([agent])), /\{\} stands for nothing/)
  agent.environment.PLAIN = 'as it is'
  const [own, ...others] = readText(JSON.stringify([agent]))
  assert.deepEqual(others, [])
  assert.deepEqual([own?.name, own?.folder], ['goose', '/opt/goose'])
  const places = { modules: '/mnt/engine/node_modules', node: '/bin/node', home: '/home/a' }
  const model = { id: 'gpt-5', baseUrl: 'http://127.0.0.1:1/model/openai', contextTokens: 1, canSeeImages: false }
  const { spec } = own!
  assert.deepEqual(spec.command(places, model), [
    '/mnt/engine/goose',
    'acp',
    '--model=gpt-5',
    '/bin/node',
    '/mnt/engine/node_modules/x',
  ])
  assert.deepEqual(spec.environment(model, places), {
    OPENAI_HOST: 'http://127.0.0.1:1/model/openai/v1',
    PLAIN: 'as it is',
  })
  assert.deepEqual(spec.files?.(model, places), { '.config/goose.yaml': 'home: /home/a\nmodel: gpt-5' })
  assert.partialDeepStrictEqual(spec, {
    title: 'Goose',
    provider: 'openai',
    needsResponses: true,
    tokenVariables: ['OPENAI_API_KEY'],
    authMethod: 'key',
    mode: 'auto',
  })
})

test('what is wrong is told with its line', () => {
  const whole = (line: string) => () =>
    readLines('[', '  {', '    "name": "a",', '    "provider": "openai",', line, '    "command": ["a"]', '  }', ']')
  assert.throws(whole('    "titel": "A",'), new RegExp(`^Error: ${file}, line 2: 0 Unrecognized key: "titel"`))
  assert.throws(
    whole('    "environment": { "A": "{key}" },'),
    /line 5: 0\.environment\.A \{key\} stands for nothing: there are \{home\}/,
  )
  assert.throws(whole('    "environment": { "A B": "" },'), /line 5: 0\.environment\.A B .*/)
  assert.throws(whole('    "files": { "../x": "" },'), /line 5: 0\.files/)
  assert.throws(whole('    "folder": "opt/a",'), /line 5: 0\.folder must be an absolute path/)
  assert.throws(
    () =>
      readLines(
        '[',
        '  {',
        '    "name": "a",',
        '    "provider": "nobody",',
        '    "command": ["{mount}/a"]',
        '  }',
        ']',
      ),
    /line 4: 0\.provider/,
  )
  assert.throws(
    () => readLines('[{ "name": "a", "provider": "openai",', '"command": ["{mount}/a"] }]'),
    /line 2: 0\.command names \{mount\} or \{modules\}, so it needs a folder/,
  )
  const a = '{ "name": "a", "provider": "openai", "command": ["a"] }'
  assert.throws(() => readLines('[', `${a},`, a, ']'), /line 3: 1\.name is the name of another agent, too/)
  assert.throws(() => readLines('[', '  {', '    "name": "a"', '    "provider"'), /line \d: /)
  assert.throws(() => readLines('{}'), /line 1/)
  assert.throws(
    () => readOwnAgents(path.join(base, 'nothing.json')),
    /RUNWRIGHT_AGENTS cannot be read from .*nothing\.json/,
  )
})

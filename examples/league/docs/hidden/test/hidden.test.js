import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import * as functions from '../src/text.js'

const root = path.resolve(import.meta.dirname, '..')
const [, section = ''] = readFileSync(path.join(root, 'README.md'), 'utf8').split(/^## Functions$/m)

for (const name of Object.keys(functions))
  test(`${name} is described, and its example runs`, () => {
    const [, part = ''] = section.split(`### \`${name}\`\n`)
    const [own] = part.split(/^##+ /m)
    const [, example] = /^```js\n([^]*?)^```/m.exec(own) ?? []
    assert.ok(example, 'it has an example')
    assert.match(own.slice(0, own.indexOf('```')), /\w+ \w+/, 'it has a sentence')
    for (const part of [`${name}(`, './src/text.js', 'assert.equal(']) assert.ok(example.includes(part), part)
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', example], { cwd: root, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  })

test('what is not exported is not described', () => assert.doesNotMatch(section, /isBlank/))

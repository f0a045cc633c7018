import type { ScriptedReply } from '#test/model-server.ts'

/** A small program with a test, and what is asked for in it. */
export const priceList = {
  'package.json': '{ "name": "price-list", "private": true, "type": "module" }\n',
  'total.js': 'export const totalOf = (prices) => prices.reduce((sum, price) => sum + price, 0)\n',
  'total.test.js': [
    `import assert from 'node:assert/strict'`,
    `import { test } from 'node:test'`,
    `import { totalOf } from './total.js'`,
    `test('adds up', () => assert.equal(totalOf([40, 60]), 100))`,
    `test('knows of nothing', () => assert.equal(totalOf([]), 0))`,
    '',
  ].join('\n'),
}
export const wish = 'Prices that are no numbers should count as nothing.'

const write = (content: string): ScriptedReply => ({ calls: [{ name: 'write', input: { path: 'total.js', content } }] })
/** The agent may not finish before a command was run; this one says nothing of what the tests would. */
const look: ScriptedReply = { calls: [{ name: 'shell', input: { command: 'node --check total.js' } }] }
const finish = (summary: string): ScriptedReply => ({ calls: [{ name: 'finish', input: { summary, checks: [] } }] })

const wrong = 'export const totalOf = (prices) => prices.filter(Number).reduce((sum, price) => sum + price)\n'
const right = 'export const totalOf = (prices) => prices.filter(Number).reduce((sum, price) => sum + price, 0)\n'

/** Does what is asked, and breaks what was there. */
export const tooQuick: ScriptedReply[] = [write(wrong), look, finish('What is no number is left out.')]
/** Fixes that. */
export const fixed: ScriptedReply[] = [write(right), look, finish('The sum begins at nothing again.')]
/** Tries to, in vain, each time in another way. */
export const inVain = (time: number): ScriptedReply[] => [
  write(`// try ${time}\n${wrong}`),
  look,
  finish(`That was try ${time}.`),
]

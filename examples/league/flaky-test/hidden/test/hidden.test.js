import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { rankPlayers } from '../src/ranking.js'

const players = ['Eve', 'Ada', 'Dan', 'Ben', 'Cleo'].map((name) => ({ name, score: name === 'Dan' ? 9 : 4 }))

test('a tie is in the order of names, each time', () => {
  for (let time = 0; time < 200; time++)
    assert.deepEqual(rankPlayers(players), [
      { place: 1, name: 'Dan', score: 9 },
      { place: 2, name: 'Ada', score: 4 },
      { place: 3, name: 'Ben', score: 4 },
      { place: 4, name: 'Cleo', score: 4 },
      { place: 5, name: 'Eve', score: 4 },
    ])
  assert.equal(players[0].name, 'Eve')
})

test('the test is still there', () => {
  const code = readFileSync(new URL('./ranking.test.js', import.meta.url), 'utf8')
  assert.match(code, /\['Ada', 'Ben', 'Cleo'\]/)
})

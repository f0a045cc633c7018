import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rankPlayers } from '../src/ranking.js'

test('players are ranked', () => {
  const ranked = rankPlayers([{ name: 'Cleo', score: 5 }, { name: 'Ada', score: 7 }, { name: 'Ben', score: 5 }])
  assert.deepEqual(ranked.map(({ name }) => name), ['Ada', 'Ben', 'Cleo'])
})

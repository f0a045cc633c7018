import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Batcher } from './batcher.ts'

test('who asks while others are answered is asked for next, with all who came since', async () => {
  const asked: number[][] = []
  const gates: (() => void)[] = []
  const together = new Batcher<number, number>({
    underWayMax: 1,
    togetherMax: 3,
    ask: async (questions) => {
      asked.push(questions)
      await new Promise<void>((resolve) => gates.push(resolve))
      return questions.map((question) => question * 10)
    },
  })
  const answers = Promise.all([1, 2, 3, 4, 5, 6].map((question) => together.ask(question)))
  for (let n = 0; n < 2; n++) {
    while (!gates[n]) await new Promise(setImmediate)
    gates[n]!()
  }
  assert.deepEqual(await answers, [10, 20, 30, 40, 50, 60])
  assert.deepEqual(asked, [
    [1, 2, 3],
    [4, 5, 6],
  ])
})

test('a failure is told to those who were asked for, and to nobody else', async () => {
  let isBroken = true
  const together = new Batcher<string, string>({
    underWayMax: 1,
    togetherMax: 1,
    ask: async (questions) => {
      if (isBroken) throw new Error('broken')
      return questions
    },
  })
  await assert.rejects(together.ask('early'), /broken/)
  isBroken = false
  assert.equal(await together.ask('late'), 'late')
})

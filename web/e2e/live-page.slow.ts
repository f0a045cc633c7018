import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openUi } from './open-ui.ts'

const { service, open, play, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const at = `/runs/${service.organizationId}`
const gate = { ask: { question: 'Go on?', options: ['yes'] } }
const commandsCount = 45
const wordsCount = 40
const pieceMs = 100
/** What stalls takes seconds; how quick it is on a quiet machine, the figures below say. */
const stallMs = 5_000

/** The value below which are this many of a hundred. */
const percentile = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil((values.length * part) / 100) - 1)]!

/** Opens the page of a run that waits, has the page note when the text of this element (of what is written, its last word) is new, and lets the run go on. */
async function watch(id: number, look: string) {
  const page = await open(`${at}/${id}`)
  await page.getByRole('radio', { name: 'yes' }).click()
  await page.evaluate((look) => {
    const seen: Record<string, number> = {}
    const key = () => {
      const text = document.querySelector(look)?.textContent?.trim()
      return look === '.live-text' ? text?.split(' ').at(-1) : text
    }
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const now = key()
      if (now) seen[now] ??= Date.now()
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  }, look)
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.locator('.run-title .pill.completed').waitFor({ timeout: 110_000 })
  return page.evaluate(() => (globalThis as unknown as { seen: Record<string, number> }).seen)
}

test('a command is on the page soon after it starts, and none is left out', async (t) => {
  const { id } = await play([
    gate,
    { shell: 'date +%s%3N; sleep 1; true {n}', repeat: commandsCount },
    { answer: 'Done.' },
  ])
  const seen = await watch(id, '.trace-live .arg')
  const took = (await service.log(id)).flatMap(({ tool_name: tool, tool_input: input, tool_output: output }) => {
    if (tool !== 'shell') return []
    const shown = seen[String(input?.['command'])]
    return [shown === undefined ? Number.POSITIVE_INFINITY : shown - Number(String(output?.['output']).trim())]
  })
  assert.equal(took.length, commandsCount)
  t.diagnostic(`median ${percentile(took, 50)} ms, p99 ${percentile(took, 99)} ms`)
  assert.ok(percentile(took, 99) < stallMs)
})

test('a word is on the page soon after it was written', async (t) => {
  const words = Array.from({ length: wordsCount }, (_, n) => `w${n + 1}`).join(' ')
  const { id } = await play([
    gate,
    { shell: 'date +%s%3N' },
    { type: { thought: words, piece_ms: pieceMs } },
    { answer: 'Done.' },
  ])
  const seen = await watch(id, '.live-text')
  const stamp = (await service.log(id)).find(({ tool_name: tool }) => tool === 'shell')?.tool_output?.['output']
  // From the command before on: so this counts the way from one step to the next, and each timer that is late, too.
  const took = Object.entries(seen).map(
    ([word, at]) => at - Number(String(stamp).trim()) - Number(word.slice(1)) * pieceMs,
  )
  t.diagnostic(
    `${took.length} words, median ${percentile(took, 50)} ms, p99 ${percentile(took, 99)} ms after the command before them`,
  )
  assert.ok(took.length > wordsCount / 2)
  assert.ok(percentile(took, 99) < stallMs)
})

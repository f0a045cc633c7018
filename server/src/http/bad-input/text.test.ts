import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleRequest } from '#test/example-request.ts'
import { naughtyTexts } from '#test/naughty-texts.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { routes } from '#http/routes/index.ts'

const testing = await testApp()
const { ask } = testing

type Field = { type?: string | string[]; enum?: unknown; format?: string }
const isText = ({ type, enum: words, format }: Field) =>
  [type ?? []].flat().includes('string') && words === undefined && format === undefined

/** Eight at a time. */
async function forEach<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const next = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, next))
}

/** How many fields have had their turn: each meets another third of the texts, which has some of every kind. */
let turns = 0

for (const route of routes) {
  const fields = Object.entries((route.body?.properties ?? {}) as Record<string, Field>).filter(([, field]) =>
    isText(field),
  )
  for (const [name] of fields) {
    const turn = turns++
    test(`${route.operationId}: a text as ${name} is kept to the letter, or refused`, async () => {
      const world = await makeWorld(testing)
      // Each of what these make is work outside the database.
      const isWork = route.isLong === true || route.operationId === 'requestReview'
      const texts = naughtyTexts.filter((_, n) => (n + turn) % (isWork ? 9 : 3) === 0)
      const token = route.access === 'instance_admin' ? testing.adminToken : world.token
      await forEach(texts, async (text) => {
        const { path, method, body } = exampleRequest(route, world, { body: { [name]: text } })
        const answer = await ask(path, { method, token, body })
        const isStorable = text.isWellFormed() && !text.includes('\0')
        const shown = `${JSON.stringify(text.slice(0, 50))}: ${answer.text.slice(0, 300)}`
        const refusals = route.access === 'public' ? [401, 403] : []
        assert.ok([200, 201, 400, 404, 409, ...refusals].includes(answer.status), shown)
        if (!isStorable) assert.equal(answer.status, 400, shown)
        // The answer to a follow-up is the run, with the prompt that it began with.
        const isEchoed = name in answer.body && route.operationId !== 'resumeRun'
        if (answer.status < 300 && isEchoed) assert.equal(answer.body[name], text, shown)
      })
    })
  }
}

test('whatever a run is called, it is read, listed and found as such', async () => {
  const { path, token } = await testing.member()
  const storable = naughtyTexts.filter(
    (text) => text.isWellFormed() && !/\0/.test(text) && /\S/.test(text) && text.length <= 200,
  )
  await forEach(storable, async (text) => {
    const body = { prompt: text, title: text, metadata: { [text]: [text, { [text]: text }] } }
    const made = await ask(`${path}/agent/run`, { method: 'POST', token, body })
    assert.equal(made.status, 200, made.text)
    assert.equal(made.body.title, text)
    assert.deepEqual(Object.entries(made.body.metadata as object), Object.entries(body.metadata))
    assert.deepEqual((await ask(`${path}/agent/run/${made.body.id}`, { token })).body, made.body)
    const found = await ask(`${path}/agent/runs?q=${encodeURIComponent(text)}`, { token })
    const ids = (found.body.items as { id: number; title: string }[]).map(({ id }) => id)
    assert.ok(ids.includes(Number(made.body.id)), `${JSON.stringify(text)} is not found`)
  })
})

test('texts that look the same and are not stay apart', async () => {
  const { path, token } = await testing.member()
  const title = async (text: string) =>
    (await ask(`${path}/agent/run`, { method: 'POST', token, body: { prompt: 'Go', title: text } })).body.title
  assert.equal(await title('caf\u00e9'), 'caf\u00e9')
  assert.equal(await title('cafe\u0301'), 'cafe\u0301')
  const email = (local: string) =>
    ask(`${path}/members`, { method: 'POST', token, body: { email: `${local}@example.com`, full_name: 'X' } })
  assert.equal((await email('caf\u00e9')).status, 400)
})

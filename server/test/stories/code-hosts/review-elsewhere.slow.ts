/** Reviews by a worker that has the disk of no host: of a fork at GitHub, and of a pull request of the built-in host. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer } from '#test/model-server.ts'
import type { RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { answerAsReviewer } from './answer-as-reviewer.ts'
import { priceList } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

const secret = 'a-passphrase-of-the-repository'

const model = await startModelServer(answerAsReviewer)
after(() => model.close())
const db = await testDb()
const { github, repository, repo, mallory, forkOf, service, at, runs } = await startOnGitHub({
  databaseUrl: db.url,
  role: 'api',
  files: priceList,
  env: {
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'sk-of-a-story',
    RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
    RUNWRIGHT_SECRET_KEY: 'the same secret key in every process',
  },
  defer: after,
})
const { dataDir: elsewhere } = await service.startElsewhere()
const total = (words: string) => ({ 'total.js': `export const totalOf = (prices) => ${words}\n` })

/** The run that somebody's request has started, ended. */
async function reviewed({ id }: { id: number }): Promise<string> {
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const log = await service.log(id)
  assert.equal(log.filter(({ message_type }) => message_type === 'PR_EVALUATION').length, 1)
  const shown = JSON.stringify(log.find(({ message_type }) => message_type === 'ACTION')?.tool_output)
  assert.match(shown, /secrets: 0/)
  assert.equal(shown.match(/rejected/g)?.length, 2, shown)
  return shown
}

test('the head of a fork at GitHub is reviewed without secrets, and nothing is pushed', async () => {
  await service.call('PUT', `${at}/repos/${repo.id}/secrets/PASSPHRASE`, { value: secret })
  await service.call('PATCH', `${at}/repos/${repo.id}`, { environment_secrets: ['PASSPHRASE'] })
  const fork = await forkOf(mallory)
  const files = { ...total('prices.filter(Boolean).length'), '.runwright.yml': 'setup: env > /tmp/taken\n' }
  const commit = await mallory.push(fork, { branch: 'mine', from: 'main', files })
  const pull = { title: 'Mine', head: 'mallory:mine', base: 'main' }
  const { number } = await mallory.ask<{ number: number }>('POST', '/repos/acme/price-list/pulls', pull)
  const find = async () =>
    (await service.call<{ items: { id: number; number: number }[] }>('GET', `${at}/prs`)).items.find(
      (each) => each.number === number,
    )
  await until(async () => (await find()) !== undefined, 'GitHub has told of it')
  const refs = () => repository.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads')
  const before = await refs()
  const shown = await reviewed(await service.call('POST', `${at}/prs/${(await find())!.id}/reviews/request`, {}))
  assert.ok(shown.includes(commit), 'it works on the head of the fork')
  assert.equal(await refs(), before)
  assert.equal(await fork.git('rev-parse', 'mine'), commit)
  assert.partialDeepStrictEqual(repository.reviews, [{ commit }])
  const seen = JSON.stringify([await service.log((await runs())[0]!.id), model.requests.map(({ text }) => text)])
  for (const word of [secret, ...github.secrets()]) assert.ok(!seen.includes(word))
})

test('a pull request of the built-in host is reviewed there, with comments on its lines', async () => {
  const { id: repo_id } = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'shop',
    import_from: makeRepository({ ...total('0'), 'a.txt': 'a\n' }),
  })
  const made = await service.call<RunAnswer>('POST', `${at}/agent/run`, {
    prompt: 'Count',
    repo_id,
    agent_type: 'scripted',
    metadata: { script: [{ shell: 'echo "export const totalOf = () => 1" > total.js' }, { answer: 'Done.' }] },
  })
  await service.untilEnded(made.id)
  const { items } = await service.call<{ items: { id: number; head_commit: string }[] }>(
    'GET',
    `${at}/prs?run_id=${made.id}`,
  )
  const { id, head_commit: head } = items[0]!
  const shown = await reviewed(await service.call('POST', `${at}/prs/${id}/reviews/request`, {}))
  assert.ok(shown.includes(head))
  type Reviews = { items: { head_commit: string; comments: { path: string; line: number }[] }[] }
  const reviews = await service.call<Reviews>('GET', `${at}/prs/${id}/reviews`)
  assert.partialDeepStrictEqual(reviews.items, [{ head_commit: head, comments: [{ path: 'total.js', line: 1 }] }])
  assert.ok(existsSync(path.join(elsewhere, 'mirrors')) && !existsSync(path.join(elsewhere, 'git')))
})

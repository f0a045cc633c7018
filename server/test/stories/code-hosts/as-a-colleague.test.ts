import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startModelServer, type ScriptedReply } from '#test/model-server.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'
import { startOnGitHub } from './start-on-github.ts'

/** Commits a part of it by itself, and leaves the rest to the service; each time in other files. */
const commitsItself = (time: number): ScriptedReply[] => [
  {
    calls: [
      { name: 'shell', input: { command: `echo b > b${time} && git add b${time} && git commit -qm "By the agent"` } },
    ],
  },
  { calls: [{ name: 'write', input: { path: `c${time}`, content: 'c\n' } }] },
  { calls: [{ name: 'shell', input: { command: `cat c${time}` } }] },
  { calls: [{ name: 'finish', input: { title: 'Two files of a kind', summary: 'Two files more.', checks: [] } }] },
]
const model = await startModelServer((_, number) => commitsItself(Math.floor((number - 1) / 4))[(number - 1) % 4]!)
after(() => model.close())
const db = await testDb()
const { github, app, repository, repo, ada, service, at, untilRun, runs } = await startOnGitHub({
  databaseUrl: db.url,
  files: { 'a.txt': 'a\n' },
  env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-of-a-story' },
  defer: after,
})
repository.workflow = null

type Commit = { subject: string; author: string; committer: string; with: string[] }

/** What a run's branch holds beyond the base, oldest first. */
async function commitsOf(branch: unknown): Promise<Commit[]> {
  const separators = ['%s', '%an <%ae>', '%cn <%ce>', '%(trailers:key=Co-authored-by,valueonly)'].join('%x00')
  const text = await repository.git('log', '--reverse', `--format=${separators}%x01`, `main..${String(branch)}`)
  return text
    .split('\u0001')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [subject = '', author = '', committer = '', trailers = ''] = line.split('\0')
      return { subject, author, committer, with: trailers.split('\n').filter(Boolean) }
    })
}

const noreply = ({ id, login }: { id: number; login: string }) => `${login} <${id}+${login}@users.noreply.127.0.0.1>`

test('commits at GitHub are by the App’s own account, also those of the agent itself, and name who has asked there', async () => {
  const issue = await ada.ask<{ number: number }>('POST', '/repos/acme/price-list/issues', { title: 'More files' })
  await ada.ask('POST', `/repos/acme/price-list/issues/${issue.number}/comments`, { body: '@runwright see to it' })
  const { id } = await untilRun()
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error))
  const by = noreply(app.bot)
  assert.deepEqual(
    (await commitsOf(run.branch)).map(({ author, committer, with: others }) => [author, committer, others]),
    [
      [by, by, []],
      [by, by, [noreply(ada.account)]],
    ],
  )
})

test('the pull request says which issue it fixes, and only what was started from one does', async () => {
  const { id } = (await runs())[0]!
  const [issue] = [...repository.issues.values()].filter(({ pull }) => pull === null)
  const [pull] = [...repository.issues.values()].filter(({ pull }) => pull !== null)
  assert.equal(pull?.title, 'Two files of a kind')
  assert.match(pull?.body ?? '', new RegExp(`^Two files more.\n\nFixes #${issue?.number}\n\n---\n.*/${id}\\.`, 's'))
  const { id: other } = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt: 'Add two files',
    repo_id: repo.id,
  })
  const { github_pull_requests: opened } = await service.untilEnded(other)
  assert.doesNotMatch(repository.issues.get(opened[0]!.number)?.body ?? 'Fixes', /Fixes/)
})

test('a member who asks here is named there by the account that they have linked, and never by their address', async () => {
  const me = await service.call<{ id: number }>('GET', '/v1/users/me')
  const email = 'grace@private.example'
  await db.query('update users set email = $2 where id = $1', [me.id, email])
  const ask = async () => {
    const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
      prompt: 'Add two files',
      repo_id: repo.id,
    })
    const run = await service.untilEnded(id)
    assert.equal(run.status, 'completed', JSON.stringify(run.error))
    return (await commitsOf(run.branch)).at(-1)?.with
  }
  assert.deepEqual(await ask(), [])
  const account = { github_user_id: String(ada.account.id), github_username: 'ada' }
  await service.call('PATCH', `${at}/members/${me.id}`, account)
  assert.deepEqual(await ask(), [noreply(ada.account)])
  const all = await repository.git('log', '--all', '--format=%an %ae %cn %ce %B')
  assert.ok(!all.includes(email))
  assert.ok(!all.includes('runwright.invalid'))
})

test('the agent is told the template of pull requests, which is not lost where it was not written after', async () => {
  const template = '<!-- Say why. -->\n## Why\n\n## Checks\n\n- [ ] Tests were added\n'
  await ada.push(repository, { branch: 'main', files: { '.github/PULL_REQUEST_TEMPLATE.md': template } })
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, { prompt: 'Add two', repo_id: repo.id })
  const { github_pull_requests: opened } = await service.untilEnded(id)
  assert.match(model.requests.at(-1)?.text ?? '', /under the headings of the project's template.*Say why/s)
  const { body } = repository.issues.get(opened[0]!.number)!
  assert.match(
    body ?? '',
    /^Two files more\.\n\n## Why\n\n## Checks\n- \[ \] Tests were added\n\n---\nMade by an agent/,
  )
})

test('pull requests get the labels that the repository says, and are opened where the host refuses them', async () => {
  const labels = ['by an agent', 'needs review']
  const saved = await service.call<{ pull_settings: object }>('PATCH', `${at}/repos/${repo.id}`, {
    pull_settings: { labels: [...labels, labels[0]] },
  })
  assert.partialDeepStrictEqual(saved.pull_settings, { labels })
  const ask = async () => {
    const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
      prompt: 'Add two',
      repo_id: repo.id,
    })
    const { github_pull_requests: opened } = await service.untilEnded(id)
    const log = await service.log(id)
    const { observation } = log.find(({ message_type: type }) => type === 'INITIAL_PR_GENERATION')!
    return { labels: repository.issues.get(opened[0]!.number)!.labels, observation }
  }
  // What may go well at another try is tried again.
  github.fail({ kind: 'secondary_limit', retryAfterSeconds: 1 }, { on: /^POST .*\/labels$/ })
  const labelled = await ask()
  assert.deepEqual(labelled.labels, labels)
  assert.partialDeepStrictEqual(labelled.observation, { labels })
  github.fail({ kind: 'status', status: 403, message: 'Resource not accessible' }, { on: /^POST .*\/labels$/ })
  const refused = await ask()
  assert.deepEqual(refused.labels, [])
  assert.match(JSON.stringify(refused.observation), /labels_refused.*Resource not accessible/)
  await service.call('PATCH', `${at}/repos/${repo.id}`, { pull_settings: { labels: [] } })
})

test('who asks for the next turn is named besides who has begun', async () => {
  const bob = github.addPerson('bob')
  repository.roles.set(bob.account.id, 'write')
  const { id } = (await runs())[0]!
  const [number] = [...repository.issues.values()].flatMap((issue) => (issue.pull ? [] : [issue.number]))
  await bob.ask('POST', `/repos/acme/price-list/issues/${number}/comments`, { body: '@runwright once more' })
  await until(async () => {
    const run = await service.untilRun(id, () => true)
    return run['turn'] === 2 && run.status === 'completed'
  }, 'the second turn has ended')
  const run = await service.untilEnded(id)
  assert.deepEqual((await commitsOf(run.branch)).at(-1)?.with, [noreply(ada.account), noreply(bob.account)])
})

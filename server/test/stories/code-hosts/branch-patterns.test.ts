import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { untilReleased, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { startOnGitHub } from './start-on-github.ts'

const db = await testDb()
const { repository, repo, ada, service, at } = await startOnGitHub({
  databaseUrl: db.url,
  files: { 'a.txt': 'a\n' },
  defer: after,
})
repository.workflow = null

const setPattern = (pattern: string) =>
  service.ask('PATCH', `${at}/repos/${repo.id}`, { pull_settings: { branch_pattern: pattern } })
const begin = (title: string, ...script: object[]) =>
  service.play([...script, { answer: 'Done.' }], { repo_id: repo.id, title })
const write = (path: string) => ({ write: { path, content: `${path}\n` } })
const filesOf = async (branch: unknown) =>
  (await repository.git('ls-tree', '-r', '--name-only', String(branch))).split('\n')

async function play(title: string, ...script: object[]): Promise<RunAnswer> {
  const run = await service.untilEnded((await begin(title, ...script)).id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error))
  return run
}

test('branches of new runs are named as the repository says; a run that has one keeps it', async () => {
  assert.equal((await setPattern('feature/{run}-{title}')).status, 200)
  const run = await play('Add a page', write('b.txt'))
  assert.equal(run.branch, `feature/${run.id}-add-a-page`)
  assert.equal(run.github_pull_requests[0]?.head_branch_name, run.branch)
  await setPattern('other/{title}/{run}')
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: run.id, prompt: 'Once more' })
  await service.untilRun(run.id, (now) => now['turn'] === 2 && now.status === 'completed')
  assert.equal((await service.untilEnded(run.id)).branch, run.branch)
  assert.equal((await play('Add', write('c.txt'))).branch, `other/add/${run.id + 1}`)
})

test('a pattern that names no branch is refused with the reason, and changes nothing', async () => {
  for (const [pattern, reason] of [
    ['feature/{title}', /body\.pull_settings\.branch_pattern must contain \{run\} once/],
    ['x..y/{run}', /valid name of a branch/],
    ['main', /must contain/],
  ] as const) {
    const refused = await setPattern(pattern)
    assert.equal(refused.status, 400)
    assert.match(((await refused.json()) as { message: string }).message, reason)
  }
  const { pull_settings: settings } = await service.call<{ pull_settings: object }>('GET', `${at}/repos/${repo.id}`)
  assert.partialDeepStrictEqual(settings, { branch_pattern: 'other/{title}/{run}' })
})

test('no pattern gives a run the branch of another run, which it cannot push to either', async () => {
  await setPattern('x/{run}-{title}')
  const { id: last } = await play('Nothing')
  const [first, second] = [last + 1, last + 2]
  const theirs = `x/${first}-${second}`
  const held = await begin(String(second), write('first.txt'), { shell: untilReleased })
  const started = await service.untilRun(held.id, (run) => run.branch !== null)
  assert.equal(started.branch, theirs)

  // The same name, by another pattern, before the branch is pushed.
  await setPattern(`x/${first}-{run}`)
  const pushes = [theirs, `+${theirs}`, `:${theirs}`].map(
    (to) => `git push origin HEAD:${to.replace(/^[+:]/, '')} 2>&1`,
  )
  const attack = await play('Nothing', write('second.txt'), {
    shell: `git add -A; git commit -qm mine; ${pushes.join('; ')}; git push -f origin HEAD:${theirs} 2>&1; true`,
  })
  assert.equal(attack.id, second)
  assert.equal(attack.branch, `${theirs}-2`)
  const printed = (await service.log(attack.id)).map(({ tool_output: output }) => String(output?.['output'])).join('\n')
  assert.equal(printed.match(/this run may only push to x\/\d+-\d+-2\)/g)?.length, 4)

  service.release(held.id)
  const mine = await service.untilEnded(held.id)
  assert.equal(mine.status, 'completed', JSON.stringify(mine.error))
  assert.deepEqual(await filesOf(theirs), ['a.txt', 'first.txt'])
  assert.deepEqual(await filesOf(attack.branch), ['a.txt', 'second.txt'])
})

test('a branch that is there already is nobody’s to go on with unasked, and a folder of its name is no place', async () => {
  await setPattern('taken/{run}')
  const { id: last } = await play('Nothing')
  await ada.push(repository, { branch: `taken/${last + 1}`, from: 'main', files: { 'theirs.txt': 'x' } })
  const run = await play('Work', write('d.txt'))
  assert.equal(run.branch, `taken/${last + 1}-2`)
  assert.deepEqual(await filesOf(run.branch), ['a.txt', 'd.txt'])

  await ada.push(repository, { branch: 'feature-x', from: 'main', files: { 'theirs.txt': 'x' } })
  await setPattern('feature-x/{run}')
  const other = await play('Work', write('e.txt'))
  assert.equal(other.branch, `feature-x-${other.id}`)
  assert.deepEqual(await filesOf(other.branch), ['a.txt', 'e.txt'])
})

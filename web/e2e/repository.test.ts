import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makePublicKey } from '@runwright/server/test/make-public-key.ts'
import { openUi } from './open-ui.ts'

const ui = await openUi({ RUNWRIGHT_SSH_URL: 'ssh://git@git.example.com:2222' })
const { service, open, play, makeRepo } = ui
after(() => assert.deepEqual(ui.faults, []))
const organization = `/organizations/${service.organizationId}`
const api = `/v1${organization}`

type Repo = {
  id: number
  description: string | null
  default_engine: string | null
  setup_commands: string | null
  setup_required: boolean
  archived: boolean
  labels: string[]
  environment_secrets: string[]
  check_commands: { name: string; command: string }[]
  watched_branches: string[]
  review_pulls: string | null
  pull_settings: Record<string, unknown>
  branch_rules: object[]
}
const readRepo = (id: number) => service.call<Repo>('GET', `${api}/repos/${id}`)
const at = (id: number, section = 'setup') => `${organization}/repos/${id}?section=${section}`
const files = {
  'package.json': JSON.stringify({ name: 'ledger', private: true, scripts: { test: 'node --test' } }),
  'sum.test.js': "require('node:test')('adds', () => {})\n",
}

const addMember = async () => {
  const { id } = await service.call<{ id: number }>('POST', `${api}/members`, { full_name: 'Femi' })
  const body = { name: 'femi', user_id: id }
  return (await service.call<{ token: string }>('POST', `${api}/tokens`, body)).token
}

test('a repository has a page, found from the list', async () => {
  const id = await makeRepo('atlas', files)
  const page = await open(`${organization}/repos`)
  await page.getByRole('link', { name: 'atlas', exact: true }).click()
  await page.waitForURL(`${service.url}${organization}/repos/${id}`)
  await page.getByRole('heading', { name: 'Setup commands' }).waitFor()
  await page.getByLabel('Repository', { exact: true }).getByRole('link', { name: 'Checks' }).click()
  await page.getByRole('heading', { name: 'Auto-fix' }).waitFor()
  await page.goto(`${service.url}${organization}/repos/999999`)
  await page.locator('.empty').waitFor()
})

test('setup commands are found by a run, shown with what was tried, and accepted', async () => {
  const id = await makeRepo('found', files)
  const page = await open(at(id))
  await page.getByRole('button', { name: 'Find commands' }).click()
  await page.getByRole('link', { name: /^Watch run/ }).waitFor()
  const proposal = page.getByRole('article', { name: 'Proposal 1' })
  await proposal.getByText('Proposed').waitFor()
  await proposal.locator('summary', { hasText: 'npm test' }).first().click()
  await proposal.getByText('exit 0').first().waitFor()
  await proposal.getByRole('button', { name: 'Accept' }).click()
  await proposal.getByText('Accepted').waitFor()
  const { check_commands: checks } = await readRepo(id)
  assert.deepEqual(
    checks.map(({ name }) => name),
    ['test'],
  )
})

test('setup commands are written by hand, and saved', async () => {
  const id = await makeRepo('by-hand', files)
  const page = await open(at(id))
  await page.getByLabel('Commands', { exact: true }).fill('npm ci')
  await page.getByLabel('Fail the run if setup fails').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Not saved yet').waitFor({ state: 'detached' })
  const repo = await readRepo(id)
  assert.equal(repo.setup_commands, 'npm ci')
  assert.equal(repo.setup_required, false)
})

test('setup commands are tried as they are typed, and nothing of that is saved', async () => {
  const id = await makeRepo('tried', files)
  const page = await open(at(id))
  const commands = page.getByLabel('Commands', { exact: true })
  await commands.fill('echo ready; exit 3')
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await page.getByText('These commands failed.').waitFor()
  await page.locator('summary', { hasText: 'echo ready; exit 3' }).click()
  await page.getByText('exit 3').first().waitFor()
  await commands.fill('test -e package.json')
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await page.getByText('These commands passed.').waitFor()
  const { items } = await service.call<{ items: unknown[] }>('GET', `${api}/repos/${id}/setup-proposals`)
  assert.deepEqual([(await readRepo(id)).setup_commands, items], [null, []])
})

test('what a setup has left is listed, and removed', async () => {
  const id = await makeRepo('kept', files)
  await service.call('PATCH', `${api}/repos/${id}`, { setup_commands: 'mkdir -p node_modules && echo made' })
  const run = await play([{ shell: 'true' }, { answer: 'Done.' }], { repo_id: id })
  await service.untilEnded(run.id)
  const page = await open(at(id, 'snapshots'))
  const row = page.locator('.list li').first()
  await row.getByText('Ready').waitFor()
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No snapshots yet').waitFor()
})

test('checks, how they are fixed, and reviews are configured', async () => {
  const id = await makeRepo('checked', files)
  const page = await open(at(id, 'checks'))
  const checks = page.getByRole('form', { name: 'Checks' })
  await checks.getByRole('button', { name: 'Add a check' }).click()
  await checks.getByLabel('Name of check 1').fill('test')
  await checks.getByLabel('Command of check 1').fill('npm test')
  // A form: Enter saves it.
  await checks.getByLabel('Command of check 1').press('Enter')
  await checks.getByText('Not saved yet').waitFor({ state: 'detached' })
  const fixes = page.getByRole('form', { name: 'Auto-fix' })
  await fixes.getByLabel('Attempts per check').fill('x')
  await fixes.getByText('Enter a whole number.').waitFor()
  await fixes.getByLabel('Attempts per check').fill('5')
  await fixes.getByRole('button', { name: 'Add a rule for one check' }).click()
  await fixes.getByLabel('Check 1', { exact: true }).fill('lint')
  await fixes.getByLabel('Attempts for check 1').fill('1')
  await fixes.getByLabel('Instructions for check 1').fill('Run the formatter first.')
  await fixes.getByRole('button', { name: 'Save' }).click()
  await fixes.getByText('Not saved yet').waitFor({ state: 'detached' })
  const reviews = page.getByRole('form', { name: 'Reviews' })
  await reviews.getByLabel('Review pull requests').selectOption('opened')
  await reviews.getByLabel('Watched branches').fill('main\nrelease\n')
  await reviews.getByRole('button', { name: 'Save' }).click()
  await reviews.getByText('Not saved yet').waitFor({ state: 'detached' })
  const pulls = page.getByRole('form', { name: 'Pull requests' })
  await pulls.getByLabel('Open').selectOption('draft')
  await pulls.getByLabel('Branch names').fill('feature/{title}')
  await pulls.getByRole('button', { name: 'Save' }).click()
  await pulls.getByText('must contain {run} once').waitFor()
  await pulls.getByLabel('Branch names').fill('feature/{run}-{title}')
  await pulls.getByLabel('When checks pass').selectOption('squash')
  await pulls.getByRole('button', { name: 'Save' }).click()
  await pulls.getByText('Not saved yet').waitFor({ state: 'detached' })
  const rules = page.getByRole('form', { name: 'Branch rules' })
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  await rules.getByLabel('Branches').fill('main')
  await rules.getByLabel('Required checks').fill('test')
  await rules.getByLabel('Required approvals').fill('11')
  await rules.getByText('Enter a whole number from 0 to 10.').waitFor()
  await rules.getByLabel('Required approvals').fill('1')
  await rules.getByRole('button', { name: 'Save' }).click()
  await rules.getByText('Not saved yet').waitFor({ state: 'detached' })
  const repo = await readRepo(id)
  assert.deepEqual(repo.branch_rules, [
    {
      pattern: 'main',
      require_pull: true,
      required_checks: ['test'],
      required_approvals: 1,
      allow_force_push: false,
    },
  ])
  assert.partialDeepStrictEqual(repo.pull_settings, {
    draft_until_green: true,
    update_branch: 'merge',
    merge_when_green: 'squash',
    delete_branch: false,
    branch_pattern: 'feature/{run}-{title}',
    labels: [],
  })
  assert.deepEqual(repo.check_commands, [{ name: 'test', command: 'npm test' }])
  assert.deepEqual([repo.review_pulls, repo.watched_branches], ['opened', ['main', 'release']])
  const settings = await service.call('GET', `${api}/repos/check-suite-settings?repo_id=${id}`)
  assert.partialDeepStrictEqual(settings, {
    check_retry_count: 5,
    check_retry_counts: { lint: 1 },
    custom_prompts: { lint: 'Run the formatter first.' },
  })
})

test('what is typed into settings stays when they change elsewhere meanwhile, and the page says so', async () => {
  const id = await makeRepo('shared', files)
  const page = await open(at(id, 'checks'))
  const reviews = page.getByRole('form', { name: 'Reviews' })
  const watched = reviews.getByLabel('Watched branches')
  /** Somebody else saves these; the page reads them again because another of its forms is saved. */
  const changeElsewhere = async (body: object, check: string) => {
    await service.call('PATCH', `${api}/repos/${id}`, body)
    const checks = page.getByRole('form', { name: 'Checks' })
    await checks.getByRole('button', { name: 'Add a check' }).click()
    await checks
      .getByLabel(/^Name of check/)
      .last()
      .fill(check)
    await checks
      .getByLabel(/^Command of check/)
      .last()
      .fill('true')
    await checks.getByRole('button', { name: 'Save' }).click()
    await reviews.getByText('Someone else changed these settings meanwhile.').waitFor()
  }
  await watched.fill('mine')
  await changeElsewhere({ watched_branches: ['theirs'], review_pulls: 'opened' }, 'one')
  assert.equal(await watched.inputValue(), 'mine')
  // What nobody has touched here follows.
  assert.equal(await reviews.getByLabel('Review pull requests').inputValue(), 'opened')
  await reviews.getByRole('button', { name: 'Save', exact: true }).click()
  await reviews.getByText('Saved', { exact: true }).waitFor()
  await reviews.getByText('Someone else').waitFor({ state: 'detached' })
  const { watched_branches: branches, review_pulls: when } = await readRepo(id)
  assert.deepEqual([branches, when], [['mine'], 'opened'])
  await watched.fill('mine\nalso mine')
  await changeElsewhere({ watched_branches: ['theirs'] }, 'two')
  await reviews.getByRole('button', { name: 'Use the saved values' }).click()
  await reviews.getByText('Someone else').waitFor({ state: 'detached' })
  assert.equal(await watched.inputValue(), 'theirs')
})

test('.runwright.yml is shown as it is in effect, and each fault with its line', async () => {
  const id = await makeRepo('told', { '.runwright.yml': 'setup:\n  - npm ci\nchecks:\n  test: npm test\n' })
  const page = await open(at(id, 'file'))
  await page.getByText('test: npm test').waitFor()
  const wrong = await makeRepo('mistold', { '.runwright.yml': 'setup:\n  - npm ci\nchekcs:\n  test: npm test\n' })
  await page.goto(service.url + at(wrong, 'file'))
  const errors = page.getByLabel('Errors', { exact: true })
  await errors.getByText('Line 3').waitFor()
  await errors.getByText('"chekcs"').waitFor()
})

test('rules are written', async () => {
  const id = await makeRepo('ruled', files)
  const page = await open(at(id, 'rules'))
  await page.getByLabel('Rules of the organization').fill('Money is counted in cents.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Not saved yet').waitFor({ state: 'detached' })
  assert.deepEqual(await service.call('GET', `${api}/rules`), { rules: 'Money is counted in cents.' })
})

test('a secret is added, given to every command, replaced and removed; its value is never shown', async () => {
  const id = await makeRepo('kept-secret', files)
  const page = await open(at(id, 'secrets'))
  await page.getByRole('button', { name: 'Add a secret' }).click()
  await page.getByLabel('Name').fill('NPM_TOKEN')
  await page.getByLabel('Value').fill('short')
  await page.getByText('At least 8 characters.').waitFor()
  await page.getByLabel('Value').fill('a-long-enough-value')
  await page.getByLabel('Value').press('Enter')
  const row = page.locator('.list li', { hasText: 'NPM_TOKEN' })
  await row.getByRole('switch').click()
  await row.locator('input:checked').waitFor()
  assert.deepEqual((await readRepo(id)).environment_secrets, ['NPM_TOKEN'])
  assert.equal(await page.getByText('a-long-enough-value').count(), 0)
  await row.getByRole('button', { name: 'Replace' }).click()
  await page.getByLabel('Value').fill('another-long-value')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No secrets yet').waitFor()
})

test('a deploy key is added, shown with its fingerprint and how to clone with it, and removed', async () => {
  const id = await makeRepo('deployed', files)
  const page = await open(at(id, 'deploy-keys'))
  await page.getByText(/^git clone ssh:\/\/git@git\.example\.com:2222\/\d+\/deployed\.git$/).waitFor()
  await page.getByRole('button', { name: 'Add a deploy key' }).click()
  await page.getByLabel('Title').fill('Build server')
  await page.getByLabel('Public key').fill('ssh-ed25519 AAAA')
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.getByText('This public key is damaged.').waitFor()
  await page.getByLabel('Public key').fill(`${makePublicKey()} ada@example.com`)
  await page.getByLabel('Allow pushes').check()
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const row = page.locator('.list li', { hasText: 'Build server' })
  await row.getByText(/^SHA256:/).waitFor()
  await row.getByText('Read and push').waitFor()
  await row.getByText('never used').waitFor()
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove key' }).click()
  await page.getByText('No deploy keys').waitFor()
})

test('what the network refused is listed, and allowed from there', async () => {
  const id = await makeRepo('networked', files)
  const run = await play([{ shell: 'curl -s -m 5 https://fonts.example/a.css || true' }, { answer: 'Done.' }], {
    repo_id: id,
  })
  await service.untilEnded(run.id)
  const page = await open(at(id, 'network'))
  const row = page.locator('.list li', { hasText: 'fonts.example' })
  await row.getByText('host not allowed').waitFor()
  // What is typed and checked before stays.
  await page.getByLabel('Allowed hosts').fill('icons.example')
  await page.getByLabel('npm').check()
  await row.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Not saved yet').waitFor({ state: 'detached' })
  assert.partialDeepStrictEqual(await service.call<object>('GET', `${api}/repos/${id}/egress`), {
    allow: ['icons.example', 'fonts.example'],
    presets: ['npm'],
  })
})

test('a host that cannot be allowed is refused where it was typed', async () => {
  const id = await makeRepo('mistyped', files)
  const page = await open(at(id, 'network'))
  await page.getByLabel('Allowed hosts').fill('not a host')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('form', { name: 'Network' }).getByRole('alert').waitFor()
})

test('a repository is described, labeled, archived and removed', async () => {
  const id = await makeRepo('gone', files)
  const page = await open(at(id, 'general'))
  await page.getByLabel('Description').fill('Counts money.')
  await page.getByLabel('Default engine').selectOption('repair')
  await page.getByLabel('Worker labels').fill('gpu')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Not saved yet').waitFor({ state: 'detached' })
  const composer = await open(`/runs/${service.organizationId}`)
  await composer.getByLabel('Repository', { exact: true }).selectOption('gone')
  await composer.getByRole('option', { name: 'Default engine (repair)' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await page.getByRole('button', { name: 'Unarchive' }).waitFor()
  assert.partialDeepStrictEqual(await readRepo(id), {
    description: 'Counts money.',
    labels: ['gpu'],
    default_engine: 'repair',
    archived: true,
  })
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByRole('button', { name: 'Remove' }).isDisabled(), true)
  await dialog.getByText('Its runs and their logs stay').waitFor()
  await dialog.getByLabel('Delete its runs, too').check()
  await dialog.getByText('What its runs cost stays in the usage').waitFor()
  await dialog.getByLabel('Type gone to confirm').fill('gone')
  await dialog.getByLabel('Type gone to confirm').press('Enter')
  await page.waitForURL(`${service.url}${organization}/repos`)
  await page.getByRole('link', { name: 'gone', exact: true }).waitFor({ state: 'detached' })
})

test('members read the settings and are not offered what they may not do', async () => {
  const id = await makeRepo('read-only', files)
  const page = await open(at(id), { token: await addMember() })
  await page.getByText('Only managers can change this.').waitFor()
  assert.equal(await page.getByLabel('Commands', { exact: true }).isDisabled(), true)
  const go = (name: string) => page.getByLabel('Repository', { exact: true }).getByRole('link', { name }).click()
  await go('Secrets')
  await page.getByText('Only managers can see secrets').waitFor()
  await go('Network')
  await page.getByText('Only admins can change this.').waitFor()
  await go('General')
  await page.getByText('Only managers can change this.').waitFor()
  assert.equal(await page.getByRole('button', { name: /Archive|Remove|Save/ }).count(), 0)
})

test('pull requests and issues are found from the repository, without a run', async () => {
  const id = await makeRepo('listed', files)
  const run = await play([{ write: { path: 'a.txt', content: 'one\n' } }, { answer: 'Written.', title: 'Adds one' }], {
    repo_id: id,
  })
  await service.untilEnded(run.id)
  await service.call('POST', `${api}/repos/${id}/issues`, { title: 'It counts wrong', body: '' })
  const page = await open(at(id))
  const nav = page.getByLabel('Repository', { exact: true })
  await nav.getByRole('link', { name: 'Pull requests' }).click()
  await page.getByRole('link', { name: 'Adds one' }).waitFor()
  await page.getByRole('link', { name: 'Closed' }).click()
  await page.getByText('No closed pull requests').waitFor()
  await page.getByRole('link', { name: 'All' }).click()
  await page.getByRole('link', { name: 'Adds one' }).click()
  await page.getByRole('heading', { name: 'Adds one' }).waitFor()
  await page.goBack()
  await nav.getByRole('link', { name: 'Issues' }).click()
  await page.getByRole('link', { name: 'It counts wrong' }).waitFor()
  await page.getByRole('button', { name: 'New issue' }).click()
  await page.getByLabel('Title').fill('Another one')
  await page.getByLabel('Title').press('Enter')
  await page.getByRole('heading', { name: 'Another one' }).waitFor()
})

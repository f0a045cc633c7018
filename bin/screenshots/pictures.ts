import type { Page } from 'playwright-core'
import type { Look } from './looks.ts'
import type { PictureWorld } from './make-world.ts'
import type { PlayedRuns } from './play-runs.ts'

export type Picture = {
  name: string
  path: string
  look?: Look
  /** There when the page stands. */
  until: string
  act?: (page: Page) => Promise<unknown>
  /** Of somebody who has signed in: an ADMIN, unless said otherwise. */
  as?: 'member' | 'nobody'
}

/** Of one page: light, dark, in a narrow window, and on a phone. `first` is done once, and seen in all of them. */
const inEachLook = (picture: Picture, first?: Picture['act']): Picture[] => [
  first ? { ...picture, act: first } : picture,
  { ...picture, name: `${picture.name}-dark`, look: 'dark' },
  { ...picture, name: `${picture.name}-narrow`, look: 'narrow' },
  { ...picture, name: `${picture.name}-phone`, look: 'phone' },
]

/** Each page in each state that matters. */
export const pictures = (world: PictureWorld): Picture[] => [
  ...inEachLook({ name: 'sign-in', path: '/sign-in', until: '#token', as: 'nobody' }),
  ...inEachLook({ name: 'home', path: '/?all=true', until: '.home .list' }),
  ...inEachLook({ name: 'start', path: `/organizations/${world.newcomersId}/start`, until: '.first-steps' }),
  ...inEachLook({ name: 'inbox', path: '/organizations/1/inbox', until: '.panel.list' }),
  ...picturesOfRuns(world.runs),
  ...picturesOfPulls(world),
  ...picturesOfIssues(world),
  ...picturesOfRepositories(),
  ...picturesOfRepository(world),
  ...picturesOfOrganization(world),
  ...inEachLook({ name: 'tokens', path: '/organizations/1/tokens', until: '.section', act: makeToken }),
  { name: 'not-found', path: '/runs/1/999999', until: '.empty' },
]

const picturesOfRuns = (runs: PlayedRuns): Picture[] => {
  const run = (name: keyof PlayedRuns, more = '') => `/runs/1/${runs[name]}${more}`
  return [
    ...inEachLook({ name: 'runs', path: '/runs/1', until: '.run-row .ribbon rect' }),
    { name: 'runs-none', path: '/runs/1?q=nowhere', until: '.empty' },
    {
      name: 'runs-start',
      path: '/runs/1',
      until: '.run-row .ribbon rect',
      act: (page) => page.getByRole('button', { name: 'More settings' }).click(),
    },
    ...inEachLook({
      name: 'compare',
      path: `/runs/1/compare?a=${runs.done}&b=${runs.stuck}`,
      until: '.compare td',
    }),
    ...inEachLook({ name: 'run', path: run('live'), until: '.caret' }),
    { name: 'run-reader', path: run('live', '?view=reader'), until: '.entry' },
    { name: 'run-timeline', path: run('live', '?view=timeline'), until: '.entry' },
    { name: 'run-entry', path: run('live', '#s8'), until: '.entry.at' },
    { name: 'run-stop', path: run('live'), until: '.caret', act: (page) => page.keyboard.press('.') },
    { name: 'run-palette', path: run('live'), until: '.caret', act: (page) => page.keyboard.press('Control+k') },
    { name: 'run-away', path: run('live'), until: '.caret', act: loseConnection },
    ...inEachLook({ name: 'run-question', path: run('question'), until: '.option' }),
    { name: 'run-plan', path: run('plan'), until: '.ask' },
    { name: 'run-done', path: run('done', '#s7'), until: '.card.answer' },
    ...inEachLook({ name: 'run-failed', path: run('failed'), until: '.entry' }),
    ...inEachLook({ name: 'run-changes', path: run('done', '?tab=changes'), until: '.diff-files' }),
    ...inEachLook({
      name: 'run-sandbox',
      path: run('failed', '?tab=sandbox'),
      until: '.sandbox .list',
      act: (page) => page.locator('.sandbox summary', { hasText: 'generate.sh' }).click(),
    }),
    ...inEachLook({ name: 'run-replay', path: run('done', '?tab=replay&step=4'), until: '.replay-step' }),
    { name: 'run-json', path: run('done', '?tab=json'), until: '.json' },
  ]
}

const pulls = '/organizations/1/repos/1/pulls'

const picturesOfPulls = ({
  pulls: { done, stuck, barred, elsewhere },
  storefrontId,
  github,
}: PictureWorld): Picture[] => [
  ...inEachLook({ name: 'pulls', path: `${pulls}?state=all`, until: '.list' }),
  ...inEachLook({ name: 'pull', path: `${pulls}/${done}`, until: '.check-row' }),
  ...inEachLook({ name: 'pull-files', path: `${pulls}/${done}?tab=files`, until: '.diff-files' }, speakOfLine),
  ...inEachLook({ name: 'pull-stuck', path: `${pulls}/${stuck}`, until: '.check-row', act: readFailedCheck }),
  { name: 'pull-banned', path: `${pulls}/${barred}`, until: '.ci-fixer' },
  { name: 'pull-member', path: `${pulls}/${barred}`, until: '.ci-fixer', as: 'member', act: scrollToMerge },
  {
    name: 'pull-on-github',
    path: `/organizations/1/repos/${storefrontId}/pulls/${elsewhere}`,
    until: '.pull section.panel',
  },
  {
    name: 'pull-away',
    path: `/organizations/1/repos/${storefrontId}/pulls/${elsewhere}`,
    until: '.pull section.panel',
    act: async (page) => {
      github.fail({ kind: 'status', status: 503 }, { times: 1_000, on: /\/comments/ })
      await page.reload()
      await page.getByText('can’t be reached right now').waitFor()
    },
  },
]

const picturesOfIssues = ({ issue }: PictureWorld): Picture[] => [
  ...inEachLook({ name: 'issues', path: '/organizations/1/repos/1/issues', until: '.list' }),
  ...inEachLook({ name: 'issue', path: `/organizations/1/repos/1/issues/${issue}`, until: '.comment' }),
  {
    name: 'issue-open',
    path: '/organizations/1/repos/1/issues',
    until: '.list',
    act: (page) => page.getByRole('button', { name: 'New issue' }).click(),
  },
]

const hosts = '[aria-labelledby=code-hosts] .list'

const picturesOfRepositories = (): Picture[] => [
  ...inEachLook({ name: 'repositories', path: '/organizations/1/repos', until: hosts }),
  { name: 'repositories-member', path: '/organizations/1/repos', until: '.list', as: 'member' },
  ...inEachLook({
    name: 'connect-github',
    path: '/organizations/1/repos',
    until: hosts,
    act: (page) => page.getByRole('button', { name: 'Connect GitHub' }).click(),
  }),
  {
    name: 'connect-github-by-token',
    path: '/organizations/1/repos',
    until: hosts,
    act: async (page) => {
      await page.getByRole('button', { name: 'Connect GitHub' }).click()
      await page.getByLabel('A personal access token').check()
    },
  },
]

/** Each page about an organization, with what tells that it is drawn. */
const picturesOfOrganization = ({ comparison }: PictureWorld): Picture[] =>
  Object.entries({
    settings: 'form',
    workers: '.list',
    audit: '.list',
    mcp: '.list',
    'model-providers': '.list',
    engines: '.list',
    comparisons: '.list',
    [`comparisons/${comparison}`]: 'td',
  }).flatMap(([page, until]) =>
    inEachLook({
      name: page.replace(/s\/\d+$/, ''),
      path: `/organizations/1/${page}`,
      until: `#main ${until}`,
    }),
  )

/** Its settings, one section at a time, each with what tells that it is drawn. */
const picturesOfRepository = ({ configuredId }: PictureWorld): Picture[] =>
  Object.entries({
    setup: 'article',
    snapshots: '.panel.list',
    checks: '[aria-labelledby=check-fixes] form',
    rules: 'textarea',
    secrets: '.list',
    network: '.list',
    'deploy-keys': '.list',
    file: '.kv',
    general: 'form',
  }).flatMap(([section, until]) =>
    inEachLook({
      name: `repository-${section}`,
      path: `/organizations/1/repos/${configuredId}?section=${section}`,
      until: `#main ${until}`,
    }),
  )

/** What a failing check has printed. */
async function readFailedCheck(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log of tests' }).click()
  await page.locator('.check-row pre').waitFor()
  await page.locator('.check-row pre').scrollIntoViewIfNeeded()
}

async function scrollToMerge(page: Page): Promise<void> {
  await page.getByText('Only a MANAGER of this organization can merge').scrollIntoViewIfNeeded()
}

/** Is about to make one; a token itself is in no picture. */
async function makeToken(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create a token' }).click()
  await page.getByLabel('Name').fill('Nightly sweep')
}

/** Says something of a line. */
async function speakOfLine(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Comment on line 5' }).click()
  await page.getByRole('textbox', { name: 'Comment on line 5' }).fill('Which columns are there when nothing was sold?')
  await page.keyboard.press('Control+Enter')
  await page.locator('.line-talk article').waitFor()
}

/** The page is told that every connection of it has ended, and makes no new one. */
async function loseConnection(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.locator('.strip').waitFor({ timeout: 60_000 })
}

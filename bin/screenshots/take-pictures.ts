import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { PictureWorld } from './make-world.ts'
import type { PlayedRuns } from './play-runs.ts'

type TakePictures = { browser: Browser; folder: string; url: string; token: string; world: PictureWorld }

type Picture = {
  name: string
  path: string
  look?: 'light' | 'dark' | 'phone'
  /** There when the page stands. */
  until: string
  act?: (page: Page) => Promise<unknown>
  /** Of somebody who has signed in: an ADMIN, unless said otherwise. */
  as?: 'member' | 'nobody'
}

const looks: Record<'light' | 'dark' | 'phone', BrowserContextOptions> = {
  light: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
}

/** Of one page: how it looks in the light, in the dark and on a phone. */
const inEachLook = (picture: Picture): Picture[] => [
  picture,
  { ...picture, name: `${picture.name}-dark`, look: 'dark' },
  { ...picture, name: `${picture.name}-phone`, look: 'phone' },
]

/** Each page in each state that matters. */
const pictures = (world: PictureWorld): Picture[] => [
  { name: 'sign-in', path: '/sign-in', until: '#token', as: 'nobody' },
  { name: 'sign-in-phone', path: '/sign-in', look: 'phone', until: '#token', as: 'nobody' },
  ...picturesOfRuns(world.runs),
  ...picturesOfPulls(world),
  ...picturesOfIssues(world),
  ...picturesOfRepositories(),
  ...inEachLook({ name: 'tokens', path: '/organizations/1/tokens', until: '.section', act: makeToken }),
  { name: 'not-found', path: '/runs/1/999999', until: '.empty' },
]

const picturesOfRuns = (runs: PlayedRuns): Picture[] => {
  const run = (name: keyof PlayedRuns, more = '') => `/runs/1/${runs[name]}${more}`
  return [
    { name: 'runs', path: '/runs/1', until: '.run-row .ribbon rect' },
    { name: 'runs-dark', path: '/runs/1', look: 'dark', until: '.run-row .ribbon rect' },
    { name: 'runs-phone', path: '/runs/1', look: 'phone', until: '.run-row .ribbon rect' },
    { name: 'runs-none', path: '/runs/1?q=nowhere', until: '.empty' },
    {
      name: 'runs-start',
      path: '/runs/1',
      until: '.run-row .ribbon rect',
      act: (page) => page.getByRole('button', { name: 'More settings' }).click(),
    },
    { name: 'run', path: run('live'), until: '.caret' },
    { name: 'run-dark', path: run('live'), look: 'dark', until: '.caret' },
    { name: 'run-phone', path: run('live'), look: 'phone', until: '.caret' },
    { name: 'run-reader', path: run('live', '?view=reader'), until: '.entry' },
    { name: 'run-timeline', path: run('live', '?view=timeline'), until: '.entry' },
    { name: 'run-entry', path: run('live', '#s8'), until: '.entry.at' },
    { name: 'run-stop', path: run('live'), until: '.caret', act: (page) => page.keyboard.press('.') },
    { name: 'run-palette', path: run('live'), until: '.caret', act: (page) => page.keyboard.press('Control+k') },
    { name: 'run-away', path: run('live'), until: '.caret', act: loseConnection },
    { name: 'run-question', path: run('question'), until: '.option' },
    { name: 'run-question-dark', path: run('question'), look: 'dark', until: '.option' },
    { name: 'run-plan', path: run('plan'), until: '.ask' },
    { name: 'run-done', path: run('done', '#s7'), until: '.card.answer' },
    { name: 'run-failed', path: run('failed'), until: '.entry' },
    { name: 'run-changes', path: run('done', '?tab=changes'), until: '.diff-files' },
    { name: 'run-changes-dark', path: run('done', '?tab=changes'), look: 'dark', until: '.diff-files' },
    { name: 'run-json', path: run('done', '?tab=json'), until: '.json' },
  ]
}

const pulls = '/organizations/1/repos/1/pulls'

const picturesOfPulls = ({
  pulls: { done, stuck, barred, elsewhere },
  storefrontId,
  github,
}: PictureWorld): Picture[] => [
  ...inEachLook({ name: 'pull', path: `${pulls}/${done}`, until: '.check-row' }),
  { name: 'pull-files', path: `${pulls}/${done}?tab=files`, until: '.diff-files', act: speakOfLine },
  { name: 'pull-files-dark', path: `${pulls}/${done}?tab=files`, look: 'dark', until: '.diff-files' },
  { name: 'pull-files-phone', path: `${pulls}/${done}?tab=files`, look: 'phone', until: '.diff-files' },
  ...inEachLook({ name: 'pull-stuck', path: `${pulls}/${stuck}`, until: '.check-row', act: readFailedCheck }),
  { name: 'pull-banned', path: `${pulls}/${barred}`, until: '.pull-agent' },
  { name: 'pull-member', path: `${pulls}/${barred}`, until: '.pull-agent', as: 'member', act: scrollToMerge },
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

/** Says something of a line; the pictures after this one show it. */
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

/** The pictures name a company's GitHub, and not the address of what stands in for it on this machine. */
async function showAsGitHub(page: Page, standIn: string): Promise<void> {
  await page.route('**/v1/organizations/1/{integrations,prs}*', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(standIn, 'https://github.fernhill.example')
    await route.fulfill({ response, body })
  })
}

export async function takePictures({ browser, folder, url, token, world }: TakePictures): Promise<void> {
  for (const { name, path: address, look = 'light', until, act, as } of pictures(world)) {
    await using context = await browser.newContext({ ...looks[look], reducedMotion: 'reduce' })
    const page = await context.newPage()
    await showAsGitHub(page, world.github.url)
    const data = { token: as === 'member' ? world.memberToken : token }
    if (as !== 'nobody') await page.request.post(`${url}/v1/session`, { data, headers: { origin: url } })
    await page.goto(url + address)
    await page.locator(until).first().waitFor()
    await page.evaluate('document.fonts.ready.then(() => null)')
    await act?.(page)
    // What was asked for last is drawn.
    await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => {})
    await page.screenshot({ path: path.join(folder, `${name}.png`) })
    // What is under way ends with the page.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    process.stdout.write(`${name}\n`)
  }
}

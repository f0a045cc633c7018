import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { PlayedRuns } from './play-runs.ts'

type TakePictures = { browser: Browser; folder: string; url: string; token: string; runs: PlayedRuns }

type Picture = {
  name: string
  path: string
  look?: 'light' | 'dark' | 'phone'
  /** There when the page stands. */
  until: string
  act?: (page: Page) => Promise<unknown>
  isSignedOut?: boolean
}

const looks: Record<'light' | 'dark' | 'phone', BrowserContextOptions> = {
  light: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true },
}

const pull = '/organizations/1/repos/1/pulls/1'

/** Each page in each state that matters. */
const pictures = (runs: PlayedRuns): Picture[] => {
  const run = (name: keyof PlayedRuns, more = '') => `/runs/1/${runs[name]}${more}`
  return [
    { name: 'sign-in', path: '/sign-in', until: '#token', isSignedOut: true },
    { name: 'sign-in-phone', path: '/sign-in', look: 'phone', until: '#token', isSignedOut: true },
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
    { name: 'run-changes', path: run('done', '?tab=changes'), until: '.diff' },
    { name: 'run-changes-dark', path: run('done', '?tab=changes'), look: 'dark', until: '.diff' },
    { name: 'run-json', path: run('done', '?tab=json'), until: '.json' },
    { name: 'pull', path: pull, until: '.pull .panel' },
    { name: 'pull-files', path: `${pull}?tab=files`, until: '.diff', act: speakOfLine },
    { name: 'pull-files-dark', path: `${pull}?tab=files`, look: 'dark', until: '.diff' },
    { name: 'pull-phone', path: pull, look: 'phone', until: '.pull .panel' },
    { name: 'repositories', path: '/organizations/1/repos', until: '.list' },
    { name: 'tokens', path: '/organizations/1/tokens', until: '.section', act: makeToken },
    { name: 'not-found', path: '/runs/1/999999', until: '.empty' },
  ]
}

/** Is about to make one; a token itself is in no picture. */
async function makeToken(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Make a token' }).click()
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

export async function takePictures({ browser, folder, url, token, runs }: TakePictures): Promise<void> {
  for (const { name, path: address, look = 'light', until, act, isSignedOut = false } of pictures(runs)) {
    await using context = await browser.newContext({ ...looks[look], reducedMotion: 'reduce' })
    const page = await context.newPage()
    if (!isSignedOut) await page.request.post(`${url}/v1/session`, { data: { token }, headers: { origin: url } })
    await page.goto(url + address)
    await page.locator(until).first().waitFor()
    await page.evaluate('document.fonts.ready.then(() => null)')
    await act?.(page)
    // What was asked for last is drawn.
    await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => {})
    await page.screenshot({ path: path.join(folder, `${name}.png`) })
    process.stdout.write(`${name}\n`)
  }
}

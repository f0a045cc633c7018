import os from 'node:os'
import path from 'node:path'
import { after, afterEach } from 'node:test'
import { commitEach } from '@runwright/server/test/commit-to.ts'
import { makeRepository } from '@runwright/server/test/example-repository.ts'
import { waitMsMax } from '@runwright/server/test/pauses.ts'
import { startService, type RunAnswer, type Service } from '@runwright/server/test/service.ts'
import { testDb } from '@runwright/server/test/test-db.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from './open-browser.ts'

export type Ui = {
  service: Service
  db: Awaited<ReturnType<typeof testDb>>
  browser: Browser
  /** A page of somebody who has signed in, in a browser of their own: of whoever made the organization, or of whose token it is. */
  open: (path: string, options?: BrowserContextOptions & { token?: string }) => Promise<Page>
  /** Starts a run that plays this script. */
  play: (script: object[], more?: object) => Promise<RunAnswer>
  /** A repository with these files, and with these branches besides `main`. */
  makeRepo: (name: string, files: Record<string, string>, branches?: string[]) => Promise<number>
  /** A page of somebody who has not signed in. */
  openNew: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** Faults of pages that nobody has asked for: of scripts, of the content security policy, requests to elsewhere. */
  faults: string[]
}

/** The service as it is, and a browser in front of it. Call once at the top of a file. */
export async function openUi(env: Record<string, string> = {}, { isWhole = false } = {}): Promise<Ui> {
  const db = await testDb()
  const service = await startService({
    databaseUrl: db.url,
    env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), RUNWRIGHT_RATE_LIMITS: noLimits, ...env },
  })
  const browser = await openBrowser({ isWhole })
  after(() => browser.close())
  // A page that is left open goes on drawing what it follows, and takes the time of the next test.
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  const at = `/v1/organizations/${service.organizationId}`
  const faults: string[] = []
  const makePage = async (options: BrowserContextOptions) => {
    const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
    // Machines may be slow; what never comes fails all the same.
    page.setDefaultTimeout(waitMsMax)
    watch(page, { url: service.url, faults })
    return page
  }
  return {
    service,
    db,
    browser,
    faults,
    openNew: async (path, options = {}) => {
      const page = await makePage(options)
      await page.goto(service.url + path)
      return page
    },
    open: async (path, { token = service.token, ...options } = {}) => {
      const page = await makePage(options)
      await page.request.post(`${service.url}/v1/session`, { data: { token }, headers: { origin: service.url } })
      await page.goto(service.url + path)
      return page
    },
    play: (script, more = {}) =>
      service.call<RunAnswer>('POST', `${at}/agent/run`, {
        prompt: 'Play',
        agent_type: 'scripted',
        metadata: { script },
        ...more,
      }),
    makeRepo: async (name, files, branches = []) => {
      const source = makeRepository(files)
      if (branches.length)
        commitEach(
          path.join(source, '.git'),
          branches.map((branch) => ({ branch, from: 'main', files: {} })),
        )
      const made = await service.call<{ id: number }>('POST', `${at}/repos`, { name, import_from: source })
      return made.id
    },
  }
}

const noLimits = 'standard=0,creation=0,logs=0,setup=0,analysis=0,session=0'

function watch(page: Page, { url, faults }: { url: string; faults: string[] }): void {
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // A refused request says so there; what it means is the page's business.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(?:data|blob):/.test(request.url())) faults.push(`asked ${request.url()}`)
  })
}

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openUi } from './open-ui.ts'

const kB = 1_000
/** What a page may load of script before it can be used, as it is sent. */
const scriptBytesMax = 150 * kB
/** Of pages that show code, with what colors it loaded later still. */
const codeScriptBytesMax = 184 * kB
/** Chromium counts anything up to 0.1 as good; below this nobody sees a thing move. */
const shiftMax = 0.01

const { service, browser, play, makeRepo, faults } = await openUi()
after(() => assert.deepEqual(faults, []))
const organization = `/organizations/${service.organizationId}`
const runs = `/runs/${service.organizationId}`

const repoId = await makeRepo('ledger', { 'a.ts': 'export const one = 1\n' })
const run = await play(
  [
    { plan: ['Look', 'Write'] },
    { think: 'I look around.' },
    { write: { path: 'a.ts', content: 'export const one = 2\n' } },
    { shell: 'echo done' },
    { answer: 'Written.', title: 'Two', body: 'Two.' },
  ],
  { repo_id: repoId },
)
await service.untilEnded(run.id)

const pages: Record<string, { path: string; until: string }> = {
  runs: { path: runs, until: '.run-row' },
  run: { path: `${runs}/${run.id}`, until: 'h1' },
  'pull request': { path: `${organization}/repos/${repoId}/pulls/1`, until: 'h1' },
  repositories: { path: `${organization}/repos`, until: 'h1' },
  tokens: { path: `${organization}/tokens`, until: 'h1' },
}

for (const [name, { path, until }] of Object.entries(pages))
  test(`${name}: little script before it can be used, and nothing moves while it loads`, async () => {
    const page = await openFresh()
    await page.addInitScript(watchShifts)
    const sent: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script' || isUsable) return
      sent.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      )
    })
    let isUsable = false
    await page.goto(service.url + path)
    await page.locator(until).first().waitFor()
    isUsable = true
    const bytes = (await Promise.all(sent)).reduce((sum, one) => sum + one, 0)
    // What comes late, such as the answers of other requests, may not move anything either.
    await page.waitForTimeout(1_500)
    const { shift, moved } = await readShifts(page)
    console.log(`${name}: ${(bytes / kB).toFixed()} kB of script, layout shift ${shift.toFixed(4)}`)
    const most = ['run', 'pull request'].includes(name) ? codeScriptBytesMax : scriptBytesMax
    assert.ok(bytes > 0 && bytes <= most, `${bytes} bytes of script`)
    assert.ok(shift <= shiftMax, `layout shift of ${shift}: ${moved.join(', ')}`)
  })

/** A browser that has nothing of ours yet, of somebody who is signed in. */
async function openFresh(): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  const data = { token: service.token }
  await page.request.post(`${service.url}/v1/session`, { data, headers: { origin: service.url } })
  return page
}

type Shifts = { shift: number; moved: string[] }
type ShiftEntry = PerformanceEntry & {
  value: number
  sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** Runs in the page, before its own scripts. */
function watchShifts(): void {
  // The code of other pages is fetched when there is nothing else to do; here there never is.
  globalThis.requestIdleCallback = () => 0
  const found: Shifts = Object.assign(globalThis, { shift: 0, moved: [] })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as ShiftEntry[]) {
      found.shift += entry.value
      found.moved.push(
        ...entry.sources.map(
          ({ node, previousRect: a, currentRect: b }) =>
            `${node?.nodeName}.${node?.className} "${node?.textContent?.slice(0, 20)}" ${a.x},${a.y} ${a.width}x${a.height} to ${b.x},${b.y} ${b.width}x${b.height}`,
        ),
      )
    }
  })
  observer.observe({ type: 'layout-shift', buffered: true })
}

const readShifts = (page: Page) =>
  page.evaluate((): Shifts => {
    const { shift, moved } = globalThis as unknown as Shifts
    return { shift, moved }
  })

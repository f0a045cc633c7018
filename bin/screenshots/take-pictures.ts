import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { looks } from './looks.ts'
import type { PictureWorld } from './make-world.ts'
import { pictures } from './pictures.ts'

type TakePictures = {
  browser: Browser
  folder: string
  url: string
  token: string
  world: PictureWorld
  /** Takes only those whose names begin with one of these, where there are any. */
  only: string[]
}

/** Words stay sharp, at a third of the size of a PNG. */
const quality = 85

/** The pictures name a company's GitHub and its worker, and not this machine, nor what stands in for GitHub on it. */
async function nameAsCompany(page: Page, standIn: string): Promise<void> {
  await page.route('**/v1/organizations/1/{engines,integrations,prs,sandboxes}*', async (route) => {
    const response = await route.fetch()
    const text = (await response.text()).replaceAll(standIn, 'https://github.fernhill.example')
    await route.fulfill({ response, body: text.replace(/"(worker|machine)":"[^"]*"/g, '"$1":"worker-1"') })
  })
}

export async function takePictures({ browser, folder, url, token, world, only }: TakePictures): Promise<void> {
  for (const { name, path: address, look = 'light', until, act, as } of pictures(world)) {
    if (only.length && !only.some((begin) => name.startsWith(begin))) continue
    await using context = await browser.newContext({ ...looks[look], reducedMotion: 'reduce' })
    const page = await context.newPage()
    await nameAsCompany(page, world.github.url)
    const data = { token: as === 'member' ? world.memberToken : token }
    if (as !== 'nobody') await page.request.post(`${url}/v1/session`, { data, headers: { origin: url } })
    await page.goto(url + address)
    await page.locator(until).first().waitFor({ state: 'attached' })
    await page.evaluate('document.fonts.ready.then(() => null)')
    await act?.(page)
    // What was asked for last is drawn.
    await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => {})
    await savePicture(page, path.join(folder, `${name}.webp`))
    // What is under way ends with the page.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    process.stdout.write(`${name}\n`)
  }
}

async function savePicture(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
  writeFileSync(file, data, 'base64')
}

import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** Chromium without the parts that only people see: pages are the same, for a third of the processor time. */
const shells = ['/usr/bin/chromium-headless-shell']
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** It asks nobody but the page's own service, and draws without a graphics card. */
const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The machine's own Chromium; Debian's packages are `chromium` and `chromium-headless-shell`. Only a whole one tells of notifications. */
export async function openBrowser({ isWhole = false, more = [] as string[] } = {}): Promise<Browser> {
  const executablePath = [...(isWhole ? [] : shells), ...places].find((place) => existsSync(place))
  if (!executablePath) throw new Error('There is no Chromium on this machine: apt-get install chromium')
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath, args: [...flags, ...more, ...(isRoot ? ['--no-sandbox'] : [])] })
}

import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

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

/** The machine's own Chromium; Debian's package is `chromium`. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = places.find((place) => existsSync(place))
  if (!executablePath) throw new Error('There is no Chromium on this machine: apt-get install chromium')
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath, args: [...flags, ...(isRoot ? ['--no-sandbox'] : [])] })
}

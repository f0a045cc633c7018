// Takes the pictures of docs/screenshots: starts the service in a folder of its own, has the scripted engine play runs
// in all states, and looks at each page in the machine's own Chromium. Words after the command name the pictures to
// take: those that begin with one of them.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openBrowser } from '../web/e2e/open-browser.ts'
import { startService } from './demo/start-service.ts'
import { makeWorld } from './screenshots/make-world.ts'
import { takePictures } from './screenshots/take-pictures.ts'

const only = process.argv.slice(2)
const root = path.dirname(import.meta.dirname)
const folder = path.join(root, 'docs/screenshots')
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-screenshots-'))
chmodSync(dataDir, 0o711)
Object.assign(process.env, {
  RUNWRIGHT_SCRIPTED: '1',
  RUNWRIGHT_WORKER_SLOTS: '6',
  RUNWRIGHT_DRAIN_SECONDS: '0',
  // See play-runs.ts.
  RUNWRIGHT_IMPORT_PATHS: path.join(dataDir, 'examples'),
  RUNWRIGHT_RATE_LIMITS: 'logs=0,standard=0',
  RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1',
  RUNWRIGHT_SSH_PORT: '0',
  RUNWRIGHT_SSH_URL: 'ssh://git@git.fernhill.example',
})
const service = await startService({ root, dataDir, port: 0 })
const browser = await openBrowser({ isWhole: true })
try {
  mkdirSync(folder, { recursive: true })
  // What stands in for GitHub keeps its repositories there; it goes with the rest.
  process.env.TMPDIR = dataDir
  const world = await makeWorld({ url: service.url, token: service.adminToken, dataDir, root })
  await takePictures({ browser, folder, url: service.url, token: service.adminToken, world, only })
} finally {
  await browser.close()
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit()

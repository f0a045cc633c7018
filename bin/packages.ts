// Packs what people install: `npm run packages` writes the SDK, the command line and the service as tarballs to dist/. With `--offline`
// also the service with everything it needs, for machines that reach no registry.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { packOffline } from './pack/pack-offline.ts'
import { stageCli } from './pack/stage-cli.ts'
import { stageSdk } from './pack/stage-sdk.ts'
import { stageService } from './pack/stage-service.ts'
import { runNpm } from './pack/run-npm.ts'
import { readManifest } from './pack/write-manifest.ts'

const root = path.dirname(import.meta.dirname)
const target = path.resolve(root, process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'dist')
const stage = mkdtempSync(path.join(os.tmpdir(), 'runwright-pack-'))
try {
  mkdirSync(target, { recursive: true })
  const folders = {
    root,
    sdk: path.join(stage, 'sdk'),
    cli: path.join(stage, 'cli'),
    service: path.join(stage, 'service'),
  }
  stageSdk(folders)
  stageCli(folders)
  stageService(folders)
  for (const folder of [folders.sdk, folders.cli, folders.service]) {
    const [packed] = JSON.parse(runNpm(['pack', '--json', '--pack-destination', target], folder)) as [
      { filename: string },
    ]
    process.stdout.write(`${path.join(target, packed.filename)}\n`)
  }
  if (process.argv.includes('--offline'))
    process.stdout.write(`${packOffline({ target, stage, version: readManifest(root).version })}\n`)
} finally {
  rmSync(stage, { recursive: true, force: true })
}

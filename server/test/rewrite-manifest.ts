import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Manifest } from '#process/backup/manifest.ts'

/** Says something else in the manifest of a backup, as somebody who can write it does. */
export function rewriteManifest(backup: string, change: (manifest: Manifest) => void): void {
  const file = path.join(backup, 'manifest.json')
  const { manifest } = JSON.parse(readFileSync(file, 'utf8')) as { manifest: Manifest }
  change(manifest)
  const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
  writeFileSync(file, JSON.stringify({ manifest, sha256 }))
}

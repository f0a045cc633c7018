import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runNpm } from './run-npm.ts'

/** Starts what lies beside it, by the Node that came with it. */
const launcher = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
exec "$here"/node_modules/node-*/bin/node "$here/node_modules/runwright/bin/runwright.mjs" "$@"
`

/** One archive for machines like this one that reach no registry: Node, PostgreSQL and every package are in it. Returns its file. */
export function packOffline({ target, stage, version }: { target: string; stage: string; version: string }): string {
  const name = `runwright-${version}-${process.platform}-${process.arch}`
  const folder = path.join(stage, name)
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
  const tarball = globSync(path.join(target, `runwright-${version}.tgz`))
  runNpm(['install', '--omit=dev', '--no-audit', '--no-fund', '--no-save', ...tarball], folder)
  const program = path.join(folder, 'runwright')
  writeFileSync(program, launcher)
  chmodSync(program, 0o755)
  const file = path.join(target, `${name}.tar.gz`)
  const { status, stderr } = spawnSync('tar', ['-czf', file, '-C', stage, name], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tar failed:\n${stderr}`)
  return file
}

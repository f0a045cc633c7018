import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { ContainerEngine } from '../../server/test/container-engine.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const image = 'localhost/runwright-made'

/** The folder with what `npm run packages -- --offline` makes of this clone: once for all files of tests that run together. */
export async function makePackages(): Promise<string> {
  const folder = path.join(os.tmpdir(), 'packages-of-tests')
  await once('packages', `"$1" ${path.join(root, 'bin/packages.ts')} ${folder} --offline`)
  return folder
}

/** The service's image, made of these packages at this engine. The next one takes its place. */
export async function makeImage({ words, image: base }: Pick<ContainerEngine, 'words' | 'image'>): Promise<string> {
  const packages = await makePackages()
  const podman = `podman ${words.join(' ')}`
  const recipe = path.join(root, 'deploy/image/Containerfile')
  const build = `${podman} build --build-arg BASE=${base} -f ${recipe} -t ${image} ${packages}`
  await once('image', `${build} && ${podman} image prune --force`)
  return image
}

/** Files of tests that run together have a temporary folder in common. */
async function once(name: string, script: string): Promise<void> {
  const folder = path.join(os.tmpdir(), 'made-for-tests')
  mkdirSync(folder, { recursive: true })
  const [lock, made] = ['lock', 'made'].map((each) => path.join(folder, `${name}.${each}`))
  const words = [lock!, 'sh', '-c', `[ -e "$0" ] || { ${script} && touch "$0"; }`, made!, process.execPath]
  await run('flock', words, { cwd: root, maxBuffer: 1024 ** 3 })
}

import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { readManifest, writeManifest } from './write-manifest.ts'

/** What the service reads besides its own code. */
const files = ['web/dist', 'examples', 'README.md', 'CHANGELOG.md', 'openapi.json']

/**
 * The service with the command line in it. Node runs no TypeScript below node_modules, so its files are JavaScript there: types are
 * taken out and nothing else, so that every line stays where it is.
 */
export function stageService({ root, sdk, cli, service }: Record<'root' | 'sdk' | 'cli' | 'service', string>): void {
  const sources = path.join(root, 'server/src')
  for (const name of globSync('**/*', { cwd: sources })) {
    const file = path.join(sources, name)
    if (/\.(?:test|slow)\.ts$/.test(name) || !path.extname(name)) continue
    const target = path.join(service, 'server/src', name.replace(/\.ts$/, '.js'))
    mkdirSync(path.dirname(target), { recursive: true })
    if (!name.endsWith('.ts')) copyFileSync(file, target)
    else writeFileSync(target, javascriptOf(file))
  }
  for (const name of files) cpSync(path.join(root, name), path.join(service, name), { recursive: true })
  mkdirSync(path.join(service, 'bin'), { recursive: true })
  for (const [from, to] of [
    ['bin/node24.mjs', 'bin/node24.mjs'],
    ['bin/pack/runwright-service.mjs', 'bin/runwright.mjs'],
  ] as const)
    copyFileSync(path.join(root, from), path.join(service, to))
  const own = path.join(service, 'node_modules/@runwright')
  cpSync(sdk, path.join(own, 'sdk'), { recursive: true })
  cpSync(cli, path.join(own, 'cli'), { recursive: true, filter: (from) => !from.includes('node_modules/@runwright') })
  writeManifest(root, service, manifestOf(root))
}

function manifestOf(root: string) {
  const { name, version, description, license, optionalDependencies, engines } = readManifest(root)
  const cli = readManifest(path.join(root, 'cli'))
  const server = readManifest(path.join(root, 'server'))
  const own = Object.fromEntries(['@runwright/sdk', '@runwright/cli'].map((each) => [each, version]))
  return {
    name,
    version,
    description,
    license,
    engines,
    type: 'module',
    bin: { runwright: './bin/runwright.mjs' },
    imports: { '#*.ts': './server/src/*.js' },
    dependencies: { ...server.dependencies, ...cli.dependencies, ...own },
    optionalDependencies,
    bundleDependencies: Object.keys(own),
  }
}

/** Names of files of ours, in imports and elsewhere, end as the files do. `#…` is left to the manifest. */
function javascriptOf(file: string): string {
  const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
  return code.replaceAll(/(?<=['"])(\.{1,2}\/[\w./-]+)\.ts(?=['"])/g, (written, name: string) =>
    existsSync(path.resolve(path.dirname(file), `${name}.ts`)) ? `${name}.js` : written,
  )
}

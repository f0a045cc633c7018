import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { compile } from './compile.ts'
import { readManifest, writeManifest } from './write-manifest.ts'

/** The command line, with the SDK in it, so that its tarball alone can be installed. */
export function stageCli({ root, sdk, cli }: { root: string; sdk: string; cli: string }): void {
  // What it imports of the SDK is compiled with it, and left out: it has the whole SDK as a package.
  const compiled = `${cli}-compiled`
  compile(root, { project: 'cli/tsconfig.pack.json', into: compiled })
  mkdirSync(path.join(cli, 'bin'), { recursive: true })
  cpSync(path.join(compiled, 'cli/src'), path.join(cli, 'src'), { recursive: true })
  rmSync(compiled, { recursive: true })
  copyFileSync(path.join(root, 'bin/pack/runwright-client.mjs'), path.join(cli, 'bin/runwright.mjs'))
  cpSync(sdk, path.join(cli, 'node_modules/@runwright/sdk'), { recursive: true })
  copyFileSync(path.join(root, 'cli/README.md'), path.join(cli, 'README.md'))
  writeManifest(root, cli, {
    ...readManifest(path.join(root, 'cli')),
    exports: { '.': { types: './src/program.d.ts', default: './src/program.js' } },
    bundleDependencies: ['@runwright/sdk'],
    engines: { node: '>=20' },
  })
}

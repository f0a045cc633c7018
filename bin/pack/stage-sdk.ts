import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { compile } from './compile.ts'
import { readManifest, writeManifest } from './write-manifest.ts'

/** The SDK for Node 20 and later, browsers, and the compiler of TypeScript. */
export function stageSdk({ root, sdk }: { root: string; sdk: string }): void {
  compile(root, { project: 'sdk/tsconfig.pack.json', into: path.join(sdk, 'src') })
  copyFileSync(path.join(root, 'sdk/README.md'), path.join(sdk, 'README.md'))
  writeManifest(root, sdk, {
    ...readManifest(path.join(root, 'sdk')),
    exports: { '.': { types: './src/client.d.ts', default: './src/client.js' } },
    sideEffects: false,
    engines: { node: '>=20' },
  })
}

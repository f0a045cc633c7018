import { createRequire } from 'node:module'

/** Our own ripgrep, statically linked; null where npm has none for this machine. */
export function findRipgrep(): { path: string; version: string } | null {
  const require = createRequire(import.meta.url)
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`
  try {
    const { version } = require(`${name}/package.json`) as { version: string }
    return { path: require.resolve(`${name}/bin/rg`), version }
  } catch {
    return null
  }
}

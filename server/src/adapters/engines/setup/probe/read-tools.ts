import type { ProbeSource, WantedTool } from './findings.ts'
import { shortLines } from './short-lines.ts'
import { withoutComments } from './without-comments.ts'

/** Files that name one tool's version and nothing else. */
const plainFiles: Record<string, string> = {
  '.nvmrc': 'node',
  '.node-version': 'node',
  '.python-version': 'python',
  '.ruby-version': 'ruby',
  '.go-version': 'go',
  '.java-version': 'java',
  'rust-toolchain': 'rust',
}

/** Patterns of one line, within files that say more; the first that matches counts. */
const lines: [path: string, tool: string, pattern: RegExp][] = [
  ['go.mod', 'go', /^go\s+(\S+)/],
  ['rust-toolchain.toml', 'rust', /^\s*channel\s*=\s*"([^"]+)"/],
  ['Cargo.toml', 'rust', /^\s*rust-version\s*=\s*"([^"]+)"/],
  ['pyproject.toml', 'python', /^\s*requires-python\s*=\s*"([^"]+)"/],
  ['Gemfile', 'ruby', /^\s*ruby\s+["']([^"']+)["']/],
  ['pom.xml', 'java', /<(?:java\.version|maven\.compiler\.(?:release|source))>([^<]+)</],
]

/** The versions of tools that the repository's files ask for. */
export async function readTools(source: ProbeSource): Promise<WantedTool[]> {
  const tools: WantedTool[] = []
  const add = (name: string, version: string, path: string, line: number | null) =>
    tools.push({ name, version: version.slice(0, 60), why: { path, line, says: 'a version' } })
  for (const [path, tool] of Object.entries(plainFiles)) {
    const version = shortLines((await readIfThere(source, path)) ?? '').find(
      (line) => line.trim() && !line.startsWith('#'),
    )
    if (version) add(tool, version.trim(), path, 1)
  }
  for (const path of ['.tool-versions', 'mise.toml', '.mise.toml']) {
    for (const [index, line] of shortLines((await readIfThere(source, path)) ?? '').entries()) {
      const [, name, version] = /^\s*"?([\w-]+)"?(?:\s*=\s*|\s+)"?([\w.][\w.+-]*)"?\s*$/.exec(line) ?? []
      if (name && version && /\d|lts|latest|stable/.test(version))
        add(name.replace('nodejs', 'node').replace('golang', 'go'), version, path, index + 1)
    }
  }
  for (const [path, tool, pattern] of lines) {
    const found = shortLines((await readIfThere(source, path)) ?? '').entries()
    for (const [index, line] of found) {
      const [, version] = pattern.exec(line) ?? []
      if (!version) continue
      add(tool, version, path, index + 1)
      break
    }
  }
  tools.push(...(await readPackage(source)))
  return tools
}

async function readPackage(source: ProbeSource): Promise<WantedTool[]> {
  const path = 'package.json'
  const text = await readIfThere(source, path)
  const manifest = readJson(text)
  const lineOf = (key: string) => {
    const at = (text ?? '').split('\n').findIndex((line) => line.includes(`"${key}"`))
    return at < 0 ? null : at + 1
  }
  const tools: WantedTool[] = []
  const engines = manifest['engines']
  if (typeof engines === 'object' && engines !== null) {
    const { node } = engines as Record<string, unknown>
    if (typeof node === 'string')
      tools.push({ name: 'node', version: node.slice(0, 60), why: { path, line: lineOf('engines'), says: 'engines' } })
  }
  const manager = manifest['packageManager']
  const [, name, version] =
    /^([a-z]+)@(\d+\.\d+\.\d+(?:-[\w.]+)?)/.exec(typeof manager === 'string' ? manager : '') ?? []
  if (name && version)
    tools.push({ name, version, why: { path, line: lineOf('packageManager'), says: 'packageManager' } })
  return tools
}

/** An object of JSON, comments allowed; an empty one for what is none. */
export function readJson(text: string | null): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(withoutComments(text ?? ''))
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

async function readIfThere(source: ProbeSource, path: string): Promise<string | null> {
  return source.paths.includes(path) ? source.read(path) : null
}

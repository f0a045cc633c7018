import { type FoundCommand, type FoundGroup, type ProbeSource } from './findings.ts'
import { note, readScript } from './read-script.ts'
import { readYaml, type YamlPlace } from './read-yaml.ts'
import { shortLines } from './short-lines.ts'
import { withoutComments } from './without-comments.ts'

/** What the repository says to agents and editors of its setup, the most explicit first. */
export async function readDeclared(source: ProbeSource, notes: string[]): Promise<FoundGroup[]> {
  const groups = [
    await readOwnFile(source, notes),
    await readKeys(source, { path: '.cursor/environment.json', keys: ['install'] }, notes),
    await readDevcontainer(source, notes),
    await readAgentsFile(source, notes),
    await readMakefile(source),
    await readDockerfile(source, notes),
  ]
  return groups.filter((group) => group !== undefined)
}

/** What this service reads itself at the start of runs: see docs/environment.md. */
async function readOwnFile(source: ProbeSource, notes: string[]): Promise<FoundGroup | undefined> {
  const path = '.runwright.yml'
  const file = readYaml((await readIfThere(source, path)) ?? '')
  const setup = file?.get('setup')
  const found: FoundCommand[] = []
  for (const { text, line, isBlock } of setup?.items.length ? setup.items : setup ? [setup] : [])
    found.push(
      ...readScript({ script: text ?? '', path, line: line + Number(isBlock), says: 'setup', isSetup: true, notes }),
    )
  const checks = file?.get('checks')
  const named = checks?.items.length
    ? checks.items.map((item) => item.get('command'))
    : checks?.entries.map(([, at]) => at.get('command') ?? at)
  for (const check of named ?? []) {
    if (!check?.text) continue
    const why = { path, line: check.line, says: 'a check' }
    found.push(...readScript({ script: check.text, ...why, notes }).filter(({ kind }) => kind !== 'install'))
  }
  return groupOf(path, found)
}

type Keys = { path: string; keys: string[] }

/** Commands under keys of a file of JSON, which may have comments: as text, as one command's words, or named ones. */
async function readKeys(source: ProbeSource, { path, keys }: Keys, notes: string[]): Promise<FoundGroup | undefined> {
  const text = await readIfThere(source, path)
  if (text === null) return undefined
  // JSON without its comments is YAML, and keeps its lines.
  const file = readYaml(withoutComments(text))
  if (!file) note(notes, `${path} cannot be read.`)
  const found = keys.flatMap((key) => {
    const place = file?.get(key)
    return place ? scriptsOf(place).map((script) => ({ script, line: place.line, key })) : []
  })
  const commands = found.flatMap(({ script, line, key }) =>
    readScript({ script, path, line, says: key, isSetup: true, notes }),
  )
  return groupOf(path, commands)
}

function scriptsOf(place: YamlPlace): string[] {
  if (place.text !== null) return [place.text]
  if (place.items.length) return [place.items.map(({ text }) => text ?? '').join(' ')]
  return place.entries.flatMap(([, inner]) => scriptsOf(inner))
}

async function readDevcontainer(source: ProbeSource, notes: string[]): Promise<FoundGroup | undefined> {
  const path = source.paths.find((one) =>
    /^(?:\.devcontainer\/(?:[^/]+\/)?devcontainer|\.devcontainer)\.json$/.test(one),
  )
  const keys = ['onCreateCommand', 'updateContentCommand', 'postCreateCommand']
  return path === undefined ? undefined : readKeys(source, { path, keys }, notes)
}

/** Lines of code blocks, and code within sentences, that look like what people type to set up or to test. */
async function readAgentsFile(source: ProbeSource, notes: string[]): Promise<FoundGroup | undefined> {
  const path = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'].find((one) => source.paths.includes(one))
  const text = path === undefined ? null : await source.read(path)
  if (path === undefined || text === null) return undefined
  const commands: FoundCommand[] = []
  let isCode = false
  for (const [index, line] of shortLines(text).entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isCode = !isCode
      continue
    }
    const inline = [...line.matchAll(/`([^`]{2,200})`/g)].map(([, code]) => code ?? '')
    const pieces = isCode
      ? [
          line
            .replace(/^\s*[$>]\s+/, '')
            .replace(/\s#.*$/s, '')
            .trimEnd(),
        ]
      : inline
    for (const script of pieces) commands.push(...readScript({ script, path, line: index + 1, says: 'code', notes }))
  }
  const known = new Set<string>()
  const once = commands.filter(({ command }) => !known.has(command) && known.add(command))
  return groupOf(path, once)
}

/** Targets by their usual names. `install` is left out: it mostly installs what was built, for the machine. */
const targets = {
  install: ['setup', 'bootstrap', 'deps', 'dependencies', 'install-deps', 'init'],
  build: ['build', 'generate'],
  test: ['test', 'check', 'tests'],
  lint: ['lint'],
} as const

async function readMakefile(source: ProbeSource): Promise<FoundGroup | undefined> {
  const path = ['Makefile', 'makefile', 'GNUmakefile'].find((one) => source.paths.includes(one))
  const text = path === undefined ? null : await source.read(path)
  if (path === undefined || text === null) return undefined
  const lines = shortLines(text)
  const commands = Object.entries(targets).flatMap(([kind, names]): FoundCommand[] => {
    const found = names
      .map((name) => ({ name, at: lines.findIndex((line) => line.startsWith(`${name}:`)) }))
      .find(({ at }) => at >= 0)
    const why = found && { path, line: found.at + 1, says: `the target ${found.name}` }
    return why ? [{ kind: kind as FoundCommand['kind'], command: `make ${found.name}`, why }] : []
  })
  return groupOf(path, commands)
}

async function readDockerfile(source: ProbeSource, notes: string[]): Promise<FoundGroup | undefined> {
  const path = 'Dockerfile'
  const text = await readIfThere(source, path)
  const commands = instructionsOf(shortLines(text ?? '')).flatMap(({ script: instruction, line }) => {
    const [, run] = /^RUN\s+(\S.*)$/is.exec(instruction) ?? []
    const script = run?.replace(/^(?:--\S+\s+)+/, '')
    if (!script || script.startsWith('[')) return []
    return readScript({ script, path, line, says: 'RUN', notes })
  })
  return groupOf(path, commands)
}

/** Each instruction of a Dockerfile in one line, without the backslashes that it goes on after, and where it begins. */
function instructionsOf(lines: readonly string[]): { script: string; line: number }[] {
  const found: { parts: string[]; line: number }[] = []
  let isOpen = false
  for (const [index, line] of lines.entries()) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const part = text.endsWith('\\') ? text.slice(0, -1).trim() : text
    if (isOpen) found.at(-1)!.parts.push(part)
    else found.push({ parts: [part], line: index + 1 })
    isOpen = part !== text
  }
  return found.map(({ parts, line }) => ({ script: parts.join(' '), line }))
}

function groupOf(path: string, commands: FoundCommand[]): FoundGroup | undefined {
  return commands.length ? { origin: 'declared', name: path, commands } : undefined
}

async function readIfThere(source: ProbeSource, path: string): Promise<string | null> {
  return source.paths.includes(path) ? source.read(path) : null
}

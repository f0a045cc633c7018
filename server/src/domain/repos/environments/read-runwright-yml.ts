import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml'
import { noHooks, type Hooks } from '#base/hooks.ts'
import { isDenseYaml, yamlMarksMax } from '#base/text/is-dense-yaml.ts'
import { limits } from '#base/limits.ts'
import { setupLimits } from '#base/setup-limits.ts'
import { inFolderIfThere } from '#domain/repos/in-folder.ts'
import { whyNotPath, workPathCharactersMax } from '#domain/repos/work-paths.ts'
import { presetNames, type Egress, type Preset } from '#domain/repos/egress/egress.ts'
import { parseRule, ruleText } from '#domain/repos/egress/rule.ts'
import type { CheckCommand, EnvironmentFile, Problem, PushPolicy } from '#domain/repos/environment.ts'

/**
 * Reads `.runwright.yml`, strictly: whoever misspells a word shall hear of it, with its line, and not miss what the word
 * was to do. With any problem, nothing of the file counts; with one of a hook, no hook. Never throws, whatever the bytes are.
 */
export function readRunwrightYml(bytes: Uint8Array): {
  file: EnvironmentFile
  problems: Problem[]
  hookProblems: Problem[]
} {
  const lines = new LineCounter()
  const problems: Problem[] = []
  const hookProblems: Problem[] = []
  const into =
    (list: Problem[]): Complain =>
    (node, message) => {
      const line = lines.linePos(node?.range?.[0] ?? 0).line || 1
      if (list.length < setupLimits.problemsMax) list.push({ line, message })
    }
  const complain = into(problems)
  const document = parse(bytes, lines, complain)
  const root = document?.contents
  const isEmpty = !root || (isScalar(root) && root.value === null)
  const file = isEmpty || problems.length ? {} : readRoot(root, complain, into(hookProblems))
  if (hookProblems.length) delete file.hooks
  return { file: problems.length ? {} : file, problems, hookProblems }
}

/** Of what a node is made: its place in the text. */
type Place = { range?: readonly [number, ...number[]] | null | undefined } | null
type Complain = (node: Place, message: string) => void

function parse(bytes: Uint8Array, lineCounter: LineCounter, complain: Complain): Document.Parsed | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.length > setupLimits.fileBytesMax || isDenseYaml(text)) {
      complain(
        null,
        `the file is too long: it has ${setupLimits.fileBytesMax} bytes and ${yamlMarksMax} lines, keys and values at most`,
      )
      return undefined
    }
    const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' })
    for (const { pos, code, message } of [...document.errors, ...document.warnings])
      complain({ range: pos }, code === 'MULTIPLE_DOCS' ? 'a second document begins here' : inOneLine(message))
    return document
  } catch (error) {
    // The parser calls itself for each level.
    const isTooDeep = error instanceof RangeError
    complain(null, isTooDeep ? 'the file is nested too deeply' : 'the file is no text in UTF-8')
    return undefined
  }
}

const inOneLine = (message: string) => message.split('\n')[0]!.slice(0, 300)

function readRoot(node: Node, complain: Complain, complainOfHook: Complain): EnvironmentFile {
  const file: EnvironmentFile = {}
  readMap(node, complain, {
    setup: (value) => (file.setupCommands = readSetup(value, complain)),
    checks: (value) => (file.checks = readChecks(value, complain)),
    egress: (value) => (file.egress = readEgress(value, complain)),
    hooks: (value) => (file.hooks = readHooks(value, complainOfHook)),
    push: (value) => (file.push = readPush(value, complain)),
  })
  return file
}

/** Hands over the value of each key; one that is not known here is a fault. */
function readMap(node: Node | null, complain: Complain, known: Record<string, (value: Node | null) => void>): void {
  const names = Object.keys(known).join(', ')
  if (!isMap(node)) return complain(node, `here stand ${names}, each with its value`)
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : ''
    if (Object.hasOwn(known, name)) known[name]!(value as Node | null)
    else complain(key as Node, `"${name.slice(0, 50)}" is not known here; there are ${names}`)
  }
}

function readList(node: Node | null, complain: Complain, { what, most }: { what: string; most: number }): Node[] {
  if (!isSeq(node)) {
    complain(node, `here stands a list of ${what}`)
    return []
  }
  if (node.items.length > most) complain(node, `there may be ${most} ${what} at most`)
  return (node.items as Node[]).slice(0, most)
}

type TextRule = { what: string; charactersMax: number }

function readText(node: Node | null, complain: Complain, { what, charactersMax }: TextRule): string {
  const value = isScalar(node) ? node.value : undefined
  if (typeof value === 'string' && value.trim() && value.length <= charactersMax && !value.includes('\0')) return value
  const isText = typeof value === 'string' && value.trim() !== ''
  complain(node, isText ? `${what} has ${charactersMax} characters at most` : `here stands ${what}, as a text`)
  return ''
}

function readCount(node: Node | null, complain: Complain): number {
  const value = isScalar(node) ? node.value : undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  complain(node, 'here stands a whole number')
  return 0
}

const command: TextRule = { what: 'a command', charactersMax: limits.setupCommandsCharactersMax }

function readSetup(node: Node | null, complain: Complain): string[] {
  if (isScalar(node) && node.value !== null) return [readText(node, complain, command)]
  const list = readList(node, complain, { what: 'commands', most: setupLimits.commandsMax })
  const commands = list.map((item) => {
    if (!isMap(item)) return readText(item, complain, command)
    const { path, command: text } = readScoped(item, complain)
    return path === undefined ? text : inFolderIfThere(path, text)
  })
  const isLong = commands.join('').length > command.charactersMax
  if (isLong) complain(node, `all commands together have ${command.charactersMax} characters at most`)
  return commands
}

/** `{command, path}`: a command that is run in a folder; the whole of it has no name. */
function readScoped(item: Node, complain: Complain, known: Record<string, (value: Node | null) => void> = {}) {
  const parts: { command: Node | null; path: Node | null } = { command: null, path: null }
  readMap(item, complain, {
    ...known,
    command: (value) => (parts.command = value),
    path: (value) => (parts.path = value),
  })
  const path = parts.path && readText(parts.path, complain, { what: 'a folder', charactersMax: workPathCharactersMax })
  const fault = path ? whyNotPath(path) : null
  if (fault !== null) complain(parts.path, `"${path?.slice(0, 50)}" ${fault}`)
  return { command: readText(parts.command ?? item, complain, command), ...(path && { path }) }
}

/** `test: npm test`, `test: {command, path}`, or a list of `{name, command, path}`. */
function readChecks(node: Node | null, complain: Complain): CheckCommand[] {
  const name = { what: 'the name of a check', charactersMax: limits.checkNameCharactersMax }
  const pairs = isMap(node)
    ? node.items.map(({ key, value }) => {
        const read = isMap(value)
          ? readScoped(value, complain)
          : { command: readText(value as Node | null, complain, command) }
        return { place: key as Node, name: readText(key as Node, complain, name), ...read }
      })
    : readList(node, complain, { what: 'checks', most: limits.checkCommandsMax }).map((item) => {
        let named: Node | null = null
        const read = readScoped(item, complain, { name: (value) => (named = value) })
        return { place: item, name: readText(named ?? item, complain, name), ...read }
      })
  if (pairs.length > limits.checkCommandsMax) complain(node, `there may be ${limits.checkCommandsMax} checks at most`)
  const seen = new Set<string>()
  return pairs.map(({ place, ...check }) => {
    if (seen.has(check.name)) complain(place, `there are two checks of the name "${check.name}"`)
    seen.add(check.name)
    return check
  })
}

function readEgress(node: Node | null, complain: Complain): Egress {
  const egress: Egress = { allow: [], presets: [] }
  const list = { what: 'names', most: limits.egressNamesMax }
  readMap(node, complain, {
    allow: (value) => {
      for (const item of readList(value, complain, list)) {
        const text = readText(item, complain, { what: 'the name of a host', charactersMax: 300 })
        const rule = text && parseRule(text)
        if (typeof rule !== 'string') egress.allow.push(ruleText(rule))
        else if (text) complain(item, `"${text}" ${rule}`)
      }
    },
    presets: (value) => {
      for (const item of readList(value, complain, list)) {
        const name = readText(item, complain, { what: 'the name of a preset', charactersMax: 300 }) as Preset
        if (presetNames.includes(name)) egress.presets.push(name)
        else if (name) complain(item, `there is no preset "${name}"; there are ${presetNames.join(', ')}`)
      }
    },
  })
  return egress
}

function readHooks(node: Node | null, complain: Complain): Hooks {
  const hooks: Hooks = structuredClone(noHooks)
  const most = setupLimits.hooksMax
  readMap(node, complain, {
    after_edit: (value) => {
      hooks.afterEdit = readList(value, complain, { what: 'commands', most }).map((item) => {
        if (!isMap(item)) return { command: readText(item, complain, command), paths: [] }
        const parts: { command: Node | null; paths: Node | null } = { command: null, paths: null }
        readMap(item, complain, {
          command: (part) => (parts.command = part),
          paths: (part) => (parts.paths = part),
        })
        const paths = parts.paths ? readPatterns(parts.paths, complain) : []
        return { command: readText(parts.command ?? item, complain, command), paths }
      })
    },
    before_finish: (value) => {
      hooks.beforeFinish = readList(value, complain, { what: 'commands', most }).map((item) => {
        if (!isMap(item)) return readText(item, complain, command)
        const { path, command: text } = readScoped(item, complain)
        return path === undefined ? text : inFolderIfThere(path, text)
      })
    },
  })
  return hooks
}

function readPatterns(node: Node | null, complain: Complain): string[] {
  const pattern = { what: 'a pattern of paths', charactersMax: setupLimits.pathPatternCharactersMax }
  const list = readList(node, complain, { what: 'patterns', most: setupLimits.pathPatternsMax })
  return list.map((item) => readText(item, complain, pattern))
}

function readPush(node: Node | null, complain: Complain): PushPolicy {
  const push: PushPolicy = { needsPerson: [] }
  readMap(node, complain, {
    needs_person: (value) => (push.needsPerson = readPatterns(value, complain)),
    max_bytes: (value) => (push.bytesMax = readCount(value, complain)),
    max_files: (value) => (push.filesMax = readCount(value, complain)),
  })
  return push
}

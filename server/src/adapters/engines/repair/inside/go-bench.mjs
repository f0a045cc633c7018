// Runs tests of Go, with the same jobs and answers as the other benches:
//   go-bench.mjs CONFIG          reads one JSON job a line, answers each
//   go-bench.mjs CONFIG --once   runs the project's own command, and tells what came of each test
// A candidate is laid over its file for the compiler alone (`-overlay`): no file of the work tree changes.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { packageErrors, readEvents, readVerbose } from './go-report.mjs'

const COMPILE_MS = 120_000
const OUTPUT_CHARACTERS = 4_000_000
/** What candidates leave in the compiler's cache is removed after so many. */
const SWEEP_EVERY = 100

const config = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const root = path.resolve(config.workspace, config.folder)
const own = mkdtempSync(path.join(path.dirname(process.argv[2]), 'go-'))
const began = Date.now()
/** Flags of the project's command that decide what is compiled and run. */
const buildFlags =
  config.command
    .match(/\s-tags[=\s]\S+/)?.[0]
    .trim()
    .split(/\s+/) ?? []
const testFlags = /\s-short\b/.test(config.command) ? ['-test.short'] : []
/** Test binaries of the program as it is, by package and whether they count lines. */
const compiled = new Map()
const functions = new Map()
let builds = 0

process.on('exit', () => rmSync(own, { recursive: true, force: true }))
if (process.argv[3] === '--once') await runOnce()
else for await (const line of readline.createInterface({ input: process.stdin })) tell(await runJob(JSON.parse(line)))

function tell(answer) {
  // The mark tells an answer from what else is written here.
  process.stdout.write(`\n@runwright ${JSON.stringify(answer)}\n`)
}

async function runOnce() {
  const command = config.command.replace(/\bgo test\b/, 'go test -json -count=1')
  const { code, stdout, stderr } = await run(['sh', '-c', command], { cwd: root, ms: config.job.totalMs })
  process.exitCode = code ?? 1
  const { tests, packages, rest } = readEvents(stdout)
  const folders = await packageFolders()
  const found = tests.map((test) => resultOf(test, folders.get(test.package) ?? ''))
  const failed = packageErrors(packages, tests, `${stderr}\n${rest}`)
  for (const { name, error } of failed) found.push(broken(folders.get(name) ?? '', error))
  if (!found.length) process.stdout.write(`${stderr}\n${rest}`)
  else tell({ id: config.job.id, tests: found, imported: {}, timedOut: false })
}

/** Where each package of the module lies, relative to the workspace. */
async function packageFolders() {
  const list = ['go', 'list', '-e', ...buildFlags, '-f', '{{.ImportPath}}\t{{.Dir}}', './...']
  const { stdout } = await run(list, { cwd: root, ms: COMPILE_MS })
  const lines = stdout.split('\n').filter((line) => line.includes('\t'))
  return new Map(lines.map((line) => [line.split('\t')[0], path.relative(config.workspace, line.split('\t')[1])]))
}

async function runJob({ id, files, sources, isCovering, stopsAt, testMs, totalMs }) {
  const stopsAtFirst = stopsAt === 'failure'
  const answer = { id, tests: [], imported: {}, timedOut: false }
  const overlay = sources ? writeOverlay(sources) : null
  const byFolder = Map.groupBy(files, ({ file }) => path.dirname(file))
  for (const [folder, asked] of byFolder) {
    const binary = await compile(folder, { overlay })
    if (binary.error !== null) {
      answer.tests.push(
        ...asked.map(({ file }) => broken(path.dirname(inWorkspace(file)), binary.error, inWorkspace(file))),
      )
      if (stopsAtFirst) break
      continue
    }
    const options = { folder, binary: binary.path, testMs, stopsAt, until: Date.now() + totalMs }
    const { tests, timedOut } = await runTests(asked, options)
    answer.timedOut ||= timedOut
    answer.tests.push(...tests)
    if (isCovering) await cover(tests, options)
    if (stopsAtFirst && tests.some((test) => !test.isPassing)) break
  }
  return answer
}

function writeOverlay(sources) {
  const Replace = {}
  for (const [at, [file, text]] of Object.entries(sources).entries()) {
    Replace[file] = path.join(own, `${at}.go`)
    writeFileSync(Replace[file], text)
  }
  const file = path.join(own, 'overlay.json')
  writeFileSync(file, JSON.stringify({ Replace }))
  return file
}

/** The package's tests as a program of its own; `error` is what the compiler says. */
async function compile(folder, { overlay = null, isCounting = false }) {
  const key = `${folder} ${isCounting}`
  if (!overlay && compiled.has(key)) return compiled.get(key)
  const output = path.join(own, overlay ? 'candidate.test' : `${compiled.size}.test`)
  const counting = isCounting ? ['-cover', '-covermode=set', '-coverpkg=./...'] : []
  const over = overlay ? [`-overlay=${overlay}`] : []
  const target = `./${path.relative(root, folder)}`
  const argv = [
    'go',
    'test',
    '-c',
    '-vet=off',
    '-ldflags=-s -w',
    '-o',
    output,
    ...buildFlags,
    ...counting,
    ...over,
    target,
  ]
  rmSync(output, { force: true })
  const { code, stdout, stderr } = await run(argv, { cwd: root, ms: COMPILE_MS })
  const made = {
    path: output,
    error: code === 0 && existsSync(output) ? null : `${stderr}${stdout}` || 'There are no tests.',
  }
  if (!overlay) compiled.set(key, made)
  else if (++builds % SWEEP_EVERY === 0) await sweepCache()
  return made
}

/** The compiler keeps what it made of each candidate, though none comes again. */
async function sweepCache() {
  const { stdout } = await run(['go', 'env', 'GOCACHE'], { cwd: root, ms: COMPILE_MS })
  const cache = stdout.trim()
  for (const name of existsSync(cache) ? readdirSync(cache, { recursive: true }) : []) {
    const file = path.join(cache, name)
    if (/-[ad]$/.test(name) && statSync(file).ctimeMs > began) rmSync(file, { force: true })
  }
}

/** A test that ends the process takes the others with it: they are run again without it. */
async function runTests(asked, { folder, binary, testMs, stopsAt, until }) {
  const stopsAtFirst = stopsAt === 'failure'
  const names = new Map(asked.map(({ file, names }) => [inWorkspace(file), names]))
  const wanted = functionsOf(folder).filter(({ file, name }) => {
    const list = names.get(file)
    return list === null || list?.some((one) => one.split('/')[0] === name)
  })
  let left = wanted.map(({ name }) => name)
  const found = []
  let timedOut = false
  while (left.length) {
    const ms = Math.min(until - Date.now(), testMs * left.length)
    if (ms <= 0) return { tests: found, timedOut: true }
    const argv = [
      binary,
      '-test.v',
      `-test.run=${exactly(left)}`,
      ...testFlags,
      ...(stopsAtFirst ? ['-test.failfast'] : []),
    ]
    // What a panic says goes to stderr, among what the tests print.
    const { stdout, code, wasEnded } = await run(['sh', '-c', 'exec "$@" 2>&1', 'sh', ...argv], { cwd: folder, ms })
    const tests = readVerbose(stdout, { code, wasEnded })
    timedOut ||= wasEnded && until - Date.now() <= 0
    found.push(...tests)
    const ran = new Set(tests.map((test) => test.name.split('/')[0]))
    const next = left.filter((name) => !ran.has(name))
    if (code === 0 || next.length === left.length || (wasEnded && stopsAt !== 'end')) break
    if (stopsAtFirst && tests.some((test) => !test.isPassing)) break
    left = next
  }
  const results = found.map((test) => resultOf(test, inWorkspace(folder)))
  return {
    tests: results.filter(({ file, name }) => names.get(file) === null || names.get(file)?.includes(name)),
    timedOut,
  }
}

/** Notes the lines that each test runs, by itself. */
async function cover(tests, { folder, testMs, until }) {
  const binary = await compile(folder, { isCounting: true })
  if (binary.error !== null) return
  const folders = await packageFolders()
  const profile = path.join(own, 'profile.txt')
  for (const test of tests) {
    if (Date.now() > until || !test.name) continue
    rmSync(profile, { force: true })
    const argv = [binary.path, `-test.run=${exactly([test.name])}`, `-test.coverprofile=${profile}`, ...testFlags]
    await run(argv, { cwd: folder, ms: 4 * testMs })
    test.lines = existsSync(profile) ? readProfile(readFileSync(profile, 'utf8'), folders) : null
  }
}

/** `module/package/file.go:5.30,7.2 3 1` a line: from, to, statements, and how often they ran. */
function readProfile(text, folders) {
  const lines = {}
  for (const [, name, file, from, to, count] of text.matchAll(/^(.*)\/([^/\n]+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/gm)) {
    if (count === '0' || !folders.has(name)) continue
    const list = (lines[path.join(folders.get(name), file)] ??= new Set())
    for (let line = Number(from); line <= Number(to); line++) list.add(line)
  }
  return Object.fromEntries(Object.entries(lines).map(([file, list]) => [file, [...list]]))
}

function exactly(names) {
  const quote = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  if (names.length > 1) return `^(${names.map(quote).join('|')})$`
  return names[0]
    .split('/')
    .map((part) => `^${quote(part)}$`)
    .join('/')
}

/** The test functions of a package's folder, each with its file. */
function functionsOf(folder) {
  if (functions.has(folder)) return functions.get(folder)
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('_test.go')) : []
  const found = files.flatMap((name) => {
    const file = path.join(folder, name)
    const names = readFileSync(file, 'utf8').matchAll(/^func ((?:Test|Example|Fuzz)\w*)\(/gm)
    return [...names].map(([, name]) => ({ file: inWorkspace(file), name }))
  })
  functions.set(folder, found)
  return found
}

function resultOf({ name, isPassing, ms, error }, folder) {
  const [first] = name.split('/')
  const known = functionsOf(path.join(config.workspace, folder)).find((one) => one.name === first)
  return { file: known?.file ?? folder, name, isPassing, ms, error }
}

function broken(folder, error, file = functionsOf(path.join(config.workspace, folder))[0]?.file ?? folder) {
  return { file, name: '', isPassing: false, ms: 0, error }
}

function inWorkspace(file) {
  return path.relative(config.workspace, file)
}

function run([program, ...args], { cwd, ms }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const output = { stdout: '', stderr: '' }
    let wasEnded = false
    const timer = setTimeout(() => {
      wasEnded = true
      // With whatever it has started.
      process.kill(-child.pid, 'SIGKILL')
    }, ms)
    for (const name of ['stdout', 'stderr'])
      child[name]
        .setEncoding('utf8')
        .on('data', (text) => (output[name] = (output[name] + text).slice(-OUTPUT_CHARACTERS)))
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve({ code: 127, wasEnded, stdout: '', stderr: `sh: ${program}: not found (${error.message})` })
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, wasEnded, ...output })
    })
  })
}

// What the repair engine makes of twelve projects of ours, one for each way to run tests, with one planted fault each. Tests
// that it does not see decide whether its change is right.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Answer } from '../server/src/adapters/engines/engine.ts'
import { openRepair } from '../server/src/adapters/engines/repair/repair.ts'
import { openBubblewrap } from '../server/src/adapters/sandboxes/bubblewrap.ts'
import { removeTree } from '../server/src/adapters/sandboxes/remove-tree.ts'
import type { Sandbox } from '../server/src/adapters/sandboxes/sandbox.ts'
import { MemoryTurn } from '../server/test/memory-turn.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 3072 * MiB, processes: 512, diskBytes: 3072 * MiB, lifetimeMs: 1_200_000 }
const FOUND_S = 180
const programs = path.join(import.meta.dirname, '../server/test/programs')

type Project = {
  name: string
  files: Record<string, string>
  fault: { file: string; right: string; broken: string }
  hidden: { command: string; file: string; text: string }
}
type Outcome = 'right' | 'wrong' | 'not found'
type Row = { name: string; seconds: number; outcome: Outcome; confidence: string; words: string }

/** Lines of the report; each row is written to stderr as soon as it is known. */
export async function benchRepairProjects(): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'repair-projects-'))
  chmodSync(folder, 0o711)
  try {
    const provider = openBubblewrap({ folder: path.join(folder, 'sandboxes') })
    const modules = packModules(folder)
    const rows: Row[] = []
    for (const project of readProjects()) {
      await using sandbox = await provider.create({ id: `project-${project.name}`, limits })
      if (project.files['package.json']) await unpack(sandbox, modules)
      rows.push(await measure(sandbox, project))
      console.error(lineOf(rows.at(-1)!))
    }
    const fixed = rows.filter(({ outcome, seconds }) => outcome === 'right' && seconds <= FOUND_S).length
    const claimed = rows.filter(({ outcome, confidence }) => outcome === 'wrong' && confidence !== 'unsure').length
    return [
      `| Project | found in | by hidden tests | confidence | what was changed, or why nothing was |`,
      '|---|---|---|---|---|',
      ...rows.map(lineOf),
      '',
      `${fixed} of ${rows.length} fixed within ${FOUND_S} s (wanted: 9 of 12), ${claimed} wrong and claimed (wanted: 0).`,
    ]
  } finally {
    await removeTree(folder)
  }
}

function lineOf({ name, seconds, outcome, confidence, words }: Row): string {
  return `| ${[name, `${seconds.toFixed(0)} s`, outcome, confidence, words.replaceAll('|', '\\|')].join(' | ')} |`
}

/** `@@ about`, `@@ fault FILE` with what is right and what is planted, `@@ file FILE`, `@@ hidden COMMAND`. */
function readProjects(): Project[] {
  const names = readdirSync(path.join(programs, 'projects')).sort()
  return names.map((file) => {
    const text = readFileSync(path.join(programs, 'projects', file), 'utf8')
    const parts = text
      .split(/^@@ /m)
      .map((part) => ({ head: part.split('\n', 1)[0]!, body: part.slice(part.indexOf('\n') + 1) }))
    const of = (kind: string) =>
      parts
        .filter(({ head }) => head.startsWith(`${kind} `))
        .map(({ head, body }) => ({ head: head.slice(kind.length + 1), body }))
    const [fault, hidden] = [of('fault')[0]!, of('hidden')[0]!]
    const [right = '', broken = ''] = fault.body.trimEnd().split('\n=>\n')
    return {
      name: path.basename(file, '.txt'),
      files: Object.fromEntries(of('file').map(({ head, body }) => [head, body])),
      fault: { file: fault.head, right, broken },
      hidden: { command: hidden.head, file: hidden.head.split(' ').at(-1)!, text: hidden.body },
    }
  })
}

/** The runners, and a compiler for the project that is built. */
function packModules(folder: string): Buffer {
  const runners = path.join(programs, 'runners/node_modules')
  if (!existsSync(runners)) throw new Error('The runners are missing: `npm ci --prefix server/test/programs/runners`.')
  const archive = path.join(folder, 'modules.tar')
  execFileSync('tar', ['-cf', archive, '-C', path.dirname(runners), 'node_modules'])
  execFileSync('tar', [
    '-rf',
    archive,
    '-C',
    path.join(import.meta.dirname, '..'),
    'node_modules/typescript',
    'node_modules/@typescript',
  ])
  return readFileSync(archive)
}

async function unpack(sandbox: Sandbox, modules: Buffer): Promise<void> {
  const archive = `${sandbox.paths.temporary}/modules.tar`
  await sandbox.writeFile(archive, modules)
  const shell = `tar -xf ${archive} && rm ${archive} && ln -sf ../typescript/bin/tsc node_modules/.bin/tsc`
  await sandbox.exec({ shell, timeoutMs: 120_000 }).result
}

async function measure(sandbox: Sandbox, { name, files, fault, hidden }: Project): Promise<Row> {
  const write = (file: string, text: string) =>
    sandbox.writeFile(`${sandbox.paths.workspace}/${file}`, Buffer.from(text))
  /** Whether the hidden tests pass. They are there while they run, and no longer. */
  const isRight = async () => {
    await write(hidden.file, hidden.text)
    const shell = `PYTHONDONTWRITEBYTECODE=1 PATH=${sandbox.paths.nodeFolder}:$PATH ${hidden.command}; code=$?; rm -rf ${hidden.file} dist; exit $code`
    return (await sandbox.exec({ shell, timeoutMs: 60_000 }).result).exitCode === 0
  }
  for (const [file, text] of Object.entries(files)) await write(file, text)
  const source = files[fault.file]!
  if (source.split(fault.right).length !== 2) throw new Error(`${name}: what is right stands there not just once.`)
  if (!(await isRight())) throw new Error(`${name}: the hidden tests refuse what is right.`)
  const broken = source.replace(fault.right, () => fault.broken)
  await write(fault.file, broken)
  if (await isRight()) throw new Error(`${name}: the hidden tests let the fault pass.`)
  const began = performance.now()
  const answer = await openRepair()
    .run(new MemoryTurn({ sandbox }))
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  const seconds = (performance.now() - began) / 1000
  if (answer instanceof Error)
    return { name, seconds, outcome: 'not found', confidence: '', words: firstSentence(answer.message) }
  const outcome = (await isRight()) ? 'right' : 'wrong'
  return { name, seconds, outcome, confidence: confidenceOf(answer), words: answer.summary ?? '' }
}

function confidenceOf({ answer }: Answer): string {
  return /Confidence: (\w+)/.exec(answer)?.[1] ?? 'none'
}

function firstSentence(text: string): string {
  return text.split('\n', 1)[0]!.slice(0, 160)
}

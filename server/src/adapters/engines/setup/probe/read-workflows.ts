import { probeLimits, type FoundCommand, type FoundGroup, type ProbeSource, type WantedTool } from './findings.ts'
import { note, quote, readScript } from './read-script.ts'
import { readYaml, type YamlPlace } from './read-yaml.ts'

type Read = { groups: FoundGroup[]; tools: WantedTool[] }

/** Of one step. */
const variablesMax = 10
const variableCharactersMax = 200

const setupActions: Record<string, [tool: string, input: string]> = {
  'actions/setup-node': ['node', 'node-version'],
  'actions/setup-python': ['python', 'python-version'],
  'actions/setup-go': ['go', 'go-version'],
  'actions/setup-java': ['java', 'java-version'],
  'ruby/setup-ruby': ['ruby', 'ruby-version'],
  'shivammathur/setup-php': ['php', 'php-version'],
  'dtolnay/rust-toolchain': ['rust', 'toolchain'],
  'pnpm/action-setup': ['pnpm', 'version'],
  'astral-sh/setup-uv': ['uv', 'version'],
  'oven-sh/setup-bun': ['bun', 'bun-version'],
}

/** Jobs of GitHub Actions that run for pushes and pull requests, those that test first. */
export async function readWorkflows(source: ProbeSource, notes: string[]): Promise<Read> {
  const files = source.paths
    .filter((path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path) && !/\/copilot-setup-steps\.ya?ml$/.test(path))
    .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other))
    .slice(0, probeLimits.workflowsMax)
  const read: Read = { groups: [], tools: [] }
  for (const path of files) {
    const workflow = await readFile(source, path, notes)
    if (!workflow || !isForChanges(workflow.get('on') ?? workflow.get('true'))) continue
    readJobs(workflow, { path, origin: 'ci', notes }, read)
  }
  const tests = (group: FoundGroup) => (group.commands.some(({ kind }) => kind === 'test') ? 0 : 1)
  read.groups.sort((one, other) => tests(one) - tests(other))
  return read
}

/** What GitHub's own agent is set up by. */
export async function readCopilotSteps(source: ProbeSource, notes: string[]): Promise<Read> {
  const read: Read = { groups: [], tools: [] }
  const path = source.paths.find((one) => /^\.github\/workflows\/copilot-setup-steps\.ya?ml$/.test(one))
  const workflow = path === undefined ? undefined : await readFile(source, path, notes)
  if (path !== undefined && workflow) readJobs(workflow, { path, origin: 'declared', notes }, read)
  return read
}

async function readFile(source: ProbeSource, path: string, notes: string[]): Promise<YamlPlace | undefined> {
  const text = await source.read(path)
  const read = text === null ? undefined : readYaml(text)
  if (!read) note(notes, `${path} cannot be read.`)
  return read
}

const rank = (path: string) => (/\/(?:ci|test|tests|main|build|check)[^/]*$/i.test(path) ? 0 : 1)

function isForChanges(on: YamlPlace | undefined): boolean {
  if (!on) return false
  const names = [on.text, ...on.items.map(({ text }) => text), ...on.entries.map(([name]) => name)]
  return names.some((name) => name === 'push' || name === 'pull_request')
}

type Around = { path: string; origin: 'ci' | 'declared'; notes: string[] }

function readJobs(workflow: YamlPlace, around: Around, read: Read): void {
  const { path, origin } = around
  const defaultFolder = workflow.get('defaults', 'run', 'working-directory')?.text
  for (const [name, job] of (workflow.get('jobs')?.entries ?? []).slice(0, probeLimits.workflowsMax)) {
    if (/^(?:windows|macos)/i.test(job.get('runs-on')?.text ?? '')) continue
    const folder = job.get('defaults', 'run', 'working-directory')?.text ?? defaultFolder
    const steps = (job.get('steps')?.items ?? []).slice(0, probeLimits.commandsMax)
    const commands = steps.flatMap((step) =>
      readStep(step, {
        ...around,
        job: name,
        folder,
        variables: [workflow.get('env'), job.get('env'), step.get('env')],
      }),
    )
    if (commands.length) read.groups.push({ origin, name: `${path}: ${name}`, commands })
    for (const step of steps) read.tools.push(...readSetup(step, job, path))
  }
}

type Step = Around & { job: string; folder?: string | null | undefined; variables: (YamlPlace | undefined)[] }

function readStep(step: YamlPlace, { path, origin, notes, job, folder, variables }: Step): FoundCommand[] {
  const run = step.get('run')
  if (!run?.text || /cmd|pwsh|powershell|python/.test(step.get('shell')?.text ?? '')) return []
  const commands = readScript({
    script: run.text,
    path,
    line: run.line + (run.isBlock ? 1 : 0),
    says: step.get('name')?.text ?? `a step of the job ${job}`,
    folder: step.get('working-directory')?.text ?? folder ?? null,
    isSetup: origin === 'declared',
    notes,
  })
  const read = readVariables(variables)
  return read ? commands.map((found) => ({ ...found, command: `export ${read}; ${found.command}` })) : commands
}

/** What steps are given in their environment, but for what only the CI can fill in. */
function readVariables(places: (YamlPlace | undefined)[]): string {
  const all = places.flatMap((place) => place?.entries ?? [])
  const plain = all.filter(([name, { text }]) => /^[A-Za-z_]\w{0,60}$/.test(name) && isPlain(text))
  const last = new Map(plain.map(([name, { text }]) => [name, text ?? '']))
  return [...last]
    .slice(0, variablesMax)
    .map(([name, text]) => `${name}=${quote(text)}`)
    .join(' ')
}

const isPlain = (text: string | null) =>
  text !== null && text.length <= variableCharactersMax && !/\$\{\{|[\n\r]/.test(text)

function readSetup(step: YamlPlace, job: YamlPlace, path: string): WantedTool[] {
  const action = step.get('uses')?.text?.split('@')[0] ?? ''
  const [tool, input] = setupActions[action] ?? []
  if (!tool || !input) return []
  const value = step.get('with', input)
  const version = value && versionOf(value, job)
  return version ? [{ name: tool, version, why: { path, line: value.line, says: action } }] : []
}

/** The newest of a matrix: it is written last. */
function versionOf({ text }: YamlPlace, job: YamlPlace): string | undefined {
  const [, name] = /^\$\{\{\s*matrix\.([\w-]+)\s*\}\}$/.exec(text ?? '') ?? []
  if (name === undefined) return text === null || text.includes('${{') ? undefined : text
  return job.get('strategy', 'matrix', name)?.items.at(-1)?.text ?? undefined
}

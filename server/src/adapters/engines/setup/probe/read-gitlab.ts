import { probeLimits, type FoundCommand, type FoundGroup, type ProbeSource } from './findings.ts'
import { note, readScript } from './read-script.ts'
import { readYaml, type YamlPlace } from './read-yaml.ts'

const path = '.gitlab-ci.yml'
/** Words of the file's top that name no job. */
const reserved = new Set([
  'default',
  'include',
  'stages',
  'variables',
  'workflow',
  'image',
  'services',
  'cache',
  'pages',
])

/** Jobs of GitLab's CI, those that test first. */
export async function readGitlab(source: ProbeSource, notes: string[]): Promise<FoundGroup[]> {
  if (!source.paths.includes(path)) return []
  const file = readYaml((await source.read(path)) ?? '')
  if (!file) {
    note(notes, `${path} cannot be read.`)
    return []
  }
  const before = file.get('default', 'before_script') ?? file.get('before_script')
  const jobs = file.entries.filter(([name, job]) => job.get('script') && !reserved.has(name) && !name.startsWith('.'))
  const groups = jobs.slice(0, probeLimits.workflowsMax).flatMap(([name, job]): FoundGroup[] => {
    const scripts = [job.get('before_script') ?? before, job.get('script')]
    const commands = scripts.flatMap((script) => readLines(script, name, notes))
    return commands.length ? [{ origin: 'ci', name: `${path}: ${name}`, commands }] : []
  })
  const tests = ({ commands }: FoundGroup) => (commands.some(({ kind }) => kind === 'test') ? 0 : 1)
  return groups.sort((one, other) => tests(one) - tests(other))
}

function readLines(script: YamlPlace | undefined, job: string, notes: string[]): FoundCommand[] {
  const lines = script?.items.length ? script.items : script ? [script] : []
  return lines.slice(0, probeLimits.commandsMax).flatMap(({ text, line, isBlock }) => {
    const script = { script: text ?? '', path, line: line + (isBlock ? 1 : 0), says: `the job ${job}`, notes }
    return text ? readScript(script) : []
  })
}

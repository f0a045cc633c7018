import { probeLimits, type Findings, type ProbeSource } from './findings.ts'
import { findStacks } from './find-stacks.ts'
import { readDeclared } from './read-declared.ts'
import { readGitlab } from './read-gitlab.ts'
import { readTools } from './read-tools.ts'
import { readCopilotSteps, readWorkflows } from './read-workflows.ts'

/**
 * Reads how a repository is set up and tried: first what it declares, then what its CI does, then what follows from its
 * lock files. Nothing is run, and nothing in the files, which are foreign, makes it take long.
 */
export async function probeSetup(options: ProbeSource): Promise<Findings> {
  const source = bound(options)
  const notes: string[] = []
  const copilot = await readCopilotSteps(source, notes)
  const declared = await readDeclared(source, notes)
  const workflows = await readWorkflows(source, notes)
  const gitlab = await readGitlab(source, notes)
  const stacks = await findStacks(source)
  const own = declared.filter(({ name }) => name === '.runwright.yml')
  const others = declared.filter((group) => !own.includes(group))
  const groups = [...own, ...copilot.groups, ...others, ...workflows.groups, ...gitlab, ...stacks.groups]
  const tools = [...(await readTools(source)), ...copilot.tools, ...workflows.tools]
  const known = new Set<string>()
  return {
    groups: keepLast(groups.map((group) => ({ ...group, commands: group.commands.slice(0, probeLimits.commandsMax) }))),
    tools: tools.filter(({ name, version }) => !known.has(`${name} ${version}`) && known.add(`${name} ${version}`)),
    lockfiles: stacks.lockfiles,
    notes,
  }
}

/** Of too many the last stays: what follows from lock files is there whatever else was found. */
function keepLast<Group>(groups: Group[]): Group[] {
  const { groupsMax } = probeLimits
  return groups.length <= groupsMax ? groups : [...groups.slice(0, groupsMax - 1), ...groups.slice(-1)]
}

/** Each file is read once, and no more than so many of them. */
function bound(source: ProbeSource): ProbeSource {
  const texts = new Map<string, Promise<string | null>>()
  return {
    paths: source.paths.slice(0, probeLimits.pathsMax),
    read: async (path) => {
      const known = texts.get(path)
      if (known) return known
      if (texts.size >= probeLimits.filesMax) return null
      const text = source.read(path).then((found) => (found === null || found.includes('\0') ? null : found))
      texts.set(path, text)
      return text
    },
  }
}

import { probeLimits, type Findings, type FoundCommand, type FoundGroup, type WantedTool } from './findings.ts'

/** One way to set up a work tree, and what to try it with, the likeliest first. */
export type SetupPlan = {
  install: string[]
  tests: string[]
  /** Where it is from. */
  from: string
}

export type PlanSetup = {
  findings: Findings
  /** Names of the programs that are there. */
  available: readonly string[]
}

export const plansMax = 8
export const testsMax = 4

/** Programs that setups use and that may be missing: what is looked for. */
export const soughtTools = [
  'npm',
  'npx',
  'pnpm',
  'yarn',
  'bun',
  'python3',
  'pip',
  'uv',
  'poetry',
  'pipenv',
  'go',
  'cargo',
  'mvn',
  'gradle',
  'composer',
  'bundle',
  'make',
  'node',
  'corepack',
] as const

/**
 * What is worth trying, in order: each group's own installation, then the same with what the group builds, since tests may
 * need that. A manager of packages that is missing is fetched by one that is there.
 */
export function planSetup({ findings, available }: PlanSetup): SetupPlan[] {
  const { groups, tools } = findings
  const tests = commandsOf(groups, 'test')
  const adapt = (commands: string[]) => withStandIns(commands, { available, tools })
  const plans = groups.flatMap((group): SetupPlan[] => {
    const [install, build, own] = (['install', 'build', 'test'] as const).map((kind) => commandsOf([group], kind))
    if (!install?.length) return []
    const { prelude, commands } = adapt(install)
    const ordered = [...new Set([...(own ?? []), ...tests].flatMap((test) => adapt([test]).commands))].slice(
      0,
      testsMax,
    )
    const plain = { install: [...prelude, ...commands], tests: ordered, from: group.name }
    const built = adapt(build ?? []).commands
    return built.length ? [plain, { ...plain, install: [...plain.install, ...built] }] : [plain]
  })
  // Nothing is to be installed where only tests were found.
  if (!plans.length && tests.length) {
    const { prelude, commands } = adapt(tests.slice(0, testsMax))
    plans.push({ install: prelude, tests: commands, from: groups.find(hasTest)?.name ?? '' })
  }
  const known = new Set<string>()
  const fit = plans.filter(({ install }) => {
    const text = install.join('\n')
    const isNew = !known.has(text) && text.length <= probeLimits.planCharactersMax
    known.add(text)
    return isNew
  })
  // Of too many the last stays: what follows from lock files.
  return fit.length <= plansMax ? fit : [...fit.slice(0, plansMax - 1), ...fit.slice(-1)]
}

const hasTest = ({ commands }: FoundGroup) => commands.some(({ kind }) => kind === 'test')

function commandsOf(groups: FoundGroup[], kind: FoundCommand['kind']): string[] {
  const found = groups.flatMap(({ commands }) => commands.filter((one) => one.kind === kind))
  return [...new Set(found.map(({ command }) => command))]
}

type StandIn = (version: string | undefined) => { prelude: string[]; command: string }

/** From the registry that the repository's own settings name, in the version that it asks for. */
const byNpx =
  (name: string): StandIn =>
  (version) => ({ prelude: [], command: `npx --yes ${name}${version ? `@${version}` : ''}` })

const byPip =
  (name: string): StandIn =>
  (version) => {
    const folder = `~/.local/share/${name}`
    const pinned = version && /^\d[\w.]*$/.test(version) ? `${name}==${version}` : name
    return {
      prelude: [`python3 -m venv ${folder}`, `${folder}/bin/pip install --quiet ${pinned}`],
      command: `${folder}/bin/${name}`,
    }
  }

const standIns: Record<string, StandIn> = {
  pnpm: byNpx('pnpm'),
  bun: byNpx('bun'),
  // Since its second version it is another package.
  yarn: (version) =>
    version && !version.startsWith('1.')
      ? { prelude: [], command: `npx --yes --package @yarnpkg/cli-dist@${version} yarn` }
      : byNpx('yarn')(version ?? '1'),
  uv: byPip('uv'),
  poetry: byPip('poetry'),
  pipenv: byPip('pipenv'),
}

/** Names of `standIns`, as a command's first word. */
const firstWord = /(^|&& |; |\()(pnpm|bun|yarn|uv|poetry|pipenv)(?=\s|$)/g

type Around = { available: readonly string[]; tools: readonly WantedTool[] }

function withStandIns(commands: string[], { available, tools }: Around): { prelude: string[]; commands: string[] } {
  const used = new Set(commands.flatMap((command) => [...command.matchAll(firstWord)].map(([, , name]) => name)))
  const instead = new Map(
    Object.entries(standIns)
      .filter(([name]) => used.has(name) && !available.includes(name))
      .map(([name, standIn]) => [name, standIn(tools.find((tool) => tool.name === name)?.version)]),
  )
  return {
    prelude: [...instead.values()].flatMap(({ prelude }) => prelude),
    commands: commands.map((command) =>
      command.replaceAll(firstWord, (whole, before: string, name: string) => {
        const standIn = instead.get(name)
        return standIn ? before + standIn.command : whole
      }),
    ),
  }
}

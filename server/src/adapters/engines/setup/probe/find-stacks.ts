import type { FoundCommand, FoundGroup, ProbeSource } from './findings.ts'
import { probeLimits } from './findings.ts'
import { findNodeStack } from './find-node-stack.ts'
import { findPythonStack } from './find-python-stack.ts'
import { inFolder } from './read-script.ts'
import type { Stack, StackFolder } from './stack.ts'

type FindStack = (folder: StackFolder) => Promise<Stack | undefined>

const finders: FindStack[] = [
  findNodeStack,
  findPythonStack,
  goStack,
  cargoStack,
  mavenStack,
  gradleStack,
  phpStack,
  rubyStack,
]

const manifests =
  /(?:^|\/)(?:package\.json|pyproject\.toml|requirements\.txt|Pipfile|setup\.py|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Gemfile)$/
const elsewhere =
  /(?:^|\/)(?:node_modules|vendor|third_party|testdata|fixtures?|examples?|test|tests|__tests__|docs?|templates?|\.[^/]{1,255})\//

/** Of the folders with a manifest, so many are compared. */
const foldersMax = 200

/**
 * What follows from manifests and lock files: of the top folder; or, where that has none, of the first few below it. All
 * stacks of the found folders are one group, since a work tree is set up as a whole.
 */
export async function findStacks(source: ProbeSource): Promise<{ groups: FoundGroup[]; lockfiles: string[] }> {
  const commands: FoundCommand[] = []
  const lockfiles: string[] = []
  for (const root of findRoots(source)) {
    for (const find of finders) {
      const stack = await find(openFolder(source, root))
      if (!stack) continue
      const path = root + stack.lockfile
      lockfiles.push(path)
      const why = { path, line: null, says: stack.says }
      for (const kind of ['install', 'build', 'test', 'lint'] as const)
        commands.push(...(stack[kind] ?? []).map((command) => ({ kind, command: inFolder(command, root), why })))
    }
  }
  return { groups: commands.length ? [{ origin: 'lockfile', name: 'lock files', commands }] : [], lockfiles }
}

/** Folders, each with a slash at its end; the top is an empty name. */
function findRoots({ paths }: ProbeSource): string[] {
  const found = paths.filter((path) => manifests.test(path) && !elsewhere.test(path))
  if (found.some((path) => !path.includes('/'))) return ['']
  const folders = found.map((path) => path.slice(0, path.lastIndexOf('/') + 1))
  const depth = (folder: string) => folder.split('/').length
  const all = [...new Set(folders)]
    .sort((one, other) => depth(one) - depth(other) || one.localeCompare(other))
    .slice(0, foldersMax)
  // A folder within another root belongs to that one's workspace.
  return all
    .filter((folder) => !all.some((other) => other !== folder && folder.startsWith(other)))
    .slice(0, probeLimits.rootsMax)
}

function openFolder(source: ProbeSource, root: string): StackFolder {
  const known = new Set(source.paths)
  return {
    has: (name) => known.has(root + name),
    below: (pattern) => source.paths.some((path) => path.startsWith(root) && pattern.test(path)),
    read: async (name) => (known.has(root + name) ? source.read(root + name) : null),
  }
}

async function goStack({ has, below }: StackFolder): Promise<Stack | undefined> {
  if (!has('go.mod')) return undefined
  return {
    lockfile: has('go.sum') ? 'go.sum' : 'go.mod',
    says: 'a module of Go',
    install: ['go mod download'],
    build: ['go build ./...'],
    // Without any it passes too, and says nothing.
    test: below(/_test\.go$/) ? ['go test ./...'] : [],
    lint: ['go vet ./...'],
  }
}

async function cargoStack({ has }: StackFolder): Promise<Stack | undefined> {
  if (!has('Cargo.toml')) return undefined
  const locked = has('Cargo.lock') ? ' --locked' : ''
  return {
    lockfile: locked ? 'Cargo.lock' : 'Cargo.toml',
    says: 'a package of Rust',
    install: [`cargo fetch${locked}`],
    build: [`cargo build${locked}`],
    test: [`cargo test${locked}`],
    lint: ['cargo clippy'],
  }
}

async function mavenStack({ has, below }: StackFolder): Promise<Stack | undefined> {
  if (!has('pom.xml')) return undefined
  const maven = has('mvnw') ? './mvnw' : 'mvn'
  return {
    lockfile: 'pom.xml',
    says: 'a project of Maven',
    install: [`${maven} -B -ntp -DskipTests test-compile`],
    build: [`${maven} -B -ntp -DskipTests package`],
    test: below(/src\/test\//) ? [`${maven} -B -ntp test`] : [],
  }
}

async function gradleStack({ has, below }: StackFolder): Promise<Stack | undefined> {
  const file = ['build.gradle.kts', 'build.gradle'].find(has)
  if (!file) return undefined
  const gradle = has('gradlew') ? './gradlew' : 'gradle'
  return {
    lockfile: has('gradle.lockfile') ? 'gradle.lockfile' : file,
    says: 'a project of Gradle',
    install: [`${gradle} --no-daemon testClasses`],
    build: [`${gradle} --no-daemon assemble`],
    test: below(/src\/test\//) ? [`${gradle} --no-daemon test`] : [],
  }
}

async function phpStack({ has, read }: StackFolder): Promise<Stack | undefined> {
  if (!has('composer.json')) return undefined
  const hasScript = /"test"\s*:/.test((await read('composer.json')) ?? '')
  return {
    lockfile: has('composer.lock') ? 'composer.lock' : 'composer.json',
    says: 'a package of Composer',
    install: ['composer install --no-interaction --no-progress'],
    test: hasScript ? ['composer test'] : has('phpunit.xml') || has('phpunit.xml.dist') ? ['vendor/bin/phpunit'] : [],
  }
}

async function rubyStack({ has, below }: StackFolder): Promise<Stack | undefined> {
  if (!has('Gemfile')) return undefined
  const test = below(/_spec\.rb$/) ? ['bundle exec rspec'] : has('Rakefile') ? ['bundle exec rake test'] : []
  return {
    lockfile: has('Gemfile.lock') ? 'Gemfile.lock' : 'Gemfile',
    says: 'a bundle',
    install: ['bundle install'],
    test,
  }
}

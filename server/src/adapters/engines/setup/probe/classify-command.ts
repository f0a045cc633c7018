import type { CommandKind } from './findings.ts'

/** What runs other programs of the project: `npm run`, `uv run`, `npx`. */
const runner = String.raw`(?:(?:npm|pnpm|yarn|bun)(?: run)? |npx (?:--yes |-y )?|uv run |poetry run |pipenv run |pdm run |bundle exec |hatch run )?`

const patterns: [CommandKind, RegExp[]][] = [
  [
    'install',
    [
      new RegExp(
        String.raw`^(?:npm (?:ci|i|install)|npm clean-install|pnpm (?:-r )?(?:i|install)|bun install)(?: -|$)`,
      ),
      new RegExp(String.raw`^yarn(?: install)?(?: --|$)`),
      new RegExp(String.raw`^(?:\S{0,200}/)?(?:pip3?|python3? -m pip|uv pip) install\b`),
      new RegExp(String.raw`^(?:python3? -m venv|uv venv|virtualenv)\b`),
      new RegExp(String.raw`^(?:uv sync|poetry install|pipenv (?:install|sync)|pdm (?:install|sync))\b`),
      new RegExp(String.raw`^(?:go mod (?:download|vendor)|go get \.|go install \.|cargo fetch)`),
      new RegExp(String.raw`^(?:composer|bundle|mix deps\.get|dotnet restore)(?: install|$|\s--)`),
      new RegExp(String.raw`^(?:\./mvnw|mvn)\b.{0,300}(?:dependency:|-DskipTests|-Dmaven\.test\.skip)`),
      new RegExp(String.raw`^(?:\./gradlew|gradle)\b.{0,300} (?:assemble|testClasses|dependencies)\b`),
      new RegExp(
        String.raw`^(?:make|just|task) (?:deps|dependencies|setup|bootstrap|init|install-deps|install-dev|dev-install|venv)\b`,
      ),
      new RegExp(String.raw`^(?:npm|pnpm|yarn|bun)(?: run)? (?:setup|bootstrap)\b`),
      new RegExp(String.raw`^(?:bash |sh )?(?:\./)?(?:script|scripts|bin)/(?:setup|bootstrap)(?:\.sh)?\b`),
    ],
  ],
  [
    'test',
    [
      new RegExp(
        String.raw`^(?:npm|pnpm|yarn|bun)(?: -r| run| --recursive){0,4} (?:test|t|tests|unit)(?::[\w:-]{1,60})?\b`,
      ),
      new RegExp(
        String.raw`^${runner}(?:jest|vitest|mocha|ava|pytest|py\.test|tox|nox|rspec|phpunit|karma|rake test|rails test)\b`,
      ),
      new RegExp(String.raw`^(?:\S{0,200}/)?(?:python3? -m (?:pytest|unittest|tox|nox)|pytest|tox)\b`),
      new RegExp(String.raw`^(?:uv|poetry|pipenv|pdm) run python3? -m (?:pytest|unittest)\b`),
      new RegExp(
        String.raw`^(?:go test|gotestsum|cargo (?:\+\S{1,200} )?(?:test|nextest)|dotnet test|mix test|deno test|node --test)\b`,
      ),
      new RegExp(String.raw`^(?:\./mvnw|mvn)\b.{0,300} (?:test|verify)\b`),
      new RegExp(String.raw`^(?:\./gradlew|gradle)\b.{0,300} (?:test|check)\b`),
      new RegExp(String.raw`^(?:make|just|task) (?:test|tests|check|unit|unit-test|test-unit)\b`),
      new RegExp(String.raw`^(?:composer (?:run )?test|(?:\./)?vendor/bin/phpunit|bin/rails test)\b`),
    ],
  ],
  [
    'lint',
    [
      new RegExp(
        String.raw`^(?:npm|pnpm|yarn|bun)(?: -r| run){0,4} (?:lint|format|fmt|typecheck|type-check|types)(?::[\w:-]{1,60})?\b`,
      ),
      new RegExp(
        String.raw`^${runner}(?:eslint|oxlint|prettier|biome|ruff|flake8|black|mypy|pyright|isort|tsc --noEmit|rubocop)\b`,
      ),
      new RegExp(
        String.raw`^(?:golangci-lint|go vet|gofmt|staticcheck|cargo (?:clippy|fmt|deny|audit)|pre-commit run)\b`,
      ),
      new RegExp(String.raw`^(?:make|just|task) (?:lint|fmt|format|vet)\b`),
    ],
  ],
  [
    'build',
    [
      new RegExp(
        String.raw`^(?:npm|pnpm|yarn|bun)(?: -r| run){0,4} (?:build|compile|generate|codegen|prepare)(?::[\w:-]{1,60})?\b`,
      ),
      new RegExp(String.raw`^(?:go (?:build|generate)|cargo build|dotnet build|mix compile)\b`),
      new RegExp(String.raw`^(?:\./mvnw|mvn)\b.{0,300} (?:compile|package|install)\b`),
      new RegExp(String.raw`^(?:\./gradlew|gradle)\b.{0,300} build\b`),
      new RegExp(String.raw`^(?:make|just|task) (?:build|all|generate|compile)\b|^make$`),
      new RegExp(String.raw`^${runner}(?:tsc|vite build|webpack|rollup|esbuild|prisma generate)\b`),
    ],
  ],
]

/** What an agent's sandbox cannot do, or what is nobody's business there. */
const unfit: [RegExp, string][] = [
  [/\$\{\{/, 'it holds an expression of the CI'],
  [
    /\bsudo\b|\b(?:apt|apt-get|yum|dnf|apk|brew|choco|snap) (?:-\S{1,60} ){0,8}(?:install|add|update|upgrade)\b/,
    'it needs root',
  ],
  [/\bdocker\b|\bdocker-compose\b|\bpodman\b|\bsystemctl\b|\bservice \w{1,60} start\b/, 'it needs a daemon'],
  [
    /\b(?:npm|pnpm|yarn|cargo|poetry|uv|gem|twine)\b.{0,200} (?:publish|upload|push|login)\b|\bgit push\b|\bgh (?:release|pr)\b/,
    'it publishes',
  ],
  [
    /\b(?:npm|pnpm|yarn) (?:install|i|add) .{0,200}(?:-g|--global)\b|\bnpm (?:-g|--global)\b/,
    'it installs for the whole machine',
  ],
]

/** What a line of shell is for; null: nothing that is known. A chain is what its most telling part is. */
export function classifyCommand(command: string): CommandKind | null {
  const parts = command
    .split(/&&|;|\n/)
    .map((part) => withoutBrackets(part.trim()))
    .map((part) => part.replace(/^(?:(?:env |time |xvfb-run (?:-\S+ )*)|[A-Z_][A-Z0-9_]*=\S*\s+)+/, ''))
  const kinds = parts.map((part) => patterns.find(([, forms]) => forms.some((form) => form.test(part)))?.[0] ?? null)
  const order: CommandKind[] = ['test', 'install', 'build', 'lint']
  return order.find((kind) => kinds.includes(kind)) ?? null
}

function withoutBrackets(command: string): string {
  const opened = command.startsWith('(') ? command.slice(1).trimStart() : command
  return opened.endsWith(')') ? opened.slice(0, -1).trimEnd() : opened
}

/** Why a command is left alone; null: it may be tried. */
export function whyUnfit(command: string): string | null {
  return unfit.find(([pattern]) => pattern.test(command))?.[1] ?? null
}

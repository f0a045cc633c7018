import type { Engine } from '#adapters/engines/engine.ts'
import type { EngineInstall } from '#domain/runs/engine-installs/engine-install.ts'
import type { Components } from '#http/schemas/index.ts'

type Present = {
  engine: Engine
  hasOwnModels: boolean
  /** Of all engines. */
  installs: EngineInstall[]
  mayInstall: boolean
}

/** An engine, and what each machine has of it where it is installed there. */
export function presentEngine(
  name: string,
  { engine, hasOwnModels, installs, mayInstall }: Present,
): Components['Engine'] {
  const { title = name, package: installable } = engine
  const machines = installs
    .filter((install) => install.engine === name)
    .map((install) => {
      const { machine, version, problem } = install
      return { machine, version, problem, state: stateOf(install, installable?.newest) }
    })
  return {
    name,
    title,
    ...engine.availability(hasOwnModels),
    package: installable ? { newest: installable.newest, may_install: mayInstall, machines } : null,
  }
}

type State = 'missing' | 'installing' | 'outdated' | 'newest'

function stateOf({ isInstalling, version }: EngineInstall, newest: string | undefined): State {
  if (isInstalling) return 'installing'
  if (version === null) return 'missing'
  return version === newest ? 'newest' : 'outdated'
}

import { triesAll } from '#test/cases-of-commit.ts'
import { type ContainerEngine, startEngine } from '#test/container-engine.ts'
import { type DockerEngine, startDocker } from '#test/docker-engine.ts'

/** Podman with a runtime, or Docker with its own. */
export type SuiteEngine = 'runc' | 'runsc' | 'docker'

/** For whole suites that are repeated in containers. They take minutes, with gVisor many, as it traces each call. */
export async function startEngineForSuite(name: SuiteEngine): Promise<DockerEngine | ContainerEngine | string> {
  if (name !== 'runc' && !triesAll) return 'It takes long. Set RUNWRIGHT_TEST_ALL=1 to run it.'
  return name === 'docker' ? startDocker() : startEngine({ runtime: name })
}

import path from 'node:path'
import { agentSpecs } from '#adapters/engines/acp/agents/agent-specs.ts'
import { openAcp } from '#adapters/engines/acp/open-acp.ts'
import type { Config } from '#base/config/config.ts'

const names = agentSpecs.map(({ name }) => name).join(', ')
const usage = `"engines" lists the agents that can be installed; "engines install <name>" installs one of ${names}.`

/** What the operator asks for of the agents that people use already. */
export async function runEnginesCommand(config: Config, [verb = 'list', name, ...others]: string[]): Promise<void> {
  const { npmEnvironment } = config.engines
  const engines = agentSpecs.map((spec) =>
    openAcp(spec, { folder: path.join(config.dataDir, 'engines', spec.name), models: config.model, npmEnvironment }),
  )
  const chosen = engines.find((one) => one.name === name)
  if (verb === 'install' && chosen && others.length === 0) {
    process.stdout.write(`Installing ${chosen.title} …\n`)
    await chosen.package?.install()
  } else if (verb !== 'list' || name !== undefined) throw new Error(usage)
  for (const engine of engines)
    process.stdout.write(
      `${engine.name}  ${engine.title}, ${engine.package?.newest}: ${engine.availability().reason ?? 'available'}\n`,
    )
}

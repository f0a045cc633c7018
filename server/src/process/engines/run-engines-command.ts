import path from 'node:path'
import { agentSpecs } from '#adapters/engines/acp/agents/agent-specs.ts'
import { openAcp } from '#adapters/engines/acp/open-acp.ts'
import type { Config } from '#base/config/config.ts'
import { installAgent } from './install-agent.ts'

const names = agentSpecs.map(({ name }) => name).join(', ')
const usage = `"engines" lists the agents that can be installed; "engines install <name>" installs one of ${names}.`
/** What npm needs of the environment, besides its own settings. */
const passed = /^(?:PATH|HOME|LANG|TMPDIR|HTTPS?_PROXY|NO_PROXY|NODE_EXTRA_CA_CERTS|npm_config_.*)$/i

/** What the operator asks for of the agents that people use already. */
export async function runEnginesCommand(
  config: Config,
  [verb = 'list', name, ...others]: string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const folder = path.join(config.dataDir, 'engines')
  const spec = agentSpecs.find((one) => one.name === name)
  if (verb === 'install' && spec && others.length === 0) {
    process.stdout.write(`Installing ${spec.title} …\n`)
    const own = Object.entries(env).filter((entry): entry is [string, string] => passed.test(entry[0]) && !!entry[1])
    await installAgent({ spec, folder, env: Object.fromEntries(own) })
  } else if (verb !== 'list' || name !== undefined) throw new Error(usage)
  for (const one of agentSpecs) {
    const { reason } = openAcp(one, { folder: path.join(folder, one.name), models: config.model }).availability()
    const versions = Object.entries(one.packages).map(([name, version]) => `${name} ${version}`)
    process.stdout.write(`${one.name}  ${one.title}, ${versions.join(', ')}: ${reason ?? 'available'}\n`)
  }
}

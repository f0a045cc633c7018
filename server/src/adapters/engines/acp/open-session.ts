import { methods } from '@agentclientprotocol/sdk'
import { EngineError, type Turn } from '#adapters/engines/engine.ts'
import { initializing, type ConnectedAgent } from './connect-agent.ts'
import type { AgentSpec } from './agents/agent-spec.ts'

/** An agent starts in a second or two, and in many where the machine is busy. */
const START_MS_MAX = 120_000

export type OpenSession = {
  agent: ConnectedAgent
  spec: Pick<AgentSpec, 'title' | 'authMethod' | 'mode'>
  turn: Turn
  /** Of an earlier start. */
  known: string | null
  /** MCP servers that the agent is to start, as the protocol has them. */
  servers: readonly object[]
}

export type AgentSession = {
  id: string
  /** Whether it is the one of an earlier start, with all that it knows. */
  isLoaded: boolean
  takesImages: boolean
}

type Capabilities = { loadSession?: boolean; promptCapabilities?: { image?: boolean } }

/** Takes up the session that the agent has kept of this run, or begins one. Rejects with an `EngineError`. */
export async function openSession(request: OpenSession): Promise<AgentSession> {
  const late = AbortSignal.timeout(START_MS_MAX)
  const opening = open(request)
  const tooLate = new Promise<never>((_, reject) =>
    late.addEventListener('abort', () =>
      reject(new EngineError('engine_error', `${request.spec.title} did not start in ${START_MS_MAX / 1000} s.`)),
    ),
  )
  return Promise.race([opening, tooLate])
}

async function open({ agent, spec, turn, known: earlier, servers }: OpenSession): Promise<AgentSession> {
  const { agentCapabilities: able } = await agent.request<{ agentCapabilities?: Capabilities }>(
    methods.agent.initialize,
    initializing,
  )
  if (spec.authMethod) await agent.request(methods.agent.authenticate, { methodId: spec.authMethod })
  const at = { cwd: turn.sandbox.paths.workspace, mcpServers: servers }
  const takesImages = able?.promptCapabilities?.image === true
  const known = able?.loadSession ? earlier : null
  const isLoaded = known !== null && (await load(agent, { sessionId: known, ...at }))
  const id = isLoaded ? known : await begin(agent, { spec, at })
  // One that has no such mode asks for permissions, which it is given.
  if (spec.mode)
    await agent.request(methods.agent.session.setMode, { sessionId: id, modeId: spec.mode }).catch(() => {})
  return { id, isLoaded, takesImages }
}

async function begin(agent: ConnectedAgent, { spec, at }: { spec: OpenSession['spec']; at: object }): Promise<string> {
  const { sessionId } = await agent.request<{ sessionId?: unknown }>(methods.agent.session.new, at)
  if (typeof sessionId !== 'string' || sessionId.length > 1_000)
    throw new EngineError('engine_error', `${spec.title} has begun a session without a name for it.`)
  return sessionId
}

/** What it has lost, or cannot read, is begun anew. */
async function load(agent: ConnectedAgent, session: object): Promise<boolean> {
  return agent.request(methods.agent.session.load, session).then(
    () => true,
    () => false,
  )
}

/** The key of the step that keeps the name of the session. */
export const sessionKey = (turn: number, number: number) => `t${turn}/session/${number}`

// An agent that speaks the Agent Client Protocol and does what its prompt says, in real sandboxes: `programs/acp-agent.mjs`.
import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import type { AgentSpec } from '#adapters/engines/acp/agents/agent-spec.ts'
import { openAcp } from '#adapters/engines/acp/open-acp.ts'
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { EngineError, type Answer } from '#adapters/engines/engine.ts'
import { Secret } from '#base/secrets/secret.ts'
import { MemoryTurn, type MemoryTurnOptions } from '#test/memory-turn.ts'

const MiB = 1024 * 1024
export const base = mkdtempSync(path.join(os.tmpdir(), 'acp-'))
chmodSync(base, 0o711)
export const folder = path.join(base, 'engine')
mkdirSync(path.join(folder, 'node_modules'), { recursive: true })
cpSync(path.resolve(import.meta.dirname, 'programs/acp-agent.mjs'), path.join(folder, 'node_modules/agent.mjs'))
const provider = openBubblewrap({ folder: path.join(base, 'sandboxes') })
after(async () => {
  for (const id of await provider.list()) await provider.remove(id)
  await removeTree(base)
})

export const spec: AgentSpec = {
  name: 'scripted_agent',
  title: 'The agent',
  packages: {},
  provider: 'anthropic',
  entry: 'agent.mjs',
  command: ({ node, modules }) => [node, `${modules}/agent.mjs`],
  environment: ({ id, baseUrl }) => ({ MODEL: id, BASE: baseUrl }),
  tokenVariables: ['TOKEN_VARIABLE'],
  files: () => ({ 'settings/agent.json': '{}' }),
  authMethod: 'key',
  mode: 'yolo',
}
export const models = { anthropic: { apiKey: new Secret('sk-1'), baseUrl: undefined } }
export const engine = openAcp(spec, { folder, models, outputBytesMax: 32 * MiB })

let made = 0
export async function openSandbox(id = `acp-${++made}`): Promise<Sandbox> {
  const sandbox = await provider.create({
    id,
    limits: { memoryBytes: 512 * MiB, processes: 128, diskBytes: 256 * MiB, lifetimeMs: 120_000 },
    mounts: { engine: folder },
    network: { connect: (socket) => socket.destroy(), environment: () => ({ RUNWRIGHT_RUN_TOKEN: 'run-token' }) },
  })
  await sandbox.exec({ shell: 'git init -q && git commit -q --allow-empty -m Start', timeoutMs: 10_000 }).result
  return sandbox
}

type Play = Partial<MemoryTurnOptions>

export async function play(
  prompt: string,
  more: Play = {},
): Promise<{ turn: MemoryTurn; answer: Answer; sandbox: Sandbox }> {
  const sandbox = more.sandbox ?? (await openSandbox())
  const turn = new MemoryTurn({ prompt, ...more, sandbox })
  const answer = await engine.run(turn)
  return { turn, answer, sandbox }
}

export const failsWith = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof EngineError, String(error))
  assert.equal(error.code, code)
  assert.match(error.message, message)
  return true
}

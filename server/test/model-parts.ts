import os from 'node:os'
import { after } from 'node:test'
import { startModelServer, type ModelScript, type ModelServer, type ScriptedReply } from './model-server.ts'
import type { Wire } from './model-wires.ts'
import { startService, type Service } from './service.ts'
import { testDb } from './test-db.ts'

/** How the model of one run answers. `asked` counts its requests. */
export type ModelPart = { wire: Wire; reply: Exclude<ModelScript, unknown[]>; asked: number }
export type AllWires = {
  service: Service
  model: ModelServer
  key: string
  at: string
  play(name: string, part: Omit<ModelPart, 'asked'>): ModelPart
}

const providers = { anthropic: 'anthropic', chat: 'openai', responses: 'openai', google: 'google' } as const

/** A model as a run names it. */
export const modelName = (wire: Wire, name: string) => `${providers[wire]}/${name}`

/** Of the worker that speaks it: which wire of OpenAI is spoken is a setting of a process. */
export const labelOf = (wire: Wire) => (wire === 'responses' ? 'responses' : 'chat')

/**
 * One service whose runs are asked for over all four wires, at the same time: each run names a model of its own, and is answered as
 * that model's part says. Without a label a run takes any wire of OpenAI.
 */
export async function startAllWires(slots: number): Promise<AllWires> {
  const parts = new Map<string, ModelPart>()
  const script = async (request: Parameters<ModelPart['reply']>[0]): Promise<ScriptedReply> => {
    const { model: named } = request.body
    const name = typeof named === 'string' ? named : (/models\/([^:]+):/.exec(request.path)?.[1] ?? '')
    const part = parts.get(name)
    if (!part || part.wire !== request.wire)
      return { status: 400, message: `Nobody plays ${name} over ${request.wire}.` }
    return part.reply(request, ++part.asked)
  }
  const model = await startModelServer(script)
  after(() => model.close())
  const key = 'sk-test-key-that-must-never-be-seen-0123456789'
  const db = await testDb()
  const service = await startService({
    databaseUrl: db.url,
    role: 'api',
    env: {
      RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
      RUNWRIGHT_WORKER_SLOTS: String(slots),
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: model.url,
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: `${model.url}/v1`,
      GOOGLE_GENERATIVE_AI_API_KEY: key,
      GOOGLE_BASE_URL: model.url,
    },
  })
  await Promise.all([
    service.startWorker({ RUNWRIGHT_WORKER_LABELS: 'chat' }),
    service.startWorker({ RUNWRIGHT_WORKER_LABELS: 'responses', OPENAI_WIRE: 'responses' }),
  ])
  const at = `/v1/organizations/${service.organizationId}`
  await service.call('PATCH', at, { limits: { max_running: 2 * slots } })
  const play: AllWires['play'] = (name, { wire, reply }) => {
    const part = { wire, reply, asked: 0 }
    parts.set(name, part)
    return part
  }
  return { service, model, key, at, play }
}

/** What the service hears of a remote worker. None of it is trusted: who runs that machine can say what they like. */
import { z } from 'zod'
import { enforcements } from '#base/enforcement.ts'
import { labelPattern } from '#base/labels.ts'

const text = (max: number) => z.string().max(max)
/** What is stored and shown of it as it is. */
const word = (max: number) => text(max).regex(/^[\x20-\x7e]+$/)
const enforcement = z.enum(enforcements)
const report = z.object({
  memory: enforcement,
  cpu: enforcement,
  processes: enforcement,
  disk: enforcement,
  network: enforcement,
  kill: enforcement,
})
const path = text(4_096)
const words = z.array(text(2_000)).max(50)

/** Who it is. */
export const helloSchema = z.object({
  protocol: z.number(),
  version: word(100),
  name: word(200),
  place: z.string().regex(/^[0-9a-f-]{36}$/),
  slots: z.int().min(1).max(1_000),
  labels: z.array(z.string().max(64).regex(labelPattern)).max(50),
  provider: text(50),
  enforcement: report,
})
export type Hello = z.infer<typeof helloSchema>

export const statusSchema = z.object({ isolated: z.boolean(), problems: words, notes: words, enforcement: report })
export const idsSchema = z.array(text(63)).max(10_000)
export const doneSchema = z.object({})

/** Null: the folders that it writes to are well. */
export const diskSchema = z.object({ fault: text(50), message: text(2_000) }).nullable()

/** What of a folder it has not. */
export const missingSchema = z.object({ missing: z.array(z.int().min(0)).nullable() })

/** What becomes of a sandbox, one line each. */
export const eventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('started'),
    /** Names it as long as it runs. */
    token: text(100),
    paths: z.object({
      workspace: path,
      home: path,
      temporary: path,
      nodeFolder: path,
      ripgrep: path.nullable(),
      mounts: z.record(text(200), path),
    }),
    enforcement: report,
    proxyUrl: text(200).nullable(),
    canLookOnly: z.boolean(),
    environment: z.record(text(200), text(4_096)),
  }),
  z.object({ kind: z.literal('failed'), message: text(10_000), code: text(50).optional() }),
  /** So many of its processes were killed for want of memory, so far. */
  z.object({ kind: z.literal('starved'), kills: z.int().min(0) }),
  z.object({ kind: z.literal('closed'), reason: text(1_000), isLeft: z.boolean() }),
])
export type SandboxEvent = z.infer<typeof eventSchema>
export type Started = Extract<SandboxEvent, { kind: 'started' }>

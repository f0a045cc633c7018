import { methods } from '@agentclientprotocol/sdk'
import type { Message, Turn } from '#adapters/engines/engine.ts'
import type { JsonObject } from '#base/json.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import { noteEdits, type Edits } from './after-edits.ts'
import type { ConnectedAgent } from './connect-agent.ts'
import { nextNoteKey, type Counter } from './counter.ts'
import { EventQueue } from './event-queue.ts'
import type { AgentSession } from './open-session.ts'
import { readUpdates, type AgentEvent } from './read-updates.ts'

/** Of a tool's result, for an agent that has lost its session. */
const SEEN_CHARACTERS_MAX = 1_000
const NOTES_MAX = 10_000

export type AskAgent = {
  agent: ConnectedAgent
  session: AgentSession
  inbox: { take: (update: unknown) => void }
  counter: Counter
  edits: Edits
  messages: readonly Message[]
  text: string
}

/** What an agent has answered, and what people have said meanwhile: it has not heard that yet. */
export type Reply = { answer: string; thought: string | null; stopReason: string; messages: Message[] }

/** One prompt with all that the agent does about it. What people say ends it between two of its tools. */
export async function askAgent(
  turn: Turn,
  { agent, session, inbox, counter, edits, messages, text }: AskAgent,
): Promise<Reply> {
  const prompt = [{ type: 'text', text }, ...(await imagesOf(turn, session.takesImages ? messages : []))]
  const events = new EventQueue<AgentEvent>()
  const reader = readUpdates(
    (event) => events.push(event),
    (kind, piece) => turn.write(kind, piece, { isBetween: true }),
  )
  inbox.take = (update) => reader.read(update)
  const prompted = agent
    .request<{ stopReason?: unknown }>(methods.agent.session.prompt, { sessionId: session.id, prompt })
    .finally(() => events.close())
  // It is awaited below, when what came before its answer is stored.
  prompted.catch(() => {})
  const ended = prompted.then(
    () => reader.end(),
    () => reader.end(),
  )
  const heard: Message[] = []
  for (let event = await events.next(); event; event = await events.next()) {
    if (event.kind === 'tool') await storeTool(turn, { event, edits, key: `t${turn.number}/agent/${counter.calls++}` })
    else if (counter.notes < NOTES_MAX) await turn.note(nextNoteKey(turn, counter), [event.entry])
    if (heard.length > 0 || reader.openTools > 0) continue
    heard.push(...(await turn.takeMessages()))
    if (heard.length > 0) agent.notify(methods.agent.session.cancel, { sessionId: session.id })
  }
  const { stopReason } = await prompted
  heard.push(...(await turn.takeMessages()))
  return { ...(await ended), stopReason: String(stopReason), messages: heard }
}

type StoreTool = { event: Extract<AgentEvent, { kind: 'tool' }>; edits: Edits; key: string }

async function storeTool(turn: Turn, { event, edits, key }: StoreTool): Promise<void> {
  const request: JsonObject = { tool: event.name, input: event.input }
  await turn.step({ key, kind: 'tool', request }, async () => {
    const { entry, edited } = await event.done
    const paths = noteEdits(turn, edits, { key, edited })
    const observation = typeof entry.observation === 'string' ? entry.observation : JSON.stringify(entry.observation)
    const seen = shortenWithin(observation, SEEN_CHARACTERS_MAX)
    return { response: { seen, ...(paths.length > 0 && { edited: paths }) }, entries: [entry] }
  })
}

async function imagesOf(turn: Turn, messages: readonly Message[]): Promise<object[]> {
  const images = messages.flatMap((message) => message.images)
  return Promise.all(
    images.map(async (image) => ({
      type: 'image',
      mimeType: image.mediaType,
      data: (await turn.readImage(image)).toString('base64'),
    })),
  )
}

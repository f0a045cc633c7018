import type { LanguageModelMiddleware } from 'ai'

export type Model = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0]['model']
export type Generated = Awaited<ReturnType<Model['doGenerate']>>

type Prompt = Parameters<Model['doGenerate']>[0]['prompt']

/** Gives calls ids that have none, or one that another call of the conversation has: providers refuse the next question over either. */
export function giveOwnIds(generated: Generated, prompt: Prompt): Generated {
  const taken = new Set(prompt.flatMap(({ role, content }) => (role === 'assistant' ? content.flatMap(idOf) : [])))
  const content = generated.content.map((part) => {
    if (part.type !== 'tool-call' || part.providerExecuted) return part
    const id = part.toolCallId.trim()
    let toolCallId = id || 'call_1'
    for (let n = 2; taken.has(toolCallId); n++) toolCallId = `${id || 'call'}_${n}`
    taken.add(toolCallId)
    return { ...part, toolCallId }
  })
  return { ...generated, content }
}

const idOf = (part: { type: string; toolCallId?: string }) =>
  part.type === 'tool-call' && part.toolCallId !== undefined ? [part.toolCallId] : []

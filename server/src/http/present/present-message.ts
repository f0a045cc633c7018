import type { Message } from '#domain/runs/messages/message.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentMessage({ n, prompt, createdAt, takenSeq }: Message): Components['Message'] {
  return { n, prompt, created_at: createdAt.toISOString(), taken_seq: takenSeq }
}

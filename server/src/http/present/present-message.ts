import type { Message } from '#domain/runs/messages/message.ts'

export function presentMessage({ n, prompt, createdAt, takenSeq }: Message) {
  return { n, prompt, created_at: createdAt.toISOString(), taken_seq: takenSeq }
}

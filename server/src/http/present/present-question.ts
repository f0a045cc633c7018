import type { Question } from '#domain/runs/questions/question.ts'

export function presentQuestion({ n, kind, text, options, answer, createdAt, answeredAt }: Question) {
  return {
    n,
    kind,
    text,
    options,
    answer,
    created_at: createdAt.toISOString(),
    answered_at: answeredAt?.toISOString() ?? null,
  }
}

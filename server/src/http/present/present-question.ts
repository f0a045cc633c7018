import type { Question } from '#domain/runs/questions/question.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentQuestion({
  n,
  kind,
  text,
  options,
  answer,
  createdAt,
  answeredAt,
}: Question): Components['Question'] {
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

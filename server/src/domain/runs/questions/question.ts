/** What an agent asks of people; a plan to approve is a question of kind `plan`. */
export type Question = {
  n: number
  kind: 'question' | 'plan'
  text: string
  options: string[]
  answer: string | null
  createdAt: Date
  answeredAt: Date | null
}

export const questionColumns = `n, kind, text, options, answer, created_at, answered_at`

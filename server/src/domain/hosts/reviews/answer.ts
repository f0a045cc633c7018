import type { JsonObject } from '#base/json.ts'
import type { Verdict } from './review.ts'

/** What an agent that has reviewed a pull request answers. */
export type PullAnswer = {
  verdict: Verdict
  summary: string
  comments: { path: string; start_line?: number; line: number; body: string; suggestion?: string }[]
}

/** What one that has looked at pushed commits answers. */
export type CommitsAnswer = { verdict: 'good' | 'concerns' | 'bad'; summary: string }

const text = { type: 'string', minLength: 1, maxLength: 20_000 }

export const pullAnswerSchema: JsonObject = {
  type: 'object',
  required: ['verdict', 'summary', 'comments'],
  properties: {
    verdict: { enum: ['approve', 'request_changes', 'comment'] },
    summary: text,
    comments: {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        required: ['path', 'line', 'body'],
        properties: {
          path: { type: 'string', minLength: 1, maxLength: 4_096 },
          line: { type: 'integer', minimum: 1, description: 'Of the file as it is now.' },
          start_line: {
            type: 'integer',
            minimum: 1,
            description: 'The first of several lines, the last of which is `line`.',
          },
          body: text,
          suggestion: {
            type: 'string',
            maxLength: 20_000,
            description:
              'What is to stand in place of these lines, with their indentation; empty where they are to go.',
          },
        },
      },
    },
  },
}

export const commitsAnswerSchema: JsonObject = {
  type: 'object',
  required: ['verdict', 'summary'],
  properties: { verdict: { enum: ['good', 'concerns', 'bad'] }, summary: text },
}

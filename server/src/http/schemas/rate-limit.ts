import { Type } from 'typebox'
import { sharedPolicies, tokenPolicies } from '#base/rate-limits.ts'
import { Nullable, PageOf, Time, Word } from './fields.ts'

const RateLimitBody = Type.Object(
  {
    policy: Word([...tokenPolicies, ...sharedPolicies], {
      description:
        'Which requests it counts. `logs` counts those of every policy, and refuses only reading of logs. `user` and `organization` count all that a user or an organization sends, and are off unless the operator has set them.',
    }),
    limit: Type.Integer({ minimum: 1, description: 'How many requests pass in any stretch of `window_seconds`.' }),
    window_seconds: Type.Integer({ minimum: 1 }),
    remaining: Type.Integer({ minimum: 0 }),
    resets_at: Nullable(Time),
  },
  {
    $id: 'RateLimit',
    title: 'RateLimit',
    description: '`resets_at`: when room for one more comes back; null when nothing was used.',
  },
)

export const rateLimitComponents = [RateLimitBody, PageOf('RateLimit')]

import { Type } from 'typebox'
import { listedPolicies } from '#base/rate-limits.ts'
import { Component, Nullable, PageOf, Time, Word } from './fields.ts'

const RateLimitBody = Component(
  'RateLimit',
  {
    policy: Word(listedPolicies, {
      description:
        'Which requests the policy counts. `logs` counts requests of every policy but only limits reading logs. `user` and `organization` count all requests of a user or an organization, and are off unless the operator sets them.',
    }),
    limit: Type.Integer({ minimum: 1, description: 'Maximum number of requests in any period of `window_seconds`.' }),
    window_seconds: Type.Integer({ minimum: 1 }),
    remaining: Type.Integer({ minimum: 0 }),
    resets_at: Nullable(Time),
  },
  { description: '`resets_at` is when one more request becomes available. It is null if none were used.' },
)

export const rateLimitComponents = [RateLimitBody, PageOf(RateLimitBody)]

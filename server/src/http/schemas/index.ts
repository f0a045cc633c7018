import { errorComponents } from './error.ts'
import { Health, Readiness } from './health.ts'
import { logComponents } from './log.ts'
import { organizationComponents } from './organization.ts'
import { rateLimitComponents } from './rate-limit.ts'
import { repoComponents } from './repo.ts'
import { runComponents } from './run.ts'
import { steeringComponents } from './steering.ts'
import { StreamTicket } from './ticket.ts'

/** Every named schema of the API. */
export const components = [
  ...errorComponents,
  ...runComponents,
  ...logComponents,
  ...organizationComponents,
  ...repoComponents,
  ...steeringComponents,
  ...rateLimitComponents,
  Health,
  Readiness,
  StreamTicket,
]

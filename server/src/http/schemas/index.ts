import type { Static } from 'typebox'
import { auditComponents } from './audit.ts'
import { checkComponents } from './check.ts'
import { comparisonComponents } from './comparison.ts'
import { checkSettingsComponents } from './check-settings.ts'
import { egressComponents } from './egress.ts'
import { errorComponents } from './error.ts'
import { Health, ServiceStatus } from './health.ts'
import { connectionComponents } from './connection.ts'
import { deployKeyComponents } from './deploy-key.ts'
import { inboxComponents } from './inbox.ts'
import { integrationComponents } from './integration.ts'
import { jobComponents } from './job.ts'
import { issueComponents } from './issue.ts'
import { liveComponents } from './live.ts'
import { logComponents } from './log.ts'
import { moneyComponents } from './money.ts'
import { storageComponents } from './storage.ts'
import { organizationComponents } from './organization.ts'
import { outsideSessionComponents } from './outside-session.ts'
import { pullComponents } from './pull.ts'
import { reviewComponents } from './review.ts'
import { rateLimitComponents } from './rate-limit.ts'
import { repoComponents } from './repo.ts'
import { runComponents } from './run.ts'
import { sandboxComponents } from './sandbox.ts'
import { secretComponents } from './secret.ts'
import { Session, SignInWays } from './session.ts'
import { modelProviderComponents } from './model-provider.ts'
import { mcpServerComponents } from './mcp-server.ts'
import { setupComponents } from './setup.ts'
import { snapshotComponents } from './snapshot.ts'
import { steeringComponents } from './steering.ts'
import { toolComponents } from './tool.ts'
import { workerTokenComponents } from './worker-token.ts'
import { StreamTicket } from './ticket.ts'

/** Every named schema of the API. */
export const components = [
  ...errorComponents,
  ...runComponents,
  ...logComponents,
  ...liveComponents,
  ...organizationComponents,
  ...auditComponents,
  ...storageComponents,
  ...repoComponents,
  ...outsideSessionComponents,
  ...toolComponents,
  ...pullComponents,
  ...reviewComponents,
  ...checkComponents,
  ...checkSettingsComponents,
  ...comparisonComponents,
  ...inboxComponents,
  ...integrationComponents,
  ...jobComponents,
  ...issueComponents,
  ...setupComponents,
  ...snapshotComponents,
  ...connectionComponents,
  ...deployKeyComponents,
  ...workerTokenComponents,
  ...sandboxComponents,
  ...secretComponents,
  ...egressComponents,
  ...steeringComponents,
  ...rateLimitComponents,
  ...moneyComponents,
  ...mcpServerComponents,
  ...modelProviderComponents,
  Health,
  ServiceStatus,
  Session,
  SignInWays,
  StreamTicket,
]

/** What each component is, by its name. */
export type Components = { [One in (typeof components)[number] as One['$id']]: Static<One> }

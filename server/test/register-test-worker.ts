import { openWorkerSession, type OpenWorkerSession } from '#domain/runs/workers/open-worker-session.ts'
import { registerWorker, type RegisterWorker } from '#domain/runs/workers/register-worker.ts'
import { renewWorkers } from '#domain/runs/workers/renew-workers.ts'

export type TestWorker = AsyncDisposable & { workerId: number; renew: () => Promise<boolean> }

/** A worker that is there and does nothing by itself. */
export async function registerTestWorker(
  databaseUrl: string,
  { onWake = () => {}, onLost = () => {}, ...options }: Partial<OpenWorkerSession & RegisterWorker> = {},
): Promise<TestWorker> {
  const session = await openWorkerSession({ databaseUrl, onWake, onLost })
  const registration = { name: 'test', slots: 4, version: '0', labels: [], place: 'here', ...options }
  const workerId = await registerWorker(session.db, registration)
  return {
    workerId,
    renew: async () => (await renewWorkers(session.db, { workerIds: [workerId] })).has(workerId),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  }
}

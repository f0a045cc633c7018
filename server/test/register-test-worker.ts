import { registerWorker, type RegisterWorker, type WorkerSession } from '#domain/runs/workers/register-worker.ts'

/** A worker that is there and does nothing by itself. */
export const registerTestWorker = (
  databaseUrl: string,
  options: Partial<Omit<RegisterWorker, 'databaseUrl'>> = {},
): Promise<WorkerSession> =>
  registerWorker({
    databaseUrl,
    name: 'test',
    slots: 4,
    version: '0',
    labels: [],
    place: 'here',
    onWake: () => {},
    onLost: () => {},
    ...options,
  })

import os from 'node:os'
import type { App } from '#app/app.ts'
import { oneAtATime } from '#base/concurrency/one-at-a-time.ts'
import { claimInstall, installRenewMs, renewInstall } from '#domain/runs/engine-installs/claim-install.ts'
import { finishInstall } from '#domain/runs/engine-installs/finish-install.ts'
import { reportInstalls } from '#domain/runs/engine-installs/report-installs.ts'

type InstallingApp = Pick<App, 'pool' | 'engines' | 'place' | 'logger' | 'telemetry'>

/** Installs what ADMINs have asked for on this machine. It takes minutes, so nobody waits for it. */
export const beginInstalling = oneAtATime(async (app: InstallingApp) => {
  await app.telemetry.chores.do('engine_installs', () => installEngines(app))
})

/** Says what this machine has, and carries out orders. Of processes that share a folder, one does each. */
export async function installEngines({
  pool,
  engines,
  place,
  logger,
}: Omit<InstallingApp, 'telemetry'>): Promise<void> {
  const agents = new Map([...engines].flatMap(([name, { package: one }]) => (one ? [[name, one] as const] : [])))
  const versions = Object.fromEntries([...agents].map(([name, one]) => [name, one.findInstalled()]))
  await reportInstalls(pool, { place, machine: os.hostname(), versions })
  for (;;) {
    const engine = await claimInstall(pool, { place, engines: [...agents.keys()] })
    if (engine === undefined) return
    const agent = agents.get(engine)!
    const renewing = setInterval(() => void renewInstall(pool, { engine, place }).catch(() => {}), installRenewMs)
    let problem: string | null = null
    try {
      await agent.install()
      logger.info({ event: 'engine_installed', engine, version: agent.findInstalled() }, 'an engine was installed')
    } catch (error) {
      problem = (error as Error).message
      logger.warn({ event: 'engine_not_installed', engine, err: error }, 'an engine could not be installed')
    } finally {
      clearInterval(renewing)
    }
    await finishInstall(pool, { engine, place, version: agent.findInstalled(), problem })
  }
}

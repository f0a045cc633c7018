import path from 'node:path'
import { API, type Project } from 'typescript/unstable/sync'

/** What the compiler knows of a project, by its tsconfig.json. */
export function openProject(config: string): Disposable & { project: Project } {
  const api = new API({ cwd: path.dirname(config) })
  const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects()
  if (!project) throw new Error(`${config} is no project`)
  return { project, [Symbol.dispose]: () => api.close() }
}

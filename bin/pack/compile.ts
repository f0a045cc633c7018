import { spawnSync } from 'node:child_process'
import path from 'node:path'

/** Compiles a project of TypeScript into a folder. Throws with the compiler's findings. */
export function compile(root: string, { project, into }: { project: string; into: string }): void {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const words = [compiler, '-p', path.join(root, project), '--outDir', into]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${project} does not compile:\n${stdout}${stderr}`)
}

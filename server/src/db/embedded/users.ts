import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { startTimeOf } from '#base/read-process.ts'
import { isAlive } from './find-server.ts'

/**
 * The processes that work with an embedded PostgreSQL, a file for each that names it. Connections would not do: of two
 * processes that end at the same moment each still sees the other's, and while the server is away there are none.
 */
export function addUser(home: string): string {
  const folder = usersFolder(home)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, `${process.pid}-${startTimeOf(process.pid)}-${randomBytes(4).toString('hex')}`)
  fs.writeFileSync(file, '')
  return file
}

/** Whoever leaves removes its own file first and then looks: of several that leave at once, the last one sees nobody. */
export function removeUser(file: string): void {
  fs.rmSync(file, { force: true })
}

/** Whether a living process works with it. What killed ones left is removed. */
export function hasUsers(home: string): boolean {
  const folder = usersFolder(home)
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  return names.filter((name) => isUser(name) || fs.rmSync(path.join(folder, name), { force: true })).length > 0
}

const usersFolder = (home: string) => path.join(home, 'users')

/** Outside of Linux nothing says when a process began. */
function isUser(name: string): boolean {
  const [pid, start] = name.split('-')
  return isAlive(Number(pid)) && startTimeOf(Number(pid)) === start
}

import type { Suite } from './suite.ts'

/** A suite for each module that has tests. `files`: of the workspace. */
export function findGoSuites(files: string[]): Suite[] {
  const modules = files.filter((file) => /(^|\/)go\.mod$/.test(file)).map((file) => file.slice(0, -'/go.mod'.length))
  return modules
    .map((folder) => goSuite({ command: 'go test ./...', folder, files }))
    .filter((suite) => suite.files.length > 0)
}

type GoCommand = { command: string; folder: string; files: string[] }

/** Tests of a module that lies within another one's folder are its own; `go test` tells which ones it runs. */
export function goSuite({ command, folder, files }: GoCommand): Suite {
  const own = files.filter((file) => file.endsWith('_test.go') && (!folder || file.startsWith(`${folder}/`)))
  return { language: 'go', runner: 'go', command, folder, files: own, python: null, prepare: '', leftOut: [] }
}

import { AppError } from '#base/errors.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { forgetGitBytes } from '#domain/accounts/storage/forget-git-bytes.ts'
import { isRepoName, repoColumns, type Repo } from '#domain/repos/repo.ts'
import type { RepositoryAdmin, StoredRepository } from './repository-admin.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

export type CreateRepo = {
  organizationId: number
  admin: RepositoryAdmin
  /** Taken from the source when not given. */
  name?: string
  description?: string | null
  /** An address or a path to copy; an empty repository when not given. */
  importFrom?: string
  /** Of an empty repository; a copy keeps its own. */
  defaultBranch?: string
  signal?: AbortSignal
  /** Told of the repository in the transaction that makes its row. */
  recorded?: (tx: Db, repo: Repo) => Promise<void>
}

/**
 * Makes a repository on the built-in host. Its content comes first and its row last: nobody sees a repository that is
 * not whole, and what fails on the way leaves none.
 */
export async function createRepo(db: Db, request: CreateRepo): Promise<Repo> {
  const { organizationId, admin } = request
  const name = request.name ?? nameFrom(request.importFrom)
  if (!isRepoName(name)) throw badName(request.name === undefined ? 'import_from' : 'name', name)
  await checkFree(db, { organizationId, name })
  // What is refused uses up no number.
  if (request.importFrom !== undefined) await admin.checkSource(organizationId, request.importFrom)
  const { id } = await one<{ id: number }>(db, `select nextval(pg_get_serial_sequence('repos', 'id')) as id`)
  const stored = { organizationId, path: `${organizationId}/${id}.git` }
  try {
    const filled = await fill(stored, request)
    return await inTransaction(db, async (tx) => {
      const repo = await insert(tx, { ...filled, ...stored, id, name, description: request.description ?? null })
      await request.recorded?.(tx, repo)
      return repo
    })
  } catch (error) {
    await admin.removeRepository(stored)
    await forgetGitBytes(db, { organizationId, repoId: id })
    throw error
  }
}

function nameFrom(source: string | undefined): string {
  const [path = ''] = source?.split(/[?#]/) ?? []
  const last =
    trimTrailing(path, '/')
      .replace(/\/\.git$/, '')
      .split('/')
      .at(-1) ?? ''
  return last.replace(/\.git$/, '')
}

function badName(field: 'name' | 'import_from', name: string): AppError {
  const message = `"${name}" is no name for a repository: it takes 1 to 100 letters, digits, ".", "_" and "-", starts with a letter or digit, and has no ".." and no ".git" or ".lock" at its end.`
  return new AppError('invalid_request', {
    message,
    detail: [{ loc: ['body', field], msg: message, type: 'value_error' }],
  })
}

async function checkFree(db: Db, { organizationId, name }: { organizationId: number; name: string }): Promise<void> {
  const taken = await maybeOne(
    db,
    `select from repos where organization_id = $1 and host = 'local' and lower(name) = lower($2)`,
    [organizationId, name],
  )
  if (taken) throw new AppError('repo_name_taken')
}

type Filled = { defaultBranch: string; importedFrom: string | null; language: string | null }

async function fill(
  stored: StoredRepository,
  { admin, importFrom, defaultBranch, signal }: CreateRepo,
): Promise<Filled> {
  if (importFrom === undefined) {
    await admin.createRepository(stored, { defaultBranch: defaultBranch ?? 'main' })
    return { defaultBranch: defaultBranch ?? 'main', importedFrom: null, language: null }
  }
  const imported = await admin.importRepository(stored, importFrom, { ...(signal && { signal }) })
  return { ...imported, language: await admin.languageOf(stored) }
}

type NewRow = Filled & Pick<Repo, 'organizationId' | 'id' | 'name' | 'path' | 'description'>

async function insert(db: Db, row: NewRow): Promise<Repo> {
  const made = await maybeOne<Repo>(
    db,
    `insert into repos (organization_id, id, host, name, description, path, default_branch, imported_from, language)
     overriding system value values ($1, $2, 'local', $3, $4, $5, $6, $7, $8)
     on conflict (organization_id, host, lower(name)) do nothing
     returning ${repoColumns}`,
    [
      row.organizationId,
      row.id,
      row.name,
      row.description,
      row.path,
      row.defaultBranch,
      row.importedFrom,
      row.language,
    ],
  )
  // Another one of this name was made while this one was being filled.
  if (!made) throw new AppError('repo_name_taken')
  return made
}

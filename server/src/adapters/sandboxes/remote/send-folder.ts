import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import type { ClientHttp2Session } from 'node:http2'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { missingSchema } from './events.ts'
import { digestOfFiles, listFiles, type ListedFile } from './list-files.ts'
import { runTar } from './run-tar.ts'
import { ask, openStream, readAnswer, RemoteError } from './wire.ts'

/** A folder may change while it is read, as that of a repository does when it is packed anew. */
const TRIES_MAX = 3

/** Sees to it that the worker has what is in this folder, and answers by which name. Of what it has already nothing is sent. */
export async function sendFolder(session: ClientHttp2Session, folder: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await trySend(session, await realpath(folder))
    } catch (error) {
      if (tries === TRIES_MAX || session.destroyed) throw error
    }
  }
}

async function trySend(session: ClientHttp2Session, folder: string): Promise<string> {
  const files = await listFiles(folder)
  const digest = digestOfFiles(files)
  // An earlier state of the same folder is what most of it is taken from.
  const source = createHash('sha256').update(folder).digest('hex')
  const { missing } = await ask(session, `/folders/${digest}/begin`, { body: { source, files }, schema: missingSchema })
  if (missing === null) return digest
  const sent = [...new Set(missing)].map((at) => files[at])
  if (!sent.every((file) => file !== undefined))
    throw new RemoteError({ message: 'The remote worker asks for files that are not in the folder.' })
  const stream = openStream(session, `/folders/${digest}/files`)
  const answer = readAnswer(stream)
  answer.catch(() => {})
  await pack(folder, { files: sent, into: stream })
  const { status, text } = await answer
  if (status !== 200) throw new RemoteError({ message: text })
  return digest
}

type Pack = { files: ListedFile[]; into: NodeJS.WritableStream }

/** For everybody to read: on the other machine sandboxes have another user. */
async function pack(folder: string, { files, into }: Pack): Promise<void> {
  const args = ['--no-recursion', '--mode=a+rX', '--owner=0', '--group=0', '--null', '-T', '-', '-cf', '-']
  const feed = async (tar: { stdin: Writable; stdout: Readable }) => {
    tar.stdin.on('error', () => {})
    tar.stdin.end(files.map(([name]) => `./${name}\0`).join(''))
    await pipeline(tar.stdout, into)
  }
  await runTar(folder, { args, feed }).catch((error: Error) => {
    throw new Error(`${folder} could not be sent to a remote worker: ${error.message}`, { cause: error })
  })
}

import { BlobsUnavailable } from '#adapters/blobs/blob-store.ts'
import { GitHostUnreachable } from '#adapters/codehosts/code-host.ts'
import { SandboxFileError } from '#adapters/sandboxes/sandbox.ts'
import type { NodeFault } from '#domain/runs/workers/node-fault.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { NodeUnfit } from './node-unfit.ts'

const byCode: Readonly<Record<string, NodeFault>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EIO: 'disk_fault',
  EROFS: 'disk_fault',
  ESTALE: 'disk_fault',
  EMFILE: 'files_exhausted',
  ENFILE: 'files_exhausted',
}
const causesMax = 8

/**
 * The fault of this machine that an error shows by itself; undefined where it may as well be a repository's, its owner's or
 * the engine's. What a sandbox says of the files within it is never the machine's.
 */
export function faultOfError(error: unknown): NodeFault | undefined {
  let found: NodeFault | undefined
  for (let cause = error, depth = 0; cause instanceof Error && depth < causesMax; cause = cause.cause, depth++) {
    if (cause instanceof SandboxFileError) return undefined
    // What lies deeper says it more exactly.
    found = faultOfOne(cause) ?? found
  }
  return found
}

function faultOfOne(error: Error): NodeFault | undefined {
  if (error instanceof NodeUnfit) return error.fault
  if (error instanceof BlobsUnavailable) return 'blobs_unreachable'
  if (error instanceof GitHostUnreachable) return 'git_unreachable'
  if (error instanceof RunFailure) return error.code === 'sandbox_failed' ? 'sandbox_failed' : undefined
  const { code, syscall = '' } = error as NodeJS.ErrnoException
  // More processes than the machine has room for; other calls answer EAGAIN for other reasons.
  if (syscall.startsWith('spawn') && (code === 'EAGAIN' || code === 'ENOMEM')) return 'files_exhausted'
  return syscall === '' ? undefined : byCode[code ?? '']
}

import { HostError, type Forge } from '#adapters/codehosts/code-host.ts'

/** Of a host that has repositories and nothing around them. */
export const noForge: Forge = {
  getPull: unsupported,
  isMergeable: unsupported,
  updatePull: unsupported,
  mergePull: unsupported,
  revertPull: unsupported,
  getIssue: unsupported,
  findAssignment: unsupported,
  listComments: unsupported,
  saveComment: unsupported,
  commentOnLine: unsupported,
  acknowledge: unsupported,
  createReview: unsupported,
  listChecks: unsupported,
  readCheckLog: unsupported,
  rerunCheck: unsupported,
  reportCheck: unsupported,
  listPushes: unsupported,
  permissionOf: unsupported,
}

async function unsupported(): Promise<never> {
  throw new HostError('unsupported', 'This host has no such thing.')
}

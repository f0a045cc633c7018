/** What keeps a worker from taking runs though it lives: a fault of its machine, as it is said after "because". */
export const nodeFaults = {
  disk_full: 'its disk is full',
  disk_fault: 'its disk cannot be written',
  files_exhausted: 'it can open no more files or start no more processes',
  git_unreachable: 'it cannot reach the repositories at RUNWRIGHT_GIT_URL',
  blobs_unreachable: 'it cannot reach the store of files',
  sandbox_failed: 'it can start no sandbox',
} as const

export type NodeFault = keyof typeof nodeFaults

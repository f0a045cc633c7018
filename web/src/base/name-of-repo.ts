import type { Repository } from '@runwright/sdk'

/** What people call it: with its owner, where that is somebody elsewhere. */
export const nameOfRepo = ({ host, name, full_name: fullName }: Repository): string =>
  host === 'local' ? name : fullName

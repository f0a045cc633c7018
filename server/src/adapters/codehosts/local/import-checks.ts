import { gitLimits } from '#base/hosts/git-limits.ts'

/** Objects are checked as they come. What only old programs wrote in a slightly wrong form is let through. */
export const importChecks: [string, string][] = [
  ['fetch.fsckObjects', 'true'],
  ...[
    'zeroPaddedFilemode',
    'missingSpaceBeforeDate',
    'badTimezone',
    'badDate',
    'badDateOverflow',
    'badEmail',
    'missingEmail',
  ].map((fault): [string, string] => [`fetch.fsck.${fault}`, 'ignore']),
]

/** Who sends next to nothing for so long is given up. */
export const slowSenders: [string, string][] = [
  ['http.lowSpeedLimit', String(gitLimits.lowSpeedBytes)],
  ['http.lowSpeedTime', String(gitLimits.lowSpeedSeconds)],
]

/** Whether git was kept from writing more of a pack, of what it said. */
export const isTooLarge = (stderr: string) => stderr.includes('File too large')

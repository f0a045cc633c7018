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

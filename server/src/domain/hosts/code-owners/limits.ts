/** What bounds the owners of code. */
export const codeOwnersLimits = {
  /** A file that has more counts for nothing: its last lines are those that count. */
  fileBytesMax: 256 * 1024,
  rulesMax: 3_000,
  /** So many changed paths are looked at, and so many owners of theirs are looked for; so many who are not found are named. */
  pathsMax: 3_000,
  ownersMax: 200,
  notFoundMax: 50,
  /** Comparisons of characters for one pull request, about a second of a processor; after so many others have their turn. */
  workMax: 50_000_000,
  turnWork: 1_000_000,
  /** How many owners are asked to review one pull request; how many people in all. */
  askedMax: 15,
  reviewersMax: 50,
  /** Longer than any address or login; and than any pattern that somebody wrote. */
  ownerCharactersMax: 254,
  patternCharactersMax: 1_000,
  problemsMax: 10,
} as const

/** What bounds what comes of code hosts. Sizes in bytes, times in milliseconds. */
export const hostLimits = {
  /** Jobs: for how long a claim counts, and how often it is renewed; how often a job is tried that is given up in the end (over twelve hours), and
   *  for how long it is kept then; how many are listed and removed at once. */
  jobClaimMs: 15_000,
  jobRenewMs: 3_000,
  jobTriesMax: 34,
  jobsKeptMs: 30 * 24 * 60 * 60_000,
  jobsSweptMax: 1_000,
  /** How long events are kept that were handled, and how many are removed at once. */
  hostEventsKeptMs: 7 * 24 * 60 * 60_000,
  hostEventsSweptMax: 1_000,
  hostOutcomeCharactersMax: 2_000,
  /** What a code host sends us at once. */
  webhookBytesMax: 25 * 1024 * 1024,
  /** How far back what a host could not bring us is sent again. */
  redeliveredMs: 3 * 24 * 60 * 60_000,
  /** How often a host is asked whether an App was installed by now: for so long after it was made, and later; and whether it
   *  lets us in again. */
  installPollMs: 5_000,
  installPolledMs: 15 * 60_000,
  haltedSyncMs: 5 * 60_000,
  /** For how long what was just looked at is left alone, whoever asks. */
  syncRestMs: 10_000,
  /** When a connection is looked at again that its host has just refused. */
  refusedSyncMs: 60_000,
  /** Webhooks of how many repositories are looked at in one sync: each may be two requests, between which there are pauses. */
  hooksKeptMax: 50,
  /** How often a repository elsewhere is looked at for what its webhooks did not tell: while there was news within this time,
   *  and at the most seldom; by how much a look goes back behind the last one, since clocks differ. */
  hostPollMs: 60_000,
  hostPollActiveMs: 60 * 60_000,
  hostPollMsMax: 60 * 60_000,
  hostPollOverlapMs: 2 * 60_000,
  hostPollsStartedMax: 1_000,
  /** For how long an answer of a code host counts that says what somebody may do there; of how many it is remembered. */
  permissionMs: 60_000,
  permissionsMax: 10_000,
  /** What people may ask of the agent at one issue or pull request within this time; and how much an agent is shown of one
   *  comment, and of all. */
  mentionsMax: 10,
  mentionsMs: 60 * 60_000,
  shownTextCharactersMax: 32_000,
  shownTextsCharactersMax: 96_000,
  /** How much of the diff that a comment on a line is about. */
  shownHunkCharactersMax: 4_000,
  /** In how many turns an agent fixes what other programs push to its pull request; how many pushes it looks back at. */
  programFixesMax: 3,
  /** In how many turns in a row it resolves conflicts of its pull request with the base. */
  updatesMax: 2,
  pushesReadMax: 50,
  /** How many commits of one push a code host is asked to sign; with more, all stay unsigned. */
  signedCommitsMax: 100,
} as const

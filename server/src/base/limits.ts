/** What bounds everything. Sizes in bytes of UTF-8, times in milliseconds unless the name says otherwise. */
const KiB = 1024
const MiB = 1024 * KiB

export const limits = {
  /** A request's body; with images. */
  bodyBytesMax: 1 * MiB,
  bodyWithImagesBytesMax: 20 * MiB,
  promptBytesMax: 256 * KiB,
  metadataBytesMax: 16 * KiB,
  metadataDepthMax: 8,
  jsonDepthMax: 64,
  /** Values of a body, those within others counted too: reading takes its time for each. */
  jsonValuesMax: 40_000,
  pageSizeMax: 100,
  /** In a request that is made of more values than this, only the first fault is told. */
  toldFaultsMax: 200,
  /** Images of one message; each when decoded. */
  imagesMax: 10,
  imageBytesMax: 5 * MiB,
  /** What providers take, and what keeps a small file from unfolding to gigabytes. */
  imagePixelsPerSideMax: 8_000,
  /** The schema that a run's answer is to fit, and how long checking an answer against it may take on a busy machine. */
  outputSchemaBytesMax: 64 * KiB,
  outputCheckMs: 10_000,
  outputSchemaMemoryBytesMax: 256 * MiB,
  /** Of one organization, that wait to be compiled. */
  outputSchemasWaitingMax: 100,
  /** Rules of an organization, and the prompt of a user, that its agents are told. */
  rulesCharactersMax: 32_000,
  /** A secret's value: one that is shorter, or of fewer different bytes, would take ordinary text out of logs. */
  secretBytesMin: 8,
  secretDistinctBytesMin: 5,
  /** What is packed in a push is looked into: so much of a file, and what one of it and all of them unpack into. */
  pushPackedBytesMax: 16 * MiB,
  pushUnpackedEntryBytesMax: 16 * MiB,
  pushUnpackedBytesMax: 64 * MiB,
  pushUnpackTriesMax: 2_000,
  secretBytesMax: 16 * KiB,
  /** Secrets of an organization, or of one repository: their number, and what all of them take up. */
  secretsMax: 50,
  secretsBytesMax: 64 * KiB,
  /** Commands that prepare a repository; models that a repository or an organization names. */
  setupCommandsCharactersMax: 16_000,
  modelsNamedMax: 10,
  /** Limits in money of one organization. */
  budgetsMax: 100,
  /** Labels of a worker, a repository, an organization. */
  labelsMax: 20,
  /** What an organization may set as the number of its runs at work. */
  runningMax: 1_000,
  /** Headers of a request, all together; how long they, and then the body, may take to arrive. */
  headerBytesMax: 16 * KiB,
  headersMs: 10_000,
  bodyMs: 30_000,

  /** Tokens that are good, of one member in one organization. */
  tokensPerMemberMax: 100,
  /** A token that was good a moment ago is good without a look at the database: a revoked one lives this long elsewhere. */
  principalCacheMs: 1_000,
  principalsCachedMax: 1_000,
  /** `last_used_at` of a token is written at most this often. */
  tokenUseMs: 60_000,

  /** What of runs, of pages of their logs and of whole answers one process remembers, so as not to make it again. */
  runsCachedBytesMax: 16 * MiB,
  logPagesCachedBytesMax: 64 * MiB,
  answersCachedBytesMax: 32 * MiB,
  /** Longer pages of a log are not packed: unpacking one would keep others waiting. */
  logPagePackedBytesMax: MiB,
  /** For how long, and of how many runs, a process that serves alone takes a run for unchanged without a look. */
  runVersionMs: 50,
  runVersionsMax: 10_000,

  /** A process that starts waits so long for its database. */
  databaseStartMs: 60_000,
  /** A connection to PostgreSQL: making it; one statement on it; how much longer than that its answer may take. */
  connectMs: 5_000,
  statementMs: 6_000,
  statementAnswerMs: 2_000,
  /** How many of one process may wait for a connection at once; more are refused. */
  databaseWaitersMax: 2_000,
  /** That PostgreSQL has refused to write makes the service unready for so long; and what was at work waits so long. */
  refusalKeptMs: 5_000,
  databasePauseMs: 1_000,
  /** A connection that only listens is asked this often for a sign of life, which may take so long. */
  heartbeatMs: 2_000,
  heartbeatAnswerMs: 5_000,
  /** How long a connection that is ended may take to end. */
  goodbyeMs: 500,

  /** How long the answer to a request with an Idempotency-Key is kept; how many are removed at once. */
  idempotencyKeptMs: 24 * 60 * 60_000,
  idempotencySweptMax: 1_000,
  /** Requests with a key that hold a connection for longer than a transaction, such as an import, in one process. */
  longKeyedRequestsMax: 5,

  /** An API process that counts requests says this often that it lives; one that has not for `counterLeaseMs` is dead. */
  counterRenewMs: 1_000,
  counterLeaseMs: 4_000,
  /** How much earlier it stops trusting its own memory; and how often it looks again while another must act first. */
  counterLeaseMarginMs: 500,
  counterPollMs: 50,

  /** One log entry, as stored. Beyond it the middle of its longest text is cut and marked. */
  logEntryBytesMax: 256 * KiB,

  /** Of the prompt, the result and the summary of a run among others, in lists and streams. */
  summaryCharactersMax: 2_000,

  /** What a process has changed is said at most this often, so many runs in one notification, and so much in any. */
  announceMs: 20,
  announcedRunsMax: 400,
  notifyBytesMax: 7_900,
  /** Of the tool at work: how often its output is shown, and how much of its end. */
  progressMs: 500,
  progressBytesMax: 4 * KiB,
  /** Without any notification, whoever follows a run sees what is new within this. */
  followMs: 1_000,
  /** What is read of a log at once for those who follow it, and what of it is kept for the others who do. */
  followedEntriesMax: 200,
  followedBytesMax: 1 * MiB,
  followedKeptBytesMax: 16 * MiB,
  followedKeptMax: 2_000,
  /** Changed runs that wait for one reader of an organization's stream; one that is further behind is dropped. */
  changedRunsMax: 1_000,
  /** Streams that one process serves at once. */
  streamsMax: 10_000,
  /** A stream is written in pieces; a reader who does not take one in this time is dropped. */
  streamPieceBytes: 64 * KiB,
  streamStallMs: 5_000,
  /** A word on a stream that has nothing to say, so that nobody in between takes it for dead. */
  streamCommentMs: 15_000,
  /** For how long a ticket opens a stream. */
  ticketSeconds: 60,
  /** For how long a browser stays signed in. */
  sessionSeconds: 14 * 86_400,
  /** Signing in at a provider: how long it may take people; how long the provider may take to answer us; for how long
   *  what it says of itself is kept, and how far this machine's clock was off then. */
  signInMs: 10 * 60_000,
  providerAnswerSeconds: 10,
  providerKeptMs: 5 * 60_000,
  /** How often one address may ask for it, within this time; how many addresses are told apart. */
  signInRequestsMax: 300,
  signInRequestsMs: 60_000,
  visitorsCountedMax: 10_000,
  /** Wrong tokens of one address are counted within this; how many times as many different ones may be looked up at once;
   *  how often one of a slowed address is looked up all the same; for how long what was good is looked up from any address. */
  wrongTokensMs: 60_000,
  tokensTriedFactor: 4,
  wrongTokenTryMs: 1_000,
  goodTokensMs: 60 * 60_000,
  /** How long the outbox keeps what happened, and how much a clean-up removes at most. */
  eventsKeptHours: 6,
  eventsPrunedMax: 5_000,
  /** How long what people were told is kept, and how much a clean-up removes at most. */
  notificationsKeptDays: 90,
  notificationsSweptMax: 5_000,
  /** Lists of runs that one person keeps in one organization. */
  viewsMax: 50,
  viewNameCharactersMax: 100,
  viewQueryCharactersMax: 2_000,

  /** An answer about a lease that took longer is too old to act on. */
  freshMs: 1_000,
  /** A worker renews its lease this often; one that has not for `leaseMs` is taken for dead. */
  leaseRenewMs: 2_000,
  leaseMs: 6_000,
  /** The event loop of a worker says this often that it runs; where it has not for `frozenMs`, the process is ended. */
  leaseBeatMs: 250,
  frozenMs: 60_000,
  /** How often the leading process looks for dead workers, and a worker for queued runs that it knows of; for those that nobody told it of. */
  sweepMs: 400,
  idleLookMs: 5_000,
  /** Whose turn it is to look for queued runs, and who has not for so long, lets another one look. */
  turnMs: 50,
  /** The row of a dead worker is kept for longer than any statement of it may last. */
  buriedMs: 15_000,
  /** A run that no living worker may take waits so long before the service says that it is not ready. */
  unservedMs: 30_000,
  /** How long one run may keep a sweep waiting; one that cannot be claimed is left out for so long. */
  sweepLockMs: 500,
  avoidedMs: 30_000,
  /** How often a worker removes what runs that have ended left behind, and makes room for new ones. */
  cleanMs: 10_000,
  /** A worker that is told to end waits this long for its runs to stop; then it hands them over as they are. */
  handOverMs: 1_200,
  /** What a process that was told to end may take in all. */
  drainMs: 30_000,
  /** How long what is told of the whole service is kept, and how long a look at it may take. */
  overviewKeptMs: 1_000,
  overviewMs: 2_000,
  /** Runs that could be taken and are not for this long, or whose worker's lease ended this long ago, are stuck. */
  untakenMs: 10_000,
  orphanedMs: 10_000,
  /** How long a process that ends waits for its last spans to be taken. */
  lastSpansMs: 1_000,

  /** What one clean-up removes at most, so that nobody waits for it. */
  ticketsSweptMax: 1_000,
  sessionsSweptMax: 1_000,
  tokensSweptMax: 1_000,
  blobsSweptMax: 50,
  /** How long removing bytes from their store may take. */
  blobsSweepMs: 180_000,
  /** Bytes that were stored are named by a row within this, or removed; those that are named are looked at this often. */
  blobUnnamedMs: 60 * 60_000,
  blobNamedMs: 24 * 60 * 60_000,
  /** Claims of one turn without a finished step in between; then the run fails as `worker_lost`. */
  claimsWithoutProgressMax: 3,
  /** The same where workers without it were lost too, within this time: so many that it must be the run after all. */
  claimsWithoutProgressAmongLossesMax: 12,
  lossesRememberedMs: 2 * 60_000,

  /** How long an engine may take to end once it is asked to; then nobody waits for it. */
  stopGraceMs: 2_000,
  /** One turn: its steps, and for how long nothing may happen in it: no step done, nothing printed. */
  turnStepsMax: 20_000,
  stuckMs: 30 * 60_000,
  /** One run's log, where no setting says another. */
  runLogBytesMax: 1024 * MiB,

  /** What an agent may ask in one question, and of how many answers it may give the choice. */
  questionCharactersMax: 20_000,
  questionOptionsMax: 20,

  /** A run's wall clock in minutes when it names none; the most it may name. */
  /** How many runs the agent of one may start; those may start as many, and theirs none. */
  childRunsMax: 10,
  /** Of each result, as another run's agent reads it. */
  childResultCharactersMax: 4_000,
  runMinutesDefault: 60,
  runMinutesMax: 24 * 60,

  /** Checks of one commit; what is kept of a check's log, its first and its last half. */
  checksPerCommitMax: 100,
  checkLogBytesMax: MiB,
  /** What a check at work has printed is stored after so long, or when it is so much. */
  checkLogMs: 1_000,
  checkLogPieceBytes: 64 * KiB,
  checkSummaryCharactersMax: 65_000,
  /** Commands that check a repository's commits, each; how long one may take. */
  checkCommandsMax: 20,
  /** Rules that protect branches of a repository, their patterns, and how many people one may want to approve. */
  branchRulesMax: 50,
  branchRulePatternCharactersMax: 250,
  requiredApprovalsMax: 10,
  checkCommandCharactersMax: 4_000,
  checkMs: 30 * 60_000,
  /** How often a worker looks whether somebody still waits for the check that it runs. */
  checkLookMs: 1_000,
  /** How often a check may be lost with its worker; then it is the check. */
  checkLossesMax: 3,

  /** What of a diff stands in the first message of a review; the agent reads the rest in its work tree. */
  reviewDiffBytesMax: 96 * KiB,
  /** A pull request or a branch is reviewed once nothing has moved for so long. */
  reviewSettleMs: 10_000,
  /** Branches of one repository whose pushes are reviewed; commits that are named; lines that one review speaks of. */
  watchedBranchesMax: 20,
  commitsToldMax: 100,
  reviewCommentsMax: 100,
  /** What is kept of a sandbox: its newest commands, and of each how it was called and the end of what it printed. */
  sandboxLogCommandsMax: 500,
  sandboxLogCommandBytesMax: 4 * KiB,
  sandboxLogOutputBytesMax: 16 * KiB,
  /** What has ended waits so long to be written down with what follows. */
  sandboxLogMs: 250,
  /** What of it somebody who explains it is told. */
  explainedLogBytesMax: 96 * KiB,

  /** One sandbox. */
  sandboxProcesses: 512,
  /** Descriptors of all its processes together; one process has at most `sandboxProcessOpenFiles`. */
  sandboxOpenFiles: 65_536,
  sandboxProcessOpenFiles: 4_096,
  /** Connecting to one of the addresses of a host that somebody has named. */
  dialMs: 10_000,
  /** Names that an organization, or a repository, may allow its sandboxes to reach. */
  egressNamesMax: 200,
  /** For how long a proxy goes by the names that it has read. */
  egressRulesMs: 1_000,
  /** What one run has asked of the network, in full; beyond it that it has asked is only counted. */
  egressRequestsMax: 10_000,
  /** Connections of one sandbox that go out at once; one on which nothing comes or goes for this long is closed. */
  proxyConnectionsMax: 256,
  proxyIdleMs: 5 * 60_000,
  /** How a connection through the proxy begins: its first words, in bytes, and how long they may take to arrive. */
  helloBytesMax: 64 * KiB,
  helloMs: 10_000,
  /** One command in it: time when none is given, the most, and what is kept of its output. */
  commandMs: 120_000,
  commandOutputBytesMax: 4 * MiB,

  /** Files that a turn may leave for people; each of them; how long all of them may take to leave the sandbox. */
  artifactsMax: 100,
  artifactBytesMax: 50 * MiB,
  artifactNameBytesMax: 200,
  artifactsMs: 2 * 60_000,
  /** How long to wait for a store that is away before an artifact is tried again, for as long as all of them may take. */
  artifactRetryMs: 1_000,

  /** A run that waits for its code host: the pause after the first try, and the longest one. */
  hostWaitPauseMs: 2_000,
  hostWaitPauseMsMax: 30 * 60_000,
  /** How long a run that has done nothing yet waits, and one whose credentials were refused; the setting may be less. */
  hostWaitToBeginMs: 60 * 60_000,
  hostWaitRefusedToBeginMs: 2 * 60_000,
  /** How long finished work waits where somebody has to change something at the host. */
  hostWaitForPersonMs: 15 * 60_000,
  /** Who looks after a pull request: the pause between two looks at what has happened. */
  agentLookPauseMs: 300,
  /** Between two looks at checks that are not done; how long checks may go on failing while an agent fixes them. */
  checksLookMsMin: 15_000,
  checksLookMsMax: 10 * 60_000,
  fixMsMax: 4 * 60 * 60_000,
  /** What is read of the log of a check; what of all of them an agent is shown. */
  checkLogReadBytesMax: 1 * MiB,
  checkExcerptsBytesMax: 64 * KiB,
  /** Settings of checks: how many names, how long; what is told besides; names of checks that are remembered. */
  checkSettingsNamesMax: 100,
  checkNameCharactersMax: 200,
  checkPromptCharactersMax: 4_000,
  checkNamesSeenMax: 500,

  /** Checkpoints of a run: how long to wait between two, at least, and as a multiple of what the last one took; how large
   *  one may be, and how long it may take inside the sandbox; how many are kept; for how long a turn that is handed over
   *  waits for its last one. */
  checkpointPauseMs: 2_000,
  checkpointPauseFactor: 5,
  checkpointBytesMax: 64 * MiB,
  checkpointMs: 30_000,
  checkpointsKept: 2,
  /** After its end, those of a run whose work is on no branch; of all runs, so many are swept at once. */
  checkpointKeptMs: 30 * 24 * 60 * 60_000,
  checkpointsSweptMax: 1_000,
  checkpointLastMs: 800,
  /** Of the steps whose changes are lost, so many are named. */
  lostStepsNamedMax: 50,

  /** What one run may push, as a pack, and the names of all files that are then there. */
  pushBytesMax: 512 * MiB,
  pushNamesBytesMax: 128 * MiB,
  /** A diff as the API answers it; beyond it the rest is cut and marked. */
  diffBytesMax: 8 * MiB,
  /** What is said of a pull request, in one comment or about it; how many commits are rebased; how many conflicts named. */
  pullTitleCharactersMax: 500,
  /** Labels that agents put on their pull requests; each as long as GitHub takes one. */
  pullLabelsMax: 10,
  pullLabelCharactersMax: 50,
  branchPatternCharactersMax: 100,
  commentCharactersMax: 65_000,
  issueLabelsMax: 50,
  rebasedCommitsMax: 200,
  conflictsNamedMax: 50,
  /** A merge of which nothing was heard for so long is looked for by others, for so long, so many at once. */
  mergeIdleMs: 60_000,
  mergeLookedAtMs: 24 * 60 * 60_000,
  mergesSweptMax: 20,
  /** How often a merge is made anew because its base has moved meanwhile. */
  mergeTriesMax: 5,
  /** Code hosts elsewhere: how many an organization connects, and repositories each lists. */
  integrationsMax: 20,
  hostReposMax: 5_000,
  /** How often the repositories of a connection are listed anew; pages of a GitHub App's form. */
  integrationSyncMs: 60 * 60_000,
  appFormMs: 60 * 60_000,
  /** For how long a browser may post a form to the GitHub Enterprise at which somebody has begun to make an App. */
  formTargetMs: 10 * 60_000,

  /** A repository's import. */
  importMsMax: 10 * 60_000,
  /** A `.git` that is a file, of a linked work tree. */
  gitFileBytesMax: 64 * KiB,
  /** Memory for each program that unpacks what was pushed, and what is imported. */
  unpackMemoryBytesMax: 2 * 1024 * MiB,
  importMemoryBytesMax: 4 * 1024 * MiB,

  /** What is passed on of a provider's refusal. */
  modelRefusalBytesMax: 64 * KiB,
  /** How long a provider may say nothing. */
  modelSilenceMs: 280_000,
  /** How often, and after how long, it is tried again to store what a call used. */
  usageTriesMax: 3,
  usageRetryMs: 500,

  /** One git command of our own on a repository, such as a diff. */
  gitCommandMs: 60_000,
  /** One token of a run, with which its worker does one thing at the Git gateway; longer than an import or a push takes. */
  gitTokenSeconds: 20 * 60,
  /** One with which a worker only reads, for no run: it is asked for when a request begins. */
  gitReadingTokenSeconds: 5 * 60,
  /** One clone or push over HTTP: its time, and what its request may say before or beside the pack, unpacked. */
  gitServiceMsMax: 60 * 60_000,
  gitRequestBytesMax: 16 * MiB,
  gitCommandsBytesMax: 4 * MiB,
  /** What one run asks of the Git gateway at once, and how often its agent may push. */
  runGitAtOnceMax: 4,
  runPushesMax: 1_000,
} as const

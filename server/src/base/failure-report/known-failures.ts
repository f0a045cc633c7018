/** Whose a failure is: of the code, of chance, of machines and networks, of what stands around the code. */
export type FailureKind = 'code' | 'chance' | 'machines' | 'metadata'

export type KnownFailure = {
  /** A word for programs. */
  cause: string
  kind: FailureKind
  /** What it usually means and what to do, in a sentence for people. */
  meaning: string
  pattern: RegExp
}

const registries = String.raw`(?:registry|npm|pypi|pip|crates|cargo|maven|central|proxy\.golang|artifact|download|fetch|HTTP|status)`

/** What logs say, and what it usually means. The first that fits an error counts, so the more certain come first. */
export const knownFailures: readonly KnownFailure[] = [
  {
    cause: 'egress_refused',
    kind: 'machines',
    meaning: 'The sandbox may not reach this host. Allow its name for the organization or the repository.',
    pattern:
      /Neither the organization nor the repository allows this host|resolves to an address outside the public internet/,
  },
  {
    cause: 'disk_full',
    kind: 'machines',
    meaning: 'The disk was full. It needs a larger one, or less must be written.',
    pattern: /No space left on device|\bENOSPC\b|[Dd]isk quota exceeded|\bEDQUOT\b/,
  },
  {
    cause: 'runner_lost',
    kind: 'machines',
    meaning: 'The machine that ran it went away. Run it again.',
    pattern:
      /runner has received a shutdown signal|lost communication with the server|hosted runner (?:encountered|lost)|^The operation was canceled|runner system failure|Job's executor .{0,200} lost/,
  },
  {
    cause: 'killed',
    kind: 'machines',
    meaning: 'A program was killed from outside, most often because memory ran out.',
    pattern:
      /\bOOMKilled\b|^Killed\b|signal: 9, SIGKILL|\bsignal: killed\b|[Cc]annot allocate memory|\bENOMEM\b|exit code 137\b/,
  },
  {
    cause: 'image_missing',
    kind: 'machines',
    meaning: 'The image or the action that the job runs in could not be had.',
    pattern:
      /toomanyrequests|pull access denied|manifest unknown|Unable to resolve action|Failed to (?:pull|download) (?:image|action)/,
  },
  {
    cause: 'credentials',
    kind: 'machines',
    meaning: 'A server refused the credentials, or wants some. No change of files fixes that.',
    pattern:
      /\b(?:E401|E403)\b|(?:401 Unauthorized|403 Forbidden).{0,200}https?:|https?:\S.{0,200}(?:401 Unauthorized|403 Forbidden)|Bad credentials|could not read (?:Username|Password) for|Authentication failed for|status code: 40[13]\b/,
  },
  {
    cause: 'server_error',
    kind: 'machines',
    meaning: 'A server that packages come from had a fault or was too busy. Run it again later.',
    pattern: new RegExp(
      `\\bE(?:500|502|503|504|429)\\b|${registries}.{0,120}\\b(?:429 Too Many|50[0234] [A-Z]|(?:status|code|error|HTTP)[ :=]{1,2}(?:50[0234]|429)\\b)|\\b(?:502 Bad Gateway|503 Service (?:Temporarily )?Unavailable|504 Gateway Time-?out|429 Too Many Requests)|returned error: (?:50[0234]|429)\\b|got HTTP (?:50[0234]|429)`,
      'i',
    ),
  },
  {
    cause: 'name_not_resolved',
    kind: 'machines',
    meaning: 'A name could not be looked up: no network, or no such host.',
    pattern:
      /\bENOTFOUND\b|\bEAI_AGAIN\b|[Tt]emporary failure in name resolution|[Cc]ould ?n[o']t resolve host|\bno such host\b|Name or service not known|UnknownHostException/,
  },
  {
    cause: 'connection_broken',
    kind: 'machines',
    meaning: 'A connection broke off or was never answered. Run it again.',
    pattern:
      /\bECONNRESET\b|\bETIMEDOUT\b|\bENETUNREACH\b|\bEHOSTUNREACH\b|[Cc]onnection reset|TLS handshake timeout|\bi\/o timeout\b|Read timed out|[Ss]ocket hang up|[Cc]onnection timed out|[Nn]etwork is unreachable|spurious network error|early EOF|RPC failed; (?:curl|HTTP)|SSL_ERROR_SYSCALL|unexpected disconnect|Connection refused.{0,200}https?:\/\/(?!localhost|127\.)/,
  },
  {
    cause: 'pull_metadata',
    kind: 'metadata',
    meaning: 'It is about the title, the labels or the description of the pull request, and not about its files.',
    pattern:
      /(?:pull request|PR|MR) (?:title|body|description|label)s?\b.{0,200}(?:must|should|does ?n[o']t|not|is|missing|required)|[Nn]o release type found in pull request title|(?:missing|required) (?:a )?labels?\b|\blabels? (?:is|are) (?:missing|required)|sign (?:the|our) (?:CLA|Contributor License)/,
  },
  {
    cause: 'port_taken',
    kind: 'chance',
    meaning: 'A port was in use already. Tests that choose their port by themselves do not meet.',
    pattern: /\bEADDRINUSE\b|[Aa]ddress already in use|port \d{1,9} is already (?:allocated|in use)/,
  },
  {
    cause: 'test_timeout',
    kind: 'chance',
    meaning: 'A test took longer than it may: it waits for something that does not come, or the machine was slow.',
    pattern:
      /Exceeded timeout of \d{1,9} ?ms|[Tt]est timed out|[Tt]imeout of \d{1,9} ?ms exceeded|panic: test timed out after|Failed: Timeout >|TimeoutError: .{0,200}(?:waiting for|exceeded)|test timed out after/,
  },
  {
    cause: 'lock_contended',
    kind: 'chance',
    meaning: 'Two programs wanted the same thing at once. Run it again.',
    pattern:
      /deadlock detected|[Dd]atabase is locked|\bETXTBSY\b|[Tt]ext file busy|could not (?:obtain|get) lock|Resource temporarily unavailable/,
  },
  {
    cause: 'lockfile_outdated',
    kind: 'code',
    meaning: 'The lockfile does not fit what the project asks for. Install anew and commit the lockfile.',
    pattern:
      /npm ci.{0,40}can only install|package-lock\.json.{0,200}(?:not in sync|out of sync)|ERR_PNPM_OUTDATED_LOCKFILE|lockfile (?:needs to be updated|would have been modified)|YN0028|lock file .{0,200}needs to be updated|missing go\.sum entry|updates to go\.mod needed|inconsistent vendoring|uv\.lock.{0,200}needs to be updated|poetry\.lock.{0,200}(?:not up to date|changed significantly)/i,
  },
  {
    cause: 'version_not_found',
    kind: 'code',
    meaning: 'A package is asked for in a version that does not exist.',
    pattern:
      /\bETARGET\b|No matching version found|No matching distribution found|Could not find a version that satisfies|failed to select a version|\bE404\b|ERESOLVE|unknown revision|Could not find artifact/,
  },
  {
    cause: 'module_missing',
    kind: 'code',
    meaning: 'The code uses a module that is not installed: it is missing from the manifest, or its name is wrong.',
    pattern:
      /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ModuleNotFoundError|No module named|ImportError: cannot import|cannot find package|no required module provides package|is not in (?:GOROOT|std)|unresolved import|can't find crate|package \S{1,200} does not exist|Could not resolve "/,
  },
  {
    cause: 'command_missing',
    kind: 'code',
    meaning: 'A program is not installed: the setup commands should install it.',
    pattern:
      /command not found|: not found$|is not recognized as an internal|spawn \S{1,200} ENOENT|executable file not found|[Mm]issing script:/,
  },
  {
    cause: 'types',
    kind: 'code',
    meaning: 'The types do not fit.',
    pattern:
      /error TS\d{1,9}:|error: (?:Incompatible|Argument \d|Name ".{0,200}" is not defined|.{0,200}\[(?:arg-type|assignment|return-value|attr-defined|call-arg)\])|mismatched types/,
  },
  {
    cause: 'style',
    kind: 'code',
    meaning: 'A linter or a formatter wants the code otherwise.',
    pattern:
      /^\s{1,20}\d{1,9}:\d{1,9}\s{1,20}error\s|✖ \d{1,9} problems? \(|would reformat|Code style issues found|Format issues found|Run .{0,200}--fix|\bgofmt\b|Diff in .{0,200} at line|clippy::/,
  },
  {
    cause: 'does_not_compile',
    kind: 'code',
    meaning: 'The code does not compile.',
    pattern:
      /^error(?:\[E\d{1,9}\])?: |COMPILATION ERROR|cannot find symbol|^\S{1,200}\.go:\d{1,9}:\d{1,9}: |SyntaxError|IndentationError|\[build failed\]|\[setup failed\]|: (?:fatal )?error: |Unexpected token|Parsing error/,
  },
  {
    cause: 'out_of_heap',
    kind: 'code',
    meaning: 'A program used more memory than it gives itself.',
    pattern: /JavaScript heap out of memory|java\.lang\.OutOfMemoryError|MemoryError/,
  },
  {
    cause: 'tests_failed',
    kind: 'code',
    meaning: 'Tests fail: what they expect is not what the code does.',
    pattern:
      /^E {2}|^(?:FAILED|ERROR) \S|^\s{0,60}--- FAIL: |^FAIL\b|\.\.\. FAILED$|panicked at|Tests run: \d{1,9}, Failures: [1-9]|There are test failures|^\s{1,20}● |^\s{0,60}not ok \d|^\s{0,60}✖ |AssertionError|ERR_ASSERTION|test failed, to rerun/,
  },
]

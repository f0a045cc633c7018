import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { runGit } from './run-git.ts'

/** Languages by the endings of file names. Data, prose and markup are in every repository and say nothing of it. */
const endings: Record<string, string> = {
  C: 'c h',
  'C#': 'cs',
  'C++': 'cc cpp cxx hh hpp hxx',
  CSS: 'css less sass scss',
  Clojure: 'clj cljc cljs',
  Dart: 'dart',
  Elixir: 'ex exs',
  Erlang: 'erl hrl',
  'F#': 'fs fsx',
  Go: 'go',
  Groovy: 'gradle groovy',
  HTML: 'htm html',
  Haskell: 'hs',
  Java: 'java',
  JavaScript: 'cjs js jsx mjs',
  Julia: 'jl',
  Kotlin: 'kt kts',
  Lua: 'lua',
  Nix: 'nix',
  OCaml: 'ml mli',
  'Objective-C': 'm mm',
  PHP: 'php',
  Perl: 'pl pm',
  PowerShell: 'ps1 psm1',
  Python: 'py pyi pyx',
  R: 'r',
  Ruby: 'rake rb',
  Rust: 'rs',
  SQL: 'sql',
  Scala: 'sbt scala',
  Shell: 'bash sh zsh',
  Svelte: 'svelte',
  Swift: 'swift',
  Terraform: 'tf',
  TypeScript: 'cts mts ts tsx',
  Vue: 'vue',
  Zig: 'zig',
}
const foreignFolders = /(^|\/)(node_modules|vendor|third_party|dist|build|generated|\.yarn)\//
const minified = /\.min\.(js|css)$/

/** The language that most of the default branch is written in; null where there is none. */
export async function languageOf(repository: string): Promise<string | null> {
  const listed = await runGit({
    repository,
    arguments: ['ls-tree', '-r', '-l', '-z', 'HEAD'],
    outputBytesMax: gitLimits.filesBytesMax,
    timeoutMs: limits.gitCommandMs,
  })
  // An empty repository has no HEAD yet.
  if (listed.exitCode !== 0) return null
  const languages = new Map(
    Object.entries(endings).flatMap(([name, words]) => words.split(' ').map((ending) => [ending, name])),
  )
  const bytes = new Map<string, number>()
  for (const line of listed.stdout.toString().split('\0')) {
    const file = /^100(?:644|755) blob [0-9a-f]+ +([0-9]+)\t(.+)$/s.exec(line)
    const [size, name] = [Number(file?.[1]), file?.[2] ?? '']
    const language = languages.get(/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
    if (!language || foreignFolders.test(name) || minified.test(name)) continue
    bytes.set(language, (bytes.get(language) ?? 0) + size)
  }
  return [...bytes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

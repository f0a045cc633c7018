import type { Root, RootContent } from 'hast'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import makefile from 'highlight.js/lib/languages/makefile'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import scss from 'highlight.js/lib/languages/scss'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'

/** A stretch of a line in one color; the class is empty where it has none. */
export type Piece = { text: string; className: string }

/** A longer text is shown without colors: nothing that an agent writes may keep the page busy. */
const charactersMax = 60_000
/** Minified code has lines of which coloring would take long. */
const lineCharactersMax = 1_000

const lowlight = createLowlight({
  bash, c, cpp, csharp, css, dockerfile, go, ini, java, javascript, json, kotlin, makefile, php, python, ruby, rust, scss, sql, swift,
  typescript, xml, yaml,
}) // prettier-ignore

const endings: Record<string, string> = {
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  go: 'go',
  ini: 'ini',
  toml: 'ini',
  java: 'java',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  json: 'json',
  kt: 'kotlin',
  kts: 'kotlin',
  php: 'php',
  py: 'python',
  pyi: 'python',
  rb: 'ruby',
  rs: 'rust',
  scss: 'scss',
  sql: 'sql',
  swift: 'swift',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  html: 'xml',
  xml: 'xml',
  svg: 'xml',
  vue: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
}
const names: Record<string, string> = {
  dockerfile: 'dockerfile',
  makefile: 'makefile',
  gemfile: 'ruby',
  rakefile: 'ruby',
}

const classes: Record<string, string> = {
  keyword: 'hl-k',
  built_in: 'hl-f',
  literal: 'hl-k',
  type: 'hl-f',
  string: 'hl-s',
  regexp: 'hl-s',
  char: 'hl-s',
  number: 'hl-n',
  title: 'hl-f',
  comment: 'hl-c',
  doctag: 'hl-c',
  meta: 'hl-c',
  attr: 'hl-f',
  attribute: 'hl-f',
  tag: 'hl-k',
  name: 'hl-k',
  symbol: 'hl-n',
  'selector-class': 'hl-f',
  'selector-tag': 'hl-k',
  'selector-id': 'hl-f',
  property: 'hl-f',
  section: 'hl-f',
}

/** The lines of a file in colors, line by line; null where its language is not known or it is too long. */
export function colorLines(path: string, lines: readonly string[]): Piece[][] | null {
  const language = languageOf(path)
  if (!language) return null
  const text = lines.join('\n')
  if (text.length > charactersMax || lines.some((line) => line.length > lineCharactersMax)) return null
  const colored: Piece[][] = [[]]
  walk(lowlight.highlight(language, text), '', colored)
  return colored
}

function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return names[name] ?? endings[name.slice(name.lastIndexOf('.') + 1)]
}

function walk(node: Root | RootContent, className: string, colored: Piece[][]): void {
  if (node.type === 'text') {
    for (const [n, text] of node.value.split('\n').entries()) {
      if (n) colored.push([])
      if (text) colored.at(-1)!.push({ text, className })
    }
  } else if ('children' in node) {
    const own = node.type === 'element' ? classOf(node.properties['className']) : ''
    for (const child of node.children) walk(child, own || className, colored)
  }
}

function classOf(names: unknown): string {
  const [first] = Array.isArray(names) ? (names as string[]) : []
  return classes[first?.replace('hljs-', '') ?? ''] ?? ''
}

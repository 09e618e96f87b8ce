import type { HLJSApi, LanguageFn } from 'highlight.js'

/** A piece of code, and its kind as a class of the style sheet. */
export interface CodePiece {
  text: string
  style: string
}

const CODE_MAX = 4_000
/** Some languages take the square of a line's length. */
const LINE_MAX = 1_000
const LONG_LINE = new RegExp(`.{${LINE_MAX + 1}}`)
/** A language that took longer is not highlighted again: a member may write slow code on purpose. */
const SLOW_MS = 250

type Source = () => Promise<{ default: LanguageFn }>

/** The languages, each loaded when it is first seen. */
const LANGUAGES: Record<string, Source> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  go: () => import('highlight.js/lib/languages/go'),
  haskell: () => import('highlight.js/lib/languages/haskell'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nginx: () => import('highlight.js/lib/languages/nginx'),
  nix: () => import('highlight.js/lib/languages/nix'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  scss: () => import('highlight.js/lib/languages/scss'),
  shell: () => import('highlight.js/lib/languages/shell'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

/** Other names that people write. */
const ALIASES: Record<string, string> = {
  'c#': 'csharp',
  'c++': 'cpp',
  console: 'shell',
  cs: 'csharp',
  docker: 'dockerfile',
  ex: 'elixir',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  hs: 'haskell',
  html: 'xml',
  js: 'javascript',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  patch: 'diff',
  pl: 'perl',
  postgres: 'sql',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sass: 'scss',
  sh: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
}

const slow = new Set<string>()
let core: Promise<HLJSApi> | undefined

/** The known language that a name means. */
function languageOf(name: string): string | undefined {
  const language = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name
  return language !== undefined && Object.hasOwn(LANGUAGES, language) && !slow.has(language) ? language : undefined
}

/** The code with its parts named; undefined if its language is not known or cannot be loaded. */
export async function highlight(text: string, name: string): Promise<CodePiece[] | undefined> {
  const language = languageOf(name)
  if (language === undefined || text.length > CODE_MAX || LONG_LINE.test(text)) return undefined
  try {
    const library = await (core ??= import('highlight.js/lib/core').then((module) => module.default))
    const source = LANGUAGES[language]
    if (source && !library.getLanguage(language)) library.registerLanguage(language, (await source()).default)
    if (slow.has(language)) return undefined
    const began = performance.now()
    const { value } = library.highlight(text, { language, ignoreIllegals: true })
    if (performance.now() - began > SLOW_MS) slow.add(language)
    return piecesOf(value)
  } catch {
    // Without a network the next block tries again.
    core = undefined
    return undefined
  }
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

/** Reads the library's HTML, which has only spans with a class: the page takes no HTML. */
function piecesOf(html: string): CodePiece[] {
  const pieces: CodePiece[] = []
  const open: string[] = []
  for (const [token, style, text] of html.matchAll(/<span class="([^"]*)">|<\/span>|([^<]+)/g)) {
    if (style !== undefined) open.push(style)
    else if (text === undefined) open.pop()
    else
      pieces.push({
        text: token.replace(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity),
        style: open.at(-1) ?? '',
      })
  }
  return pieces
}

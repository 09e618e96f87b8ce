/** A piece of a message; text, never HTML. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; inside: Inline[] }
  | { kind: 'link'; href: string; inside: Inline[] }
  | { kind: 'mention'; user_id: number }
  | { kind: 'emoji'; id: number; name: string }
  | { kind: 'break' }

export type Block =
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'quote'; inside: Block[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }

const NESTING_MAX = 4
const SAFE_URL = /^(https?:\/\/|mailto:)/i

/** The pattern of each inline kind. The earliest match wins; of several there, the first in this list. */
const RULES: [RegExp, (match: RegExpExecArray, depth: number) => Inline | undefined][] = [
  [/(`+)(.+?)\1(?!`)/s, ([, , text = '']) => ({ kind: 'code', text })],
  [/<:([a-z0-9_]{2,32}):(\d{1,15})>/, ([, name = '', id]) => ({ kind: 'emoji', id: Number(id), name })],
  [/<@(\d{1,15})>/, ([, id]) => ({ kind: 'mention', user_id: Number(id) })],
  [
    /\[([^\]\n]{1,300})\]\(([^\s()]{1,2000})\)/,
    ([, text = '', href = ''], depth) =>
      SAFE_URL.test(href) ? { kind: 'link', href, inside: inlines(text, depth) } : undefined,
  ],
  [
    /https?:\/\/[^\s<>"'`]{1,2000}/,
    ([href]) => ({ kind: 'link', href: trimmed(href), inside: [{ kind: 'text', text: trimmed(href) }] }),
  ],
  [/\*\*(?=\S)(.+?)(?<=\S)\*\*/s, ([, text = ''], depth) => ({ kind: 'bold', inside: inlines(text, depth) })],
  [/~~(?=\S)(.+?)(?<=\S)~~/s, ([, text = ''], depth) => ({ kind: 'strike', inside: inlines(text, depth) })],
  [
    /\*(?=[^\s*])(.+?)(?<=[^\s*])\*(?!\*)/s,
    ([, text = ''], depth) => ({ kind: 'italic', inside: inlines(text, depth) }),
  ],
  [
    /(?<![\w_])_(?=[^\s_])(.+?)(?<=[^\s_])_(?![\w_])/s,
    ([, text = ''], depth) => ({ kind: 'italic', inside: inlines(text, depth) }),
  ],
]

/** Removes punctuation that ends a sentence from a URL, and a closing bracket without an opening one. */
function trimmed(href: string): string {
  const cut = href.replace(/[.,;:!?]+$/, '')
  return cut.endsWith(')') && !cut.includes('(') ? cut.slice(0, -1) : cut
}

const lengthOf = (match: RegExpExecArray, piece: Inline): number =>
  piece.kind === 'link' && match[0].startsWith('http') ? piece.href.length : match[0].length

function inlines(text: string, depth = 0): Inline[] {
  const found: Inline[] = []
  if (depth >= NESTING_MAX) return plain(text)
  const rules = new Set(RULES)
  while (text !== '') {
    let best: { at: number; length: number; piece: Inline } | undefined
    for (const each of rules) {
      const [rule, read] = each
      const match = rule.exec(text)
      // A rule without a match has none in the rest of the text either: this bounds the time.
      if (!match) rules.delete(each)
      if (!match || (best && match.index >= best.at)) continue
      const piece = read(match, depth + 1)
      if (piece) best = { at: match.index, length: lengthOf(match, piece), piece }
    }
    if (!best) break
    found.push(...plain(text.slice(0, best.at)), best.piece)
    text = text.slice(best.at + best.length)
  }
  return [...found, ...plain(text)]
}

const plain = (text: string): Inline[] =>
  text
    .split('\n')
    .flatMap((line, at): Inline[] => [
      ...(at > 0 ? [{ kind: 'break' } as const] : []),
      ...(line === '' ? [] : [{ kind: 'text', text: line } as const]),
    ])

const FENCE = /^```[\w+-]*\n?([\s\S]*?)\n?```[ \t]*(?:\n|$)/
const QUOTE = /^(?:> ?.*(?:\n|$))+/
const LIST = /^(?:(?:[-*]|\d{1,3}\.) +.*(?:\n|$))+/
const PLAIN = /^(?:(?!```|> ?|(?:[-*]|\d{1,3}\.) +).*(?:\n|$))+/

/** Parses a message into paragraphs, quotes, lists and code, with emphasis, links and mentions. */
export function parse(text: string, depth = 0): Block[] {
  const blocks: Block[] = []
  while (text !== '') {
    const fence = FENCE.exec(text)
    const quote = depth < NESTING_MAX ? QUOTE.exec(text) : null
    const list = LIST.exec(text)
    const taken = (fence ?? quote ?? list ?? PLAIN.exec(text))?.[0] || (/^.*(?:\n|$)/.exec(text)?.[0] ?? text)
    if (fence) blocks.push({ kind: 'code', text: fence[1] ?? '' })
    else if (quote) blocks.push({ kind: 'quote', inside: parse(taken.replace(/^> ?/gm, ''), depth + 1) })
    else if (list) {
      const items = taken
        .trimEnd()
        .split('\n')
        .map((line) => inlines(line.replace(/^(?:[-*]|\d{1,3}\.) +/, '')))
      blocks.push({ kind: 'list', ordered: /^\d/.test(taken), items })
    } else if (taken.trim() !== '') blocks.push({ kind: 'paragraph', inside: inlines(taken.replace(/^\n+|\n+$/g, '')) })
    text = text.slice(Math.max(taken.length, 1))
  }
  return blocks
}

import { isVisible, withoutHidden } from '../visible.ts'
import { append, drawnText, type Inline } from './pieces.ts'
import { isTime, TIME } from './times.ts'

/**
 * Parses links, mentions, times, marks and escapes in a line of a message. The client draws with this grammar; the
 * server finds mentions, links to preview and the text of notifications with it. What is not drawn has no effect.
 */

/** Open marks allowed at once; further ones are text. Bounds the depth of the tree and the time. */
const OPEN_MAX = 32
const LABEL_MAX = 300
/** Longer addresses stay text. */
const URL_UNITS_MAX = 2000
const SAFE_URL = /^(https?:\/\/|mailto:)/i
/** A link target may contain one level of nested brackets. */
const LINK_TARGET = /\]\(((?:[^\s()<>]|\([^\s()<>]*\)){1,2000}|<[^\s<>]{1,2000}>)\)/y
/**
 * Characters that only occur encoded in addresses: quotes, brackets and punctuation of scripts that write no space
 * after a link, and characters that hide or reorder text.
 */
const AFTER_URL =
  '。．｡、､，；：！？「」『』【】〔〕〖〗《》〈〉（）［］｛｝｢｣…؟،؛۔।॥՝։።፣።។៕၊။“”„‟‚‘‛«»‹›' +
  '\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff'
const URL_TEXT = new RegExp(String.raw`https?:\/\/(?=[\p{L}\p{N}[])[^\s<>"\x60^{|}\\${AFTER_URL}]{1,2001}`, 'iuy')
const ANGLE_URL = /<(https?:\/\/[^\s<>"`]{1,2000})>/iy
/** A Latin top-level domain ends before a non-Latin letter or an apostrophe: https://a.orgを */
const HOST_END = /^https?:\/\/[^/?#]*?\.[a-z]{2,63}(?::\d{1,5})?(?=['’]|[^\0-\x7f][^./?#]*(?:[/?#]|$))/i
const EMOJI = /<:[a-z0-9_]{2,32}:\d{1,15}>/y
const MENTION = /<@(\d{1,15})>/y
const TOKEN = /<(?:@&|#)\d{1,15}>/y
const ALL = /@(?:everyone|here)(?![\p{Script=Latin}\p{N}_])/uy
/** The path of a channel or message, as written by `placePath`. */
const PLACE_PATH = /\/c\/\d{1,15}(?:\/\d{1,15})?(?![\w/])/y
const ESCAPED = /\\[!-/:-@[-`{-~]/y
const MARKS = /\*+|_+|~+|\|+/y
const PLAIN = /[^\\`<[h/*_~|@\n]+|h+/iy
const SPACE = /\s/
const WORD = /[\p{L}\p{N}]/u
/** Letters that prevent a link or a mass mention right after them. Scripts without spaces do not. */
const LATIN = /[\p{Script=Latin}0-9_]/u
/** Characters cut from a URL's end: they end the sentence, or close a mark or a quotation. */
const URL_END = /[.,;:!?*_~'’]/
const BRACKETS: Record<string, string> = { ')': '(', ']': '[' }

const KINDS: Record<string, 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'> = {
  '**': 'bold',
  '*': 'italic',
  __: 'underline',
  _: 'italic',
  '~~': 'strike',
  '||': 'spoiler',
}

/** An open mark, and the pieces read since. */
interface Frame {
  /** `*` or `_`, or `~~` or `||`, which have a fixed length. */
  mark: string
  count: number
  inside: Inline[]
}

interface Target {
  href: string
  end: number
  isQuiet: boolean
}

/** Reads one text from left to right. Each step consumes its input or records that it cannot match. */
class Reader {
  #at = 0
  readonly #root: Frame = { mark: '', count: 0, inside: [] }
  /** Open marks, innermost last. */
  readonly #frames: Frame[] = []
  /** Positions of the backtick runs still ahead, by length. */
  #runs: Map<number, number[]> | undefined
  /** Caches the link target after the closing bracket at a position; undefined if there is none. */
  readonly #targets = new Map<number, Target | undefined>()
  #nextBracket = -1
  /** No URL begins before this position. */
  #noUrlBefore = 0

  constructor(
    private readonly text: string,
    /** False inside a link's label, which must not contain links. */
    private readonly hasLinks: boolean,
  ) {}

  read(): Inline[] {
    while (this.#at < this.text.length) this.#step()
    return this.#frames.reduce(flattened, this.#root.inside)
  }

  #step(): void {
    switch (this.text[this.#at]) {
      case '\n':
        this.#at++
        return this.#add({ kind: 'break' })
      case '\\': {
        const escapedSign = this.#take(ESCAPED)
        return this.#say(escapedSign ? escapedSign.slice(1) : this.#one())
      }
      case '`':
        return this.#code()
      case '<':
        return this.#angle()
      case '@':
        return this.#all()
      case '[':
        return this.#link()
      case '/':
        return this.#path()
      case 'h':
      case 'H':
        return this.#url()
      case '*':
      case '_':
      case '~':
      case '|':
        return this.#mark()
      default:
        this.#say(this.#take(PLAIN) ?? this.#one())
    }
  }

  /** Consumes what a pattern matches at the current position. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.text)?.[0]
    if (match) this.#at += match.length
    return match
  }

  #one = (): string => this.text[this.#at++] ?? ''

  get #top(): Frame {
    return this.#frames.at(-1) ?? this.#root
  }

  #add(piece: Inline): void {
    this.#top.inside.push(piece)
  }

  #say = (text: string): void => append(this.#top.inside, text)

  #code(): void {
    const run = this.#take(/`+/y) ?? ''
    const end = this.#nextRun(run.length)
    if (end === undefined) return this.#say(run)
    const text = this.text.slice(this.#at, end)
    // One space next to the backticks on both sides belongs to the delimiter.
    const isPadded = /^ .*\S.* $/s.test(text) && (text[1] === '`' || text.at(-2) === '`')
    this.#add({ kind: 'code', text: isPadded ? text.slice(1, -1) : text })
    this.#at = end + run.length
  }

  /** Position of the next backtick run of this length. */
  #nextRun(length: number): number | undefined {
    this.#runs ??= runsIn(this.text)
    const ahead = this.#runs.get(length) ?? []
    while ((ahead.at(-1) ?? this.#at) < this.#at) ahead.pop()
    return ahead.at(-1)
  }

  /** Reads @everyone and @here; not inside an e-mail address. */
  #all(): void {
    const before = this.text[this.#at - 1] ?? ''
    const token = before === '@' || LATIN.test(before) ? undefined : this.#take(ALL)
    if (token) this.#add({ kind: 'token', token })
    else this.#say(this.#one())
  }

  #angle(): void {
    const mention = this.#take(MENTION)
    if (mention) return this.#add({ kind: 'mention', user_id: Number(mention.slice(2, -1)) })
    const token = this.#take(TOKEN)
    if (token) return this.#add({ kind: 'token', token })
    const [, name, id] = this.#take(EMOJI)?.split(/[<:>]+/) ?? []
    if (name && id) return this.#add({ kind: 'emoji', id: Number(id), name })
    const time = this.#take(TIME)
    if (time) return this.#time(time)
    const start = this.#at
    const url = this.hasLinks ? this.#take(ANGLE_URL) : undefined
    if (url && URL.canParse(url.slice(1, -1))) return this.#add({ ...linkTo(url.slice(1, -1)), quiet: true })
    this.#at = start
    this.#say(this.#one())
  }

  #time(token: string): void {
    const [, seconds = '', style = 'f'] = token.slice(0, -1).split(':')
    if (isTime(Number(seconds))) this.#add({ kind: 'time', seconds: Number(seconds), style })
    else this.#say(token)
  }

  #url(): void {
    const start = this.#at
    const before = this.text[start - 1] ?? ''
    const mayBegin = this.hasLinks && start >= this.#noUrlBefore && !LATIN.test(before)
    const url = mayBegin ? this.#take(URL_TEXT) : undefined
    if (!url) return this.#say(this.#take(PLAIN) ?? this.#one())
    // The apostrophe may close a quotation.
    const quoted = before === '‘' ? (url.split('’', 1)[0] ?? '') : url
    const href = trimmed(HOST_END.exec(quoted)?.[0] ?? quoted)
    this.#at = start
    if (url.length <= URL_UNITS_MAX && URL.canParse(href)) {
      this.#at += href.length
      return this.#add(linkTo(href))
    }
    this.#noUrlBefore = start + url.length
    this.#say(this.#take(PLAIN) ?? this.#one())
  }

  #path(): void {
    const before = this.text[this.#at - 1] ?? ' '
    const path = this.hasLinks && SPACE.test(before) ? this.#take(PLACE_PATH) : undefined
    if (path) this.#add(linkTo(path))
    else this.#say(this.#one())
  }

  #link(): void {
    if (this.#nextBracket < this.#at && this.#nextBracket !== Infinity) {
      const next = this.text.indexOf(']', this.#at)
      this.#nextBracket = next < 0 ? Infinity : next
    }
    const close = this.#nextBracket
    const label = this.hasLinks && close - this.#at <= LABEL_MAX ? this.text.slice(this.#at + 1, close) : ''
    const target = label.trim() === '' || label.includes('\n') ? undefined : this.#targetAt(close)
    if (!target) return this.#say(this.#one())
    // Bidirectional controls in a label could make it look like another address.
    const inside = inlines(withoutHidden(label), false)
    const labelText = drawnText(inside)
    const { href, end, isQuiet } = target
    if (isVisible(labelText) && !misleads(labelText, href))
      this.#add({ kind: 'link', href, inside, ...(isQuiet ? { quiet: true } : {}) })
    else this.#say(this.text.slice(this.#at, end))
    this.#at = end
  }

  #targetAt(close: number): Target | undefined {
    if (!this.#targets.has(close)) {
      LINK_TARGET.lastIndex = close
      const match = LINK_TARGET.exec(this.text)
      const [whole, targetText = ''] = match ?? ['']
      const href = targetText.replace(/^<|>$/g, '')
      const target = { href, end: close + whole.length, isQuiet: href !== targetText }
      this.#targets.set(close, SAFE_URL.test(href) && URL.canParse(href) ? target : undefined)
    }
    return this.#targets.get(close)
  }

  /** Closes and opens marks. */
  #mark(): void {
    const start = this.#at
    const run = this.#take(MARKS)
    if (!run) return this.#say(this.#one())
    const [before, after] = [this.text[start - 1] ?? ' ', this.text[this.#at] ?? ' ']
    const isPair = run[0] === '~' || run[0] === '|'
    if (isPair && run.length !== 2 && run.length !== 4) return this.#say(run)
    const mark = isPair ? run.slice(0, 2) : (run[0] ?? '')
    const isSpoiler = mark === '||'
    // Inside a word, _ is a letter.
    const opens = isSpoiler || (!SPACE.test(after) && (mark !== '_' || !WORD.test(before)))
    const closes = isSpoiler || (!SPACE.test(before) && (mark !== '_' || !WORD.test(after)))
    let marksLeft = run.length / mark.length
    while (closes && marksLeft > 0) {
      const closedMarks = this.#close(mark, marksLeft)
      if (closedMarks === 0) break
      marksLeft -= closedMarks
    }
    if (marksLeft === 0) return
    // Longer runs are text.
    if (opens && marksLeft <= (isPair ? 1 : 3) && this.#frames.length < OPEN_MAX)
      this.#frames.push({ mark, count: marksLeft, inside: [] })
    else this.#say(mark.repeat(marksLeft))
  }

  /** Closes the nearest open mark of a kind. @returns how many characters that uses, 0 if none is open */
  #close(mark: string, most: number): number {
    const sameFrame = this.#frames.findLastIndex((open) => open.mark === mark && open.count === most)
    const at = sameFrame < 0 ? this.#frames.findLastIndex((open) => open.mark === mark) : sameFrame
    const frame = this.#frames[at]
    if (!frame) return 0
    const inside = this.#frames.splice(at + 1).reduce(flattened, frame.inside)
    if (inside.length === 0) return 0
    const markCount = mark.length > 1 ? 1 : Math.min(2, most, frame.count)
    const kind = KINDS[mark.repeat(markCount)] ?? 'italic'
    frame.count -= markCount
    frame.inside = [{ kind, inside }]
    if (frame.count === 0) {
      this.#frames.pop()
      this.#top.inside.push(...frame.inside)
    }
    return markCount
  }
}

/** Turns an unclosed mark back into text. */
function flattened(inside: Inline[], { mark, count, inside: behind }: Frame): Inline[] {
  append(inside, mark.repeat(count))
  for (const piece of behind)
    if (piece.kind === 'text') append(inside, piece.text)
    else inside.push(piece)
  return inside
}

const linkTo = (href: string) => ({ kind: 'link' as const, href, inside: [{ kind: 'text' as const, text: href }] })

/** Positions of the backtick runs by length, first position last. */
function runsIn(text: string): Map<number, number[]> {
  const all = [...text.matchAll(/`+/g)].toReversed()
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of all) {
    const runIndexes = runs.get(run.length) ?? []
    runIndexes.push(index)
    runs.set(run.length, runIndexes)
  }
  return runs
}

/** Cuts a URL at an unmatched closing bracket, and drops characters that end a sentence or close a mark. */
function trimmed(href: string): string {
  const open: Record<string, number> = { '(': 0, '[': 0 }
  let end = 0
  for (; end < href.length; end++) {
    const sign = href[end] ?? ''
    if (sign in open) open[sign] = (open[sign] ?? 0) + 1
    const opening = BRACKETS[sign]
    if (opening === undefined) continue
    if (!open[opening]) break
    open[opening]--
  }
  while (end > 0 && URL_END.test(href[end - 1] ?? '')) end--
  return href.slice(0, end)
}

/** True if a label reads as an address with another host than the link's. */
function misleads(label: string, href: string): boolean {
  const labelText = withoutHidden(label).normalize('NFKC').trim()
  if (!/https?:/i.test(labelText)) return false
  const url = URL.parse(labelText)
  return !url || url.host !== URL.parse(href)?.host || url.username !== ''
}

/** Parses the marks, links and mentions of a text. Takes linear time. */
export const inlines = (text: string, hasLinks = true): Inline[] => new Reader(text, hasLinks).read()

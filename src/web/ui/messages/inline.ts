/** A piece of a message's line; text, never HTML. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'; inside: Inline[] }
  | { kind: 'link'; href: string; inside: Inline[] }
  | { kind: 'mention'; user_id: number }
  /** A role, a channel, everyone or here, as the server stores it. */
  | { kind: 'token'; token: string }
  | { kind: 'emoji'; id: number; name: string }
  | { kind: 'break' }

/** Opened marks that wait for their closing ones: more are text. Bounds the depth of the tree and the time. */
const OPEN_MAX = 32
const LABEL_MAX = 300
const SAFE_URL = /^(https?:\/\/|mailto:)/i
const LINK_TARGET = /\]\(([^\s()]{1,2000}|<[^\s<>]{1,2000}>)\)/y
const URL_TEXT = /https?:\/\/(?=[\p{L}\p{N}[])[^\s<>"'`|\\]{1,2000}/iuy
const ANGLE_URL = /<(https?:\/\/[^\s<>"'`]{1,2000})>/iy
const EMOJI = /<:[a-z0-9_]{2,32}:\d{1,15}>/y
const MENTION = /<@(\d{1,15})>/y
const TOKEN = /<(?:@&|#)\d{1,15}>/y
const ALL = /@(?:everyone|here)\b/y
/** The path of a place, as `placePath` writes it. */
const PLACE_PATH = /\/c\/\d{1,15}(?:\/\d{1,15})?(?![\w/])/y
const ESCAPED = /\\[!-/:-@[-`{-~]/y
const MARKS = /\*+|_+|~+|\|+/y
const PLAIN = /[^\\`<[h/*_~|@\n]+|h+/iy
const SPACE = /\s/
const WORD = /[\p{L}\p{N}]/u
/** Ends a sentence, or closes a mark around the URL. */
const AFTER_URL = '.,;:!?*_~'

const KINDS: Record<string, 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'> = {
  '**': 'bold',
  '*': 'italic',
  __: 'underline',
  _: 'italic',
  '~~': 'strike',
  '||': 'spoiler',
}

/** A mark that was opened, and what stands behind it so far. */
interface Frame {
  /** `*` or `_`, or `~~` or `||`, which have one length. */
  mark: string
  count: number
  inside: Inline[]
}

/** Reads one text from left to right. Every step takes what it has looked at, or notes that nothing comes of it. */
class Reader {
  #at = 0
  readonly #root: Frame = { mark: '', count: 0, inside: [] }
  /** The open marks, the innermost one last. */
  readonly #frames: Frame[] = []
  /** Where runs of backticks begin, by their length: those that are ahead. */
  #runs: Map<number, number[]> | undefined
  /** Whether what follows the closing bracket at a position is a link's target, and its end. */
  readonly #targets = new Map<number, { href: string; end: number } | undefined>()
  #next_bracket = -1

  constructor(
    private readonly text: string,
    /** Whether links may stand in it: not in the label of another one. */
    private readonly withLinks: boolean,
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
        const escaped = this.#take(ESCAPED)
        return this.#say(escaped ? escaped.slice(1) : this.#one())
      }
      case '`':
        return this.#code()
      case '<':
        return this.#angle()
      case '@': {
        const token = this.#take(ALL)
        return token ? this.#add({ kind: 'token', token }) : this.#say(this.#one())
      }
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

  /** Takes what a pattern matches here. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)?.[0]
    if (found) this.#at += found.length
    return found
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
    // Spaces beside backticks that belong to the code.
    const padded = /^ .*\S.* $/s.test(text) && (text[1] === '`' || text.at(-2) === '`')
    this.#add({ kind: 'code', text: padded ? text.slice(1, -1) : text })
    this.#at = end + run.length
  }

  /** Where the next run of so many backticks begins. */
  #nextRun(length: number): number | undefined {
    this.#runs ??= runsIn(this.text)
    const ahead = this.#runs.get(length) ?? []
    while ((ahead.at(-1) ?? this.#at) < this.#at) ahead.pop()
    return ahead.at(-1)
  }

  #angle(): void {
    const mention = this.#take(MENTION)
    if (mention) return this.#add({ kind: 'mention', user_id: Number(mention.slice(2, -1)) })
    const token = this.#take(TOKEN)
    if (token) return this.#add({ kind: 'token', token })
    const [, name, id] = this.#take(EMOJI)?.split(/[<:>]+/) ?? []
    if (name && id) return this.#add({ kind: 'emoji', id: Number(id), name })
    const url = this.withLinks ? this.#take(ANGLE_URL) : undefined
    if (url) this.#add(linkTo(url.slice(1, -1)))
    else this.#say(this.#one())
  }

  #url(): void {
    const before = this.text[this.#at - 1] ?? ''
    const url = this.withLinks && !WORD.test(before) ? this.#take(URL_TEXT) : undefined
    if (!url) return this.#say(this.#take(PLAIN) ?? this.#one())
    const href = trimmed(url)
    this.#at -= url.length - href.length
    this.#add(linkTo(href))
  }

  #path(): void {
    const before = this.text[this.#at - 1] ?? ' '
    const path = this.withLinks && SPACE.test(before) ? this.#take(PLACE_PATH) : undefined
    if (path) this.#add(linkTo(path))
    else this.#say(this.#one())
  }

  #link(): void {
    if (this.#next_bracket < this.#at && this.#next_bracket !== Infinity) {
      const next = this.text.indexOf(']', this.#at)
      this.#next_bracket = next < 0 ? Infinity : next
    }
    const close = this.#next_bracket
    const label = this.withLinks && close - this.#at <= LABEL_MAX ? this.text.slice(this.#at + 1, close) : ''
    const target = label.trim() === '' ? undefined : this.#targetAt(close)
    // A label that looks like another address misleads.
    if (!target || label.includes('\n') || SAFE_URL.test(label.trim())) return this.#say(this.#one())
    this.#at = target.end
    this.#add({ kind: 'link', href: target.href, inside: inlines(label, false) })
  }

  #targetAt(close: number): { href: string; end: number } | undefined {
    if (!this.#targets.has(close)) {
      LINK_TARGET.lastIndex = close
      const found = LINK_TARGET.exec(this.text)
      const href = (found?.[1] ?? '').replace(/^<|>$/g, '')
      this.#targets.set(close, found && SAFE_URL.test(href) ? { href, end: close + found[0].length } : undefined)
    }
    return this.#targets.get(close)
  }

  /** Closes what a mark closes, and opens what it opens. */
  #mark(): void {
    const start = this.#at
    const run = this.#take(MARKS)
    if (!run) return this.#say(this.#one())
    const [before, after] = [this.text[start - 1] ?? ' ', this.text[this.#at] ?? ' ']
    const isPair = run[0] === '~' || run[0] === '|'
    if (isPair && run.length !== 2 && run.length !== 4) return this.#say(run)
    const mark = isPair ? run.slice(0, 2) : (run[0] ?? '')
    const isSpoiler = mark === '||'
    // Within a word _ is a letter.
    const opens = isSpoiler || (!SPACE.test(after) && (mark !== '_' || !WORD.test(before)))
    const closes = isSpoiler || (!SPACE.test(before) && (mark !== '_' || !WORD.test(after)))
    let left = run.length / mark.length
    while (closes && left > 0) {
      const closed = this.#close(mark, left)
      if (closed === 0) break
      left -= closed
    }
    if (left === 0) return
    // More say nothing.
    if (opens && left <= (isPair ? 1 : 3) && this.#frames.length < OPEN_MAX)
      this.#frames.push({ mark, count: left, inside: [] })
    else this.#say(mark.repeat(left))
  }

  /** Closes the nearest open mark of a kind. @returns how many of its characters that takes, 0 if none is open */
  #close(mark: string, most: number): number {
    const same = this.#frames.findLastIndex((open) => open.mark === mark && open.count === most)
    const at = same < 0 ? this.#frames.findLastIndex((open) => open.mark === mark) : same
    const frame = this.#frames[at]
    if (!frame) return 0
    const inside = this.#frames.splice(at + 1).reduce(flattened, frame.inside)
    if (inside.length === 0) return 0
    const taken = mark.length > 1 ? 1 : Math.min(2, most, frame.count)
    const kind = KINDS[mark.repeat(taken)] ?? 'italic'
    frame.count -= taken
    frame.inside = [{ kind, inside }]
    if (frame.count === 0) {
      this.#frames.pop()
      this.#top.inside.push(...frame.inside)
    }
    return taken
  }
}

/** What is left of an open mark that nothing closed: text. */
function flattened(inside: Inline[], { mark, count, inside: behind }: Frame): Inline[] {
  append(inside, mark.repeat(count))
  for (const piece of behind)
    if (piece.kind === 'text') append(inside, piece.text)
    else inside.push(piece)
  return inside
}

/** Adds text to the text at the end, if there is some. */
function append(pieces: Inline[], text: string): void {
  const last = pieces.at(-1)
  if (last?.kind === 'text') last.text += text
  else pieces.push({ kind: 'text', text })
}

const linkTo = (href: string): Inline => ({ kind: 'link', href, inside: [{ kind: 'text', text: href }] })

/** Where runs of backticks begin, by their length; the first one last. */
function runsIn(text: string): Map<number, number[]> {
  const all = [...text.matchAll(/`+/g)].toReversed()
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of all) {
    const same = runs.get(run.length) ?? []
    same.push(index)
    runs.set(run.length, same)
  }
  return runs
}

/** Removes what ends a sentence or closes a mark from a URL, and closing brackets without opening ones. */
function trimmed(href: string): string {
  let surplus = href.split(')').length - href.split('(').length
  let end = href.length
  for (; end > 0; end--) {
    const last = href[end - 1] ?? ''
    if (last === ')' && surplus > 0) surplus--
    else if (!AFTER_URL.includes(last)) break
  }
  return href.slice(0, end)
}

/** Parses the marks, links and mentions of a text. Takes linear time. */
export const inlines = (text: string, withLinks = true): Inline[] => new Reader(text, withLinks).read()

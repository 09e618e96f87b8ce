import { RE2JS } from 're2js'
import { Problem } from '../../core/errors.ts'
import { field } from '../../http/answers.ts'

/** The time that a pattern may take for a text of COSTLY_UNITS characters, in milliseconds. */
const COST_MS_MAX = 0.5
const COSTLY_UNITS = 4000
/**
 * Texts of the same letters. The engine keeps states of earlier texts, so the first ones cost more than later ones; and
 * a busy machine takes time away. So a pattern gets more tries, unless it is far too slow.
 */
const TEXTS = 3
const TEXTS_MAX = 15
const FAR_TOO_SLOW_MS = 10 * COST_MS_MAX
const ALPHABETS = ['ab ', 'abcdefghijklmnopqrstuvwxyz      0123456789.:/', 'aбв ßéж1 ', 'a']

/** Instructions of one compiled pattern, and of all patterns of a server: a slow step looks at each of them. */
const PROGRAM_MAX = 500
export const PROGRAMS_MAX = 1000

/** A pattern that finds its text in linear time. @throws RE2JSException for one that is not valid */
const compilePattern = (pattern: string): RE2JS => RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)

/** The parts of a pattern: a literal `\Q…\E`, an escape, a class, a repetition, or one character. */
const PIECE = /\\Q.*?(?:\\E|$)|\\.|\[(?:\\.|[^\]\\])+\]?|\{(\d+)(?:,(\d*))?\}|./gsu

/** Estimates the instructions of a pattern, before it is compiled: a long program would take seconds. */
function lengthOf(pattern: string): number {
  const sums = [0]
  let last = 0
  const add = (length: number) => sums.push((sums.pop() ?? 0) + length)
  for (const { 0: piece, 1: min, 2: max } of pattern.matchAll(PIECE)) {
    if (min !== undefined) {
      const more = last * (Math.max(Number(min), Number(max ?? 0), 1) - 1)
      add(more)
      last += more
      continue
    }
    if (piece === '(') sums.push(0)
    last = piece === ')' && sums.length > 1 ? 1 + (sums.pop() ?? 0) : 1
    add(piece.startsWith('\\Q') ? piece.length : last)
  }
  return sums.reduce((sum, length) => sum + length, 0)
}

/** A text of these letters in an order without a pattern, the same at each call. */
function textOf(alphabet: string, seed: number): string {
  const letters = Array.from(alphabet)
  let [text, state] = ['', Math.imul(seed, 0x9e3779b1)]
  while (text.length < COSTLY_UNITS) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    text += letters[(state >> 8) % letters.length] ?? ''
  }
  return text
}

/**
 * How long a pattern takes for the text that suits it worst, in milliseconds; stops at the first text that is too slow.
 * Other requests go on between two texts.
 */
async function costMs(pattern: RE2JS, source: string): Promise<number> {
  const own = [...new Set(source.replace(/[^\p{L}\p{N} ]/gu, ''))]
  let most = 0
  for (const alphabet of [own.join('') || 'a', own.slice(0, 2).join('') || 'a', ...ALPHABETS]) {
    // The least of several: another process may have had the processor meanwhile.
    let least = Infinity
    const isDecided = (tried: number) => tried >= TEXTS && (least <= COST_MS_MAX || least > FAR_TOO_SLOW_MS)
    for (let seed = 1; seed <= TEXTS_MAX && !isDecided(seed - 1); seed++) {
      const text = textOf(alphabet, seed)
      await Bun.sleep(0)
      const begin = performance.now()
      pattern.test(text)
      least = Math.min(least, performance.now() - begin)
    }
    most = Math.max(most, least)
    if (most > COST_MS_MAX) break
  }
  return most
}

/** The instructions of a pattern's program. @throws RE2JSException for a pattern that is not valid */
export const programSize = (pattern: string): number => compilePattern(pattern).programSize()

/** For all patterns of a server, which are valid. @throws Problem `pattern_too_costly` */
export function demandSmallPrograms(patterns: string[]): void {
  const size = patterns.reduce((sum, pattern) => sum + programSize(pattern), 0)
  if (size > PROGRAMS_MAX)
    throw new Problem('pattern_too_costly', 'The patterns of this server repeat too much together')
}

/**
 * @throws Problem `validation_failed` for a pattern that is not valid, `pattern_too_costly` for a slow or large one
 */
export async function demandCheapPatterns(patterns: string[]): Promise<void> {
  for (const [at, source] of patterns.entries()) {
    const tooLong = () => new Problem('pattern_too_costly', `Pattern ${at + 1} repeats too much`)
    if (lengthOf(source) > PROGRAM_MAX) throw tooLong()
    const pattern = compiledOr(source, (reason) => {
      throw field(`trigger.patterns.${at}`, reason)
    })
    if (pattern.programSize() > PROGRAM_MAX) throw tooLong()
    if (pattern.test('')) throw field(`trigger.patterns.${at}`, 'Must not match an empty text')
    if ((await costMs(pattern, source)) > COST_MS_MAX)
      throw new Problem('pattern_too_costly', `Pattern ${at + 1} takes too long for a long text`)
  }
}

function compiledOr(source: string, refuse: (reason: string) => never): RE2JS {
  try {
    return compilePattern(source)
  } catch {
    return refuse('Must be a regular expression of RE2')
  }
}

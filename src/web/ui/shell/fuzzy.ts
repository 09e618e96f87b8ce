import { folded } from '../../../core/words.ts'

/**
 * Score of a name for the typed text, higher is better; undefined without a match. The letters have to stand in
 * the name in their order; beginnings of words and neighbours count more.
 */
export function fit(query: string, name: string): number | undefined {
  const [sought, text] = [folded(query).trim(), folded(name)]
  if (sought === '') return 0
  const whole = text.indexOf(sought)
  if (whole >= 0)
    return 1_000 - Math.min(whole, 100) + (isStart(text, whole) ? 500 : 0) - Math.min(text.length, 100) / 100
  let [score, at] = [0, -1]
  for (const letter of sought) {
    if (letter === ' ') continue
    const next = text.indexOf(letter, at + 1)
    if (next < 0) return undefined
    score += isStart(text, next) ? 10 : next === at + 1 ? 6 : 1
    at = next
  }
  return score - Math.min(text.length, 100) / 100
}

/** True at the beginning of a word. */
const isStart = (text: string, at: number): boolean => at === 0 || /[\s\-_#.]/.test(text[at - 1] ?? '')

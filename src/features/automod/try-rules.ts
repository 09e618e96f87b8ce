import type { Match } from '../../core/judge.ts'
import type { RuleSet } from './rule-set.ts'

/** Parts of the text that are judged to find places; a rule that is left over then names the whole text. */
const JUDGED_MAX = 150

/**
 * The rules that a text breaks, each with the first words of the text that break it. Folding changes lengths, so the
 * place is found by judging parts of the text: halves of its words, from each end.
 * @param pause called between two parts, so that other requests go on
 */
export async function matchesIn(rules: RuleSet, content: string, pause: () => Promise<void>): Promise<Match[]> {
  const spans = [...content.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({ start: index, end: index + word.length }))
  const matches: Match[] = []
  let judged = 0
  for (const { rule, found } of rules.judge([content])) {
    const breaks = async (from: number, to: number) => {
      const [first, last] = [spans[from], spans[to - 1]]
      if (!first || !last) return false
      judged++
      await pause()
      return rules.judge([content.slice(first.start, last.end)]).some((hit) => hit.rule.id === rule.id)
    }
    let [from, to] = [0, spans.length]
    if (judged < JUDGED_MAX) {
      to = await firstTrue(1, spans.length, (end) => breaks(0, end))
      from = to - (await firstTrue(1, to, (length) => breaks(to - length, to)))
    }
    const [start, end] = [spans[from]?.start ?? 0, spans[to - 1]?.end ?? content.length]
    matches.push({ rule_id: rule.id, name: rule.name, found, start, end })
  }
  return matches
}

/** Binary search: the least number from `low` for which `holds` is true, or `high`. Assumes that it stays true. */
async function firstTrue(low: number, high: number, holds: (at: number) => Promise<boolean>): Promise<number> {
  let [from, to] = [low, Math.max(low, high)]
  while (from < to) {
    const middle = (from + to) >> 1
    if (await holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}

import { type CompiledRules, compileRules } from '../src/features/automod/compiled-rules.ts'
import { type Rule, RuleDraft } from '../src/features/automod/model.ts'
import { atMost, type Figure, median } from './report.ts'

const RULES = 30
const WORDS_PER_RULE = 1000
const PATTERNS = 20
/** Rounds until the engine has compiled the code. */
const WARM_UPS = 5
const ROUNDS = 9
const TEXTS_PER_ROUND = 200
const SHORT_US_MAX = 50
const LONG_MS_MAX = 2

const PROSE =
  'The herons stood in the shallow water all morning, and nobody on the bank dared to speak above a whisper. ' +
  'Later somebody (I think it was Ada?) wrote: see https://example.org/birds?page=7 for the pictures of 2026! '
const OTHER_PROSE = 'Über den Dächern fliegen Möwen; они летят над морем, и ζεστός αέρας τα κρατά ψηλά — 鳥が飛ぶ。'

/** Words that no text contains, of the lengths of real ones, some with a star. */
const wordOf = (n: number): string =>
  `${n % 9 === 0 ? '*' : ''}${(n * 7919 + 100_003).toString(36)}q${(n * 104_729).toString(36)}${n % 7 === 0 ? '*' : ''}`

const ruleOf = (id: number, trigger: object): Rule => {
  const time = '2026-11-29T12:00:00.000Z'
  const draft = RuleDraft.parse({ name: `Rule ${id}`, trigger, actions: [{ type: 'block' }] })
  return { ...draft, id, server_id: 1, created_at: time, updated_at: time }
}

/** All the rules that a server may have: words, one with all patterns, and one of each other trigger. */
function rulesOf(): Rule[] {
  const patterns = Array.from({ length: PATTERNS }, (_, n) => `free\\s+(gold|gems)\\s+${n}|cheap[-\\s]*pill${n}s?`)
  const others = [
    { type: 'patterns', patterns },
    { type: 'links', mode: 'deny', hosts: Array.from({ length: 100 }, (_, n) => `bad${n}.example`) },
    { type: 'invites' },
    { type: 'mentions', max: 10 },
    { type: 'attachments', types: ['exe', 'scr'] },
  ]
  return Array.from({ length: RULES }, (_, at) => {
    const first = at * WORDS_PER_RULE
    const words = Array.from({ length: WORDS_PER_RULE }, (__, n) => wordOf(first + n))
    return ruleOf(at + 1, others[at] ?? { type: 'words', words, allow: words.slice(0, 100).map((word) => `a${word}`) })
  })
}

const cut = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length)

/** Microseconds for a text of this kind, per round. */
function timesOf({ texts }: CompiledRules, text: string): number[] {
  const rounds = Array.from({ length: WARM_UPS + ROUNDS }, () => {
    const begin = performance.now()
    // The number makes each text another one.
    for (let n = 0; n < TEXTS_PER_ROUND; n++)
      if (texts.judge([`${text.slice(0, -4)}${n}`]).length > 0) throw new Error('A text of the benchmark is caught')
    return ((performance.now() - begin) / TEXTS_PER_ROUND) * 1000
  })
  return rounds.slice(WARM_UPS)
}

/** The cost of automod: compiling 30,000 words and 20 patterns, and judging texts by them. */
export async function automod(): Promise<Figure[]> {
  const rules = rulesOf()
  const compiling: number[] = []
  const slices: number[] = []
  let compiled: CompiledRules | undefined
  for (let round = 0; round < ROUNDS; round++) {
    let [spent, longest, begin] = [0, 0, performance.now()]
    const lap = () => {
      const slice = performance.now() - begin
      spent += slice
      longest = Math.max(longest, slice)
    }
    compiled = await compileRules(rules, async () => {
      lap()
      begin = performance.now()
    })
    lap()
    compiling.push(spent)
    slices.push(longest)
  }
  if (!compiled) throw new Error('Nothing was compiled')
  const short = timesOf(compiled, cut(PROSE, 80))
  const longs: [string, string][] = [
    ['English', PROSE],
    ['four scripts', OTHER_PROSE],
    ['words of two scripts', 'hеrоn оf thе mоrning '],
    ['Markdown', '**bold** and _leaning_ `code` ||hidden|| ~~gone~~ '],
  ]
  const count = `${RULES} rules`
  return [
    { name: `${count} judge a message of 80 characters`, unit: 'µs', parley: short, target: upTo(SHORT_US_MAX, short) },
    ...longs.map(([name, text]): Figure => {
      const parley = timesOf(compiled, cut(text, 4000)).map((us) => us / 1000)
      return { name: `${count} judge 4,000 characters: ${name}`, unit: 'ms', parley, target: upTo(LONG_MS_MAX, parley) }
    }),
    { name: `${count}, 25,000 words and ${PATTERNS} patterns are compiled`, unit: 'ms', parley: compiling },
    { name: `longest time without a break meanwhile`, unit: 'ms', parley: slices },
  ]
}

const upTo = (max: number, values: number[]): Figure['target'] => atMost(max, median(values))

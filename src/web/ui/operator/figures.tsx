import { useEffect, useState } from 'preact/hooks'
import type { FiguresNow, Sample } from '../../../features/operator/model.ts'
import { sizeOf } from '../../state/format.ts'
import { operatorWords } from '../../words/operator.ts'
import { digits } from '../../words/plural.ts'
import { SelectField } from '../kit/dialog-forms.tsx'
import { ask, useAnswer } from './answers.ts'
import { Chart } from './chart.tsx'
import { Facts, Refused } from './parts.tsx'
import { Empty } from '../kit/empty.tsx'

const REFRESH_MS = 60_000
const { charts, totals, spans } = operatorWords.figures

const valueOf = (name: string, value: number | string): string =>
  typeof value === 'string' ? value : name.endsWith('bytes') ? sizeOf(value) : digits(value)

type Charted = keyof typeof charts
type Total = keyof typeof totals & keyof FiguresNow
// The keys of the words, in the order in which they are shown.
const CHARTS = Object.keys(charts) as Charted[]
const TOTALS = Object.keys(totals) as Total[]
const SPANS = Object.entries(spans) as [keyof typeof spans, string][]

/** Figures over time, and current totals. */
export const FiguresSection = () => {
  const [span, setSpan] = useState<keyof typeof spans>('day')
  const samples = useAnswer(() => ask('GET /api/operator/samples', { span }), span)
  const now = useAnswer(() => ask('GET /api/operator/figures'))
  useEffect(() => {
    const timer = setInterval(() => void samples.load(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [span])
  const figures = now.answer
  const all = samples.answer ?? []
  // The last of longer times is not over yet.
  const complete = span === 'hour' || all.length < 3 ? all : all.slice(0, -1)
  return (
    <>
      <SelectField label={operatorWords.figures.span} value={span} options={SPANS} onChange={setSpan} />
      <Refused error={samples.error ?? now.error} />
      {samples.answer?.length === 0 ? <Empty icon="calendar" title={operatorWords.figures.empty} /> : null}
      <div class="charts">
        {CHARTS.map((name) => [name, pointsOf(complete, name)] as const)
          // Some figures are taken less often: the first samples lack them.
          .filter(([, points]) => points.length > 0)
          .map(([name, points]) => (
            <Chart key={name} title={charts[name]} points={points} show={(value) => valueOf(name, value)} />
          ))}
      </div>
      {figures ? <Facts facts={TOTALS.map((name) => [totals[name], valueOf(name, figures[name])])} /> : null}
    </>
  )
}

const pointsOf = (samples: Sample[], name: Charted): [number, number][] =>
  samples.flatMap((sample) => {
    const value = sample[name]
    return value === null ? [] : [[Date.parse(sample.at), value] as [number, number]]
  })

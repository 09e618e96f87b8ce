import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { track } from './processes.ts'
import { type Figure, median } from './report.ts'

/** Runs of each part per version; the versions alternate. */
const TURNS = 2
const ROOT = join(import.meta.dir, '..')

/** The figures of one version in one part, by name: all rounds of all turns. */
type Values = Map<string, { unit: string; values: number[] }>

/**
 * Runs parts of the benchmarks of two committed versions in alternation, each with its own server and its own
 * benchmark.
 * Figures are compared by name; a figure that only one version has is left out.
 * @param commit the version to compare HEAD with
 * @returns a Markdown table of the medians and their ratio, HEAD divided by the other
 * @throws Error when a version cannot be unpacked, installed or measured
 */
export async function against(commit: string, parts: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-against-'))
  try {
    const versions = { before: join(folder, 'before'), now: join(folder, 'now') }
    await unpack(commit, versions.before)
    await unpack('HEAD', versions.now)
    const before: Values = new Map()
    const now: Values = new Map()
    for (let turn = 0; turn < TURNS; turn++)
      for (const part of parts) {
        console.error(`${part}, turn ${turn + 1} of ${TURNS} …`)
        const pair = [
          [before, versions.before],
          [now, versions.now],
        ] as const
        // Each version goes first in half of the turns: a machine may slow down while it works.
        for (const [values, version] of turn % 2 === 0 ? pair : pair.toReversed())
          collect(values, await measure(version, part))
        // A later part may fail, or take too long.
        console.error(ratios(before, now))
      }
    return ratios(before, now)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks a commit into a folder and installs its packages. */
async function unpack(commit: string, folder: string): Promise<void> {
  const script = 'mkdir "$2" && git archive "$1" | tar x -C "$2" && cd "$2" && bun install --frozen-lockfile --silent'
  await run(['bash', '-c', `set -o pipefail; ${script}`, 'unpack', commit, folder], ROOT)
}

/** The figures of one part, measured by the benchmark of the version in the folder. */
async function measure(folder: string, part: string): Promise<Figure[]> {
  await run([process.execPath, 'bench/run.ts', part], folder)
  return JSON.parse(readFileSync(join(folder, `bench/results/${part}.json`), 'utf8')).figures
}

async function run(command: string[], cwd: string): Promise<void> {
  const child = track(Bun.spawn(command, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }))
  const code = await child.exited
  if (code !== 0) throw new Error(`${command.join(' ')} ended with code ${code}.`)
}

function collect(all: Values, figures: Figure[]): void {
  for (const { name, unit, parley } of figures) {
    const series = all.get(name)
    if (series) series.values.push(...parley)
    else all.set(name, { unit, values: [...parley] })
  }
}

function ratios(before: Values, now: Values): string {
  const rows = [...now].flatMap(([name, { unit, values }]) => {
    const previous = before.get(name)
    if (!previous) return []
    const [old, own] = [median(previous.values), median(values)]
    return [`| ${name}, ${unit} | ${old.toPrecision(4)} | ${own.toPrecision(4)} | ${(own / old).toFixed(2)} |`]
  })
  return ['| figure | before | now | ratio |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

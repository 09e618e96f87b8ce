import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needsOf } from '../bench/plan-needs.ts'
import { HABITS, planOf, scalingPage } from '../bench/plan-page.ts'
import { readUnits } from '../bench/plan-units.ts'

const root = join(import.meta.dir, '..')
const units = readUnits()
const needs = (people: number, habits = {}) => needsOf(people, { ...HABITS, ...habits }, units)

test('docs/scaling.md prints the plan for 100 to a million people; `bun run plan --write` renews it', () => {
  expect(readFileSync(join(root, 'docs/scaling.md'), 'utf8')).toBe(scalingPage())
})

test('unit costs are those of the results of the benchmarks, and a figure that is missing names its part', () => {
  const folder = mkdtempSync(join(tmpdir(), 'results-'))
  cpSync(join(root, 'bench/results'), folder, { recursive: true })
  const path = join(folder, 'start.json')
  const start = JSON.parse(readFileSync(path, 'utf8'))
  const isMemory = ({ name }: { name: string }) => name.startsWith('memory of the idle process')
  start.figures.find(isMemory).parley = [1, 100, 3]
  writeFileSync(path, JSON.stringify(start))
  expect(readUnits(folder)).toEqual({ ...units, processBytes: 3e6 })
  writeFileSync(path, JSON.stringify({ ...start, figures: [] }))
  expect(() => readUnits(folder)).toThrow('run `bun run bench start`')
})

test('a plan never shrinks when people are added, and every number in it is finite and positive', () => {
  let before = needs(1)
  for (let people = 2; people < 1e9; people = Math.ceil(people * 1.7)) {
    const now = needs(people)
    for (const name of ['processes', 'processCores', 'frameBitsPerSecond', 'sfuCores'] as const) {
      expect(now[name]).toBeGreaterThanOrEqual(before[name])
      expect(Number.isFinite(now[name])).toBe(true)
    }
    expect(now.redisPerSecond > 0).toBe(now.processes > 1)
    expect(now.ends.every((end) => end.people > people)).toBe(true)
    before = now
  }
})

test('several processes have a spare one, with which none carries more sockets or work than one may', () => {
  for (const people of [60_000, 400_000, 3_000_000]) {
    const { processes, processCores } = needs(people)
    expect(people / (processes - 1)).toBeLessThanOrEqual(50_000)
    expect(processCores).toBeLessThanOrEqual(processes - 1)
    expect(needs(people, { messages: 3000 }).processes).toBeGreaterThan(processes)
  }
})

test('the part that ends first is full at the number of people that the plan says', () => {
  for (const people of [100, 100_000, 1_000_000]) {
    const [first] = needs(people).ends
    const [justBefore, justAfter] = [
      needs(Math.floor((first?.people ?? 0) * 0.999)),
      needs(Math.ceil((first?.people ?? 0) * 1.001)),
    ]
    expect(justBefore.ends[0]?.part).toBe(first?.part)
    expect(justAfter.ends[0]?.part).not.toBe(first?.part)
  }
  expect(needs(100).ends.map(({ part }) => part)).toEqual([
    'one process',
    'the primary of PostgreSQL',
    'presence in the memory of every process',
  ])
})

test('people who do nothing need sockets only, and the plan can be printed', () => {
  const still = { messages: 0, receivers: 0, pages: 0, searches: 0, inCalls: 0, callMembers: 0 }
  expect(needs(10_000, still)).toMatchObject({ processes: 1, processCores: 0, sfuCores: 0, frameBitsPerSecond: 0 })
  expect(planOf(10_000, still)).not.toMatch(/NaN|Infinity|undefined/)
})

/** Runs the command as an operator does. */
async function plan(...words: string[]) {
  const child = Bun.spawn([process.execPath, 'bench/plan.ts', ...words], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, error }
}

test('the command prints a plan, takes other assumptions, and refuses nonsense with its usage', async () => {
  const { code, out, error } = await plan('--online', '20000', '--in-calls', '0')
  expect([code, error]).toEqual([0, ''])
  expect(out).toStartWith('20,000 people online\n')
  expect(out).toMatch(/^cores of the SFU +< 0\.1$/m)
  expect(out).toMatch(/^ends first +one process, at [\d,]+$/m)
  expect(out).toContain('0 % are in calls')
  for (const words of [[], ['--online', '0'], ['--online', '1e5'], ['--online', '5', '--pages', '-1'], ['--offline']]) {
    const refused = await plan(...words)
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.error).toContain('bun run plan --online <people>')
  }
})

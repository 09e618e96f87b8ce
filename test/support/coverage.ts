import { appendFileSync, readFileSync } from 'node:fs'
import { events } from '../../src/api/asyncapi.ts'
import { errorCodes } from '../../src/core/errors.ts'
import { commands } from '../../src/gateway/model.ts'

/** Names of things that tests reach: `route GET /x`, `error not_found`, `event message.created`, `command ping`. */
export type Hit = `${'route' | 'error' | 'event' | 'command' | 'declared route'} ${string}`

const seen = new Set<string>()

/** Notes that a test met this; test/run.ts reads the file when all files have run. */
export function hit(what: Hit): void {
  if (seen.has(what) || !process.env.PARLEY_COVERAGE) return
  seen.add(what)
  appendFileSync(process.env.PARLEY_COVERAGE, `${what}\n`)
}

/** Declared things that no test reached, from the notes of a whole run. */
export function neverMet(file: string): string[] {
  const notes = new Set(readFileSync(file, 'utf8').split('\n'))
  const declared = [
    ...[...notes].filter((note) => note.startsWith('declared ')).map((note) => note.slice('declared '.length)),
    ...Object.keys(events).map((name) => `event ${name}`),
    ...Object.keys(commands).map((name) => `command ${name}`),
    // `internal` is what no test can bring about without breaking our own parts.
    ...Object.keys(errorCodes)
      .filter((code) => code !== 'internal')
      .map((code) => `error ${code}`),
  ]
  return declared.filter((what) => !notes.has(what))
}

import { expect } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parley } from '../../src/parley.ts'

/** Runs the program of `bun run admin`. */
export const ADMIN = [process.execPath, join(import.meta.dir, '../../src/cli/admin.ts')]

/** The environment of the operator of an installation. */
export const operating = (variables: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  TMPDIR: tmpdir(),
  ...variables,
})

/** Address of the database of a server in this process. */
export const databaseOf = ({ parts }: Parley) => ({ DATABASE_URL: parts.environment.DATABASE_URL ?? '' })

interface Ended {
  code: number
  out: string
  error: string
}

/** Runs the real program, as the operator would: not at a terminal. */
export async function admin(variables: Record<string, string>, ...typed: string[]): Promise<Ended> {
  const child = Bun.spawn([...ADMIN, ...typed], {
    env: operating(variables),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, error }
}

/** Runs a command that has to succeed and to have nothing to complain of: its JSON. */
export async function done(variables: Record<string, string>, ...typed: string[]): Promise<any> {
  const { code, out, error } = await admin(variables, ...typed, '--json')
  expect({ typed, code, error }).toEqual({ typed, code: 0, error: '' })
  return JSON.parse(out)
}

/** Runs a command that is refused, in one sentence, with nothing on stdout. */
export async function refused(variables: Record<string, string>, ...typed: string[]): Promise<string> {
  const { code, out, error } = await admin(variables, ...typed)
  expect({ typed, code, out }).toEqual({ typed, code: 1, out: '' })
  expect(error.trimEnd().split('\n')).toHaveLength(1)
  return error.trimEnd()
}

import { z } from 'zod'
import type { Json, Transaction } from '../../database/database.ts'
import type { Emit, Notify } from '../../events/write.ts'
import { DecimalId } from '../../core/schema.ts'

/** What a command works with: the transaction of its change and of its entry in the log. */
export interface CommandContext {
  sql: Transaction
  emit: Emit
  notify: Notify
  /** Of the program. */
  version: string
}

export type Target = [type: 'account' | 'message' | 'dm' | 'file' | 'server', id: number]

/** What a command has done or found. */
export interface Outcome {
  /** For scripts: printed as JSON. */
  result: unknown
  /** For people. */
  lines: string[]
  /** Whom or what it concerned, and what of it: goes into the log, so it holds no name, address or content. */
  target?: Target
  changes?: Json
}

/** One command, declared once: parsed, described, confirmed and run from this. */
export interface Command<A = unknown> {
  /** Names of what comes without a flag, in order. */
  positionals: string[]
  /** Arguments by name; a positional is one like the others. Booleans are flags. */
  args: z.ZodObject
  /** As it stands in the usage text, after the name. */
  words: string
  summary: string
  /** Has to be confirmed. */
  destructive: boolean
  run(context: CommandContext, args: A): Promise<Outcome>
}

/** Declares a command; what it runs with is what its arguments parse to. */
export const command = <S extends z.ZodObject>(
  declared: Omit<Command<z.infer<S>>, 'args' | 'destructive'> & { args: S; destructive?: true },
): Command => ({ destructive: false, ...declared, run: (context, args) => declared.run(context, args as z.infer<S>) })

/** The operator asked for what cannot be done: one sentence says why, and nothing has changed. */
export class Refusal extends Error {}

/** Returns the row, or refuses in words. */
export function must<T>(row: T | undefined, otherwise: string): T {
  if (row === undefined) throw new Refusal(otherwise)
  return row
}

/** How an account is named. A user name may look like an id: then it is written with @. */
export const Account = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .transform((named) => {
    if (/^\d{1,15}$/.test(named)) return { id: Number(named) }
    if (named.startsWith('@')) return { username: named.slice(1).toLowerCase() }
    return named.includes('@') ? { email: named } : { username: named.toLowerCase() }
  })
export type Account = z.infer<typeof Account>

export const Flag = z.boolean().default(false)

const PAGE_DEFAULT = 50
const PAGE_MAX = 1000

/** How many rows a page has. */
export const Limit = z
  .string()
  .regex(/^\d{1,4}$/, 'Must be a number')
  .transform(Number)
  .pipe(z.int().min(1).max(PAGE_MAX))
  .default(PAGE_DEFAULT)

/** An id that a page starts behind. */
export const Cursor = DecimalId.optional()

/** Splits what was selected with one row more than the page has: the page, and the id that the next starts behind. */
export function paged<T extends { id: number }>(rows: T[], limit: number): { page: T[]; next: number | null } {
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

import { z } from 'zod'
import { DecimalId } from '../../core/schema.ts'
import type { Act, ActContext } from '../../features/operator/act.ts'

/** The context that a command runs with. */
export interface CommandContext extends ActContext {
  /** The version of this program. */
  version: string
  /** The origin of the installation, for links. */
  base: string
}

/** The result of a command, which is printed as JSON with --json, for scripts. */
export interface Outcome extends Act {
  /** Printed otherwise, for people. */
  lines: string[]
}

/** The declaration of a command: its arguments, usage text, confirmation and function. */
export interface Command<A = unknown> {
  /** The names of the positional arguments, in order. */
  positionals: string[]
  /** All arguments by name, the positional ones included. Booleans are flags. */
  args: z.ZodObject
  /** The arguments in the usage text, after the name. */
  words: string
  summary: string
  /** Asks the operator to confirm first. */
  destructive: boolean
  run(context: CommandContext, args: A): Promise<Outcome>
}

/** Declares a command, whose `run` gets the parsed arguments. */
export const command = <S extends z.ZodObject>(
  declared: Omit<Command<z.infer<S>>, 'args' | 'destructive'> & { args: S; destructive?: true },
): Command => ({ destructive: false, ...declared, run: (context, args) => declared.run(context, args as z.infer<S>) })

/** An account by id, user name or e-mail address. `@` marks a user name, which may look like an id. */
export const Account = z
  .string()
  .trim()
  .min(1)
  .max(254)
  .transform((text) => {
    if (/^\d{1,15}$/.test(text)) return { id: Number(text) }
    if (text.startsWith('@')) return { username: text.slice(1).toLowerCase() }
    return text.includes('@') ? { email: text } : { username: text.toLowerCase() }
  })
export type Account = z.infer<typeof Account>

export const Flag = z.boolean().default(false)

const PAGE_DEFAULT = 50
const PAGE_MAX = 1000

/** Rows of a page. */
export const Limit = z
  .string()
  .regex(/^\d{1,4}$/, 'Must be a number')
  .transform(Number)
  .pipe(z.int().min(1).max(PAGE_MAX))
  .default(PAGE_DEFAULT)

/** The id after which a page starts. */
export const Cursor = DecimalId.optional()

/**
 * Splits rows that were selected with a limit of one more than the page.
 * @returns the page, and the id after which the next page starts; null when this is the last page
 */
export function paged<T extends { id: number }>(rows: T[], limit: number): { page: T[]; next: number | null } {
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

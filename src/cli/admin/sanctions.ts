import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { line } from '../../core/schema.ts'
import { hashPassword, passwordFaults } from '../../features/accounts/passwords.ts'
import { changesBetween } from '../../features/audit/record.ts'
import { removeFactors } from '../../features/factors/factors.ts'
import { endSessions } from '../../features/sessions/store.ts'
import { lockAccount } from './accounts.ts'
import { Account, command, Flag, Refusal } from './model.ts'

const REASON_MAX = 500
/** Signs without look-alikes; a password of 20 has 118 bits. */
const PASSWORD_SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789!@#%*'
const PASSWORD_LENGTH = 20

/** A random password that satisfies every rule. */
function generatePassword(): string {
  for (;;) {
    const password = Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_SIGNS[randomInt(PASSWORD_SIGNS.length)])
    if (passwordFaults(password.join('')).length === 0) return password.join('')
  }
}

const args = { account: Account, yes: Flag, json: Flag }
const ended = (count: number) => `${count} ${count === 1 ? 'session has' : 'sessions have'} ended`

/** Commands that change accounts. */
export const sanctionCommands = {
  suspend: command({
    positionals: ['account'],
    args: z.strictObject({ ...args, reason: line(REASON_MAX) }),
    words: '<account> --reason <text> [--yes] [--json]',
    summary: 'end its sessions and let it in no more; what it wrote stays',
    destructive: true,
    run: async ({ sql, notify }, { account, reason }) => {
      const before = await lockAccount(sql, account)
      const { id, username } = before
      const [after] = await sql<{ suspended_at: string; suspended_reason: string }[]>`
        update users set suspended_at = coalesce(suspended_at, now()), suspended_reason = ${reason} where id = ${id}
        returning suspended_at, suspended_reason`
      const sessions = await endSessions(sql, notify, id)
      return {
        result: { id, username, ...after, sessions_ended: sessions },
        lines: [`${username} (${id}) is suspended; ${ended(sessions)}.`],
        target: ['account', id],
        changes: { ...changesBetween(before, { ...before, ...after }), sessions_ended: sessions },
      }
    },
  }),
  restore: command({
    positionals: ['account'],
    args: z.strictObject({ account: Account, json: Flag }),
    words: '<account> [--json]',
    summary: 'let a suspended account in again',
    run: async ({ sql }, { account }) => {
      const before = await lockAccount(sql, account)
      const { id, username } = before
      if (before.suspended_at === null) throw new Refusal('This account is not suspended.')
      await sql`update users set suspended_at = null, suspended_reason = null where id = ${id}`
      return {
        result: { id, username },
        lines: [`${username} (${id}) may log in again.`],
        target: ['account', id],
        changes: changesBetween(before, { ...before, suspended_at: null, suspended_reason: null }),
      }
    },
  }),
  'reset-password': command({
    positionals: ['account'],
    args: z.strictObject(args),
    words: '<account> [--yes] [--json]',
    summary: 'give it a new password, printed this once, and end its sessions',
    destructive: true,
    run: async ({ sql, notify }, { account }) => {
      const password = generatePassword()
      const password_hash = await hashPassword(password)
      const { id, username } = await lockAccount(sql, account)
      await sql`update users set password_hash = ${password_hash}, updated_at = now() where id = ${id}`
      const sessions = await endSessions(sql, notify, id)
      return {
        result: { id, username, password, sessions_ended: sessions },
        lines: [`${username} (${id}) has a new password; ${ended(sessions)}.`, password],
        target: ['account', id],
        changes: { sessions_ended: sessions },
      }
    },
  }),
  'remove-factors': command({
    positionals: ['account'],
    args: z.strictObject(args),
    words: '<account> [--yes] [--json]',
    summary: 'remove its authenticator app, recovery codes and passkeys, and end its sessions',
    destructive: true,
    run: async ({ sql, notify }, { account }) => {
      const { id, username } = await lockAccount(sql, account)
      await removeFactors(sql, id)
      const sessions = await endSessions(sql, notify, id)
      return {
        result: { id, username, sessions_ended: sessions },
        lines: [`${username} (${id}) logs in by its password alone; ${ended(sessions)}.`],
        target: ['account', id],
        changes: { sessions_ended: sessions },
      }
    },
  }),
  'end-sessions': command({
    positionals: ['account'],
    args: z.strictObject(args),
    words: '<account> [--yes] [--json]',
    summary: 'log it out everywhere',
    destructive: true,
    run: async ({ sql, notify }, { account }) => {
      const { id, username } = await lockAccount(sql, account)
      const sessions = await endSessions(sql, notify, id)
      return {
        result: { id, username, sessions_ended: sessions },
        lines: [`${username} (${id}): ${ended(sessions)}.`],
        target: ['account', id],
        changes: { sessions_ended: sessions },
      }
    },
  }),
}

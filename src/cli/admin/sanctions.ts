import { z } from 'zod'
import {
  endAccountSessions,
  removeAccount,
  removeAccountFactors,
  resetLink,
  resetPassword,
  restore,
  setOperator,
  suspend,
} from '../../features/operator/accounts.ts'
import { SuspensionReason } from '../../features/operator/model.ts'
import { idOf } from './accounts.ts'
import { Account, command, Flag } from './model.ts'

const args = { account: Account, yes: Flag, json: Flag }
const ended = (count: number) => `${count} ${count === 1 ? 'session has' : 'sessions have'} ended`

/** Commands that change accounts. */
export const sanctionCommands = {
  suspend: command({
    positionals: ['account'],
    args: z.strictObject({ ...args, reason: SuspensionReason }),
    words: '<account> --reason <text> [--yes] [--json]',
    summary: 'end its sessions and block its login; its messages stay',
    destructive: true,
    run: async (context, { account, reason }) => {
      const outcome = await suspend(context, await idOf(context.sql, account), reason)
      const { id, username, sessions_ended } = outcome.result
      return { ...outcome, lines: [`${username} (${id}) is suspended; ${ended(sessions_ended)}.`] }
    },
  }),
  restore: command({
    positionals: ['account'],
    args: z.strictObject({ account: Account, json: Flag }),
    words: '<account> [--json]',
    summary: 'let a suspended account log in again',
    run: async (context, { account }) => {
      const outcome = await restore(context, await idOf(context.sql, account))
      return { ...outcome, lines: [`${outcome.result.username} (${outcome.result.id}) may log in again.`] }
    },
  }),
  'reset-password': command({
    positionals: ['account'],
    args: z.strictObject(args),
    words: '<account> [--yes] [--json]',
    summary: 'set a new password, printed only now, and end its sessions',
    destructive: true,
    run: async (context, { account }) => {
      const outcome = await resetPassword(context, await idOf(context.sql, account))
      const { id, username, password, sessions_ended } = outcome.result
      return { ...outcome, lines: [`${username} (${id}) has a new password; ${ended(sessions_ended)}.`, password] }
    },
  }),
  'reset-link': command({
    positionals: ['account'],
    args: z.strictObject({ account: Account, json: Flag }),
    words: '<account> [--json]',
    summary: 'print a link for its owner to choose a new password; valid once, for an hour',
    run: async (context, { account }) => {
      const outcome = await resetLink(context, await idOf(context.sql, account), context.base)
      const { id, username, link } = outcome.result
      return {
        ...outcome,
        lines: [`${username} (${id}) gets a new password by this link, once and within an hour.`, link],
      }
    },
  }),
  'remove-factors': command({
    positionals: ['account'],
    args: z.strictObject(args),
    words: '<account> [--yes] [--json]',
    summary: 'remove its authenticator app, recovery codes and passkeys, and end its sessions',
    destructive: true,
    run: async (context, { account }) => {
      const outcome = await removeAccountFactors(context, await idOf(context.sql, account))
      const { id, username, sessions_ended } = outcome.result
      return { ...outcome, lines: [`${username} (${id}) logs in only by its password; ${ended(sessions_ended)}.`] }
    },
  }),
  'end-sessions': command({
    positionals: ['account'],
    args: z.strictObject(args),
    words: '<account> [--yes] [--json]',
    summary: 'log it out everywhere',
    destructive: true,
    run: async (context, { account }) => {
      const outcome = await endAccountSessions(context, await idOf(context.sql, account))
      const { id, username, sessions_ended } = outcome.result
      return { ...outcome, lines: [`${username} (${id}): ${ended(sessions_ended)}.`] }
    },
  }),
  'delete-account': command({
    positionals: ['account'],
    args: z.strictObject(args),
    words: '<account> [--yes] [--json]',
    summary: 'delete it for good, as its owner would; its messages stay, by a deleted user',
    destructive: true,
    run: async (context, { account }) => {
      const { uploads: _, ...outcome } = await removeAccount(context, await idOf(context.sql, account))
      return { ...outcome, lines: [`The account ${outcome.result.id} is deleted.`] }
    },
  }),
  operator: command({
    positionals: ['account'],
    args: z.strictObject({ account: Account, revoke: Flag, json: Flag }),
    words: '<account> [--revoke] [--json]',
    summary: 'let it use the operator’s page; --revoke takes that back',
    run: async (context, { account, revoke }) => {
      const outcome = await setOperator(context, await idOf(context.sql, account), !revoke)
      const { id, username } = outcome.result
      return { ...outcome, lines: [`${username} (${id}) is ${revoke ? 'no operator any more' : 'an operator'}.`] }
    },
  }),
}

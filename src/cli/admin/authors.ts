import { z } from 'zod'
import { claimAuthor, makeClaimLink } from '../../features/imports/claims.ts'
import { idOf } from './accounts.ts'
import { Account, command, Flag } from './model.ts'

const positionals = ['placeholder', 'account']
const args = { placeholder: Account, account: Account, json: Flag }

/** Commands that assign imported messages to accounts. */
export const authorCommands = {
  claim: command({
    positionals,
    args: z.strictObject({ ...args, yes: Flag }),
    words: '<placeholder> <account> [--yes] [--json]',
    summary: 'assign the messages of an imported author to it; roles and permissions stay',
    destructive: true,
    run: async (context, { placeholder, account }) => {
      const { sql } = context
      const outcome = await claimAuthor(context, await idOf(sql, placeholder), await idOf(sql, account))
      const { placeholder_id, user_id } = outcome.result
      return {
        ...outcome,
        lines: [`What author ${placeholder_id} wrote becomes that of account ${user_id} while the server runs.`],
      }
    },
  }),
  'claim-link': command({
    positionals,
    args: z.strictObject(args),
    words: '<placeholder> <account> [--json]',
    summary: 'print a link for the account to claim them itself; valid once, for seven days',
    run: async (context, { placeholder, account }) => {
      const { sql, base } = context
      const outcome = await makeClaimLink(context, await idOf(sql, placeholder), await idOf(sql, account), base)
      const { placeholder_id, user_id, link } = outcome.result
      return {
        ...outcome,
        lines: [`Account ${user_id} takes what author ${placeholder_id} wrote by this link, within seven days.`, link],
      }
    },
  }),
}

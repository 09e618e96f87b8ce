import { z } from 'zod'
import { DecimalId } from '../../core/schema.ts'
import { deleteContent } from '../../features/operator/content.ts'
import { command, Flag } from './model.ts'

/** Deletions by the operator. */
export const contentCommands = {
  delete: command({
    positionals: ['kind', 'id'],
    args: z.strictObject({ kind: z.enum(['message', 'dm', 'file', 'server']), id: DecimalId, yes: Flag, json: Flag }),
    words: 'message|dm|file|server <id> [--yes] [--json]',
    summary: 'delete content, as its owner would',
    destructive: true,
    run: async (context, { kind, id }) => ({
      ...(await deleteContent(context, kind, id)),
      lines: [`The ${kind === 'dm' ? 'direct message' : kind} ${id} is deleted.`],
    }),
  }),
}

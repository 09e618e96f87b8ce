import { z } from 'zod'
import { DecimalId } from '../../core/schema.ts'
import { listEarlierFiles } from '../../features/files/earlier-files.ts'
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
  'clean-files': command({
    positionals: ['which'],
    args: z.strictObject({ which: z.literal('all'), yes: Flag, json: Flag }),
    words: 'all [--yes] [--json]',
    summary: 'remove location, camera and names from pictures and videos uploaded before servers did so',
    destructive: true,
    run: async ({ sql }) => {
      const fileCount = await listEarlierFiles(sql)
      const changes = { listed: fileCount }
      return { result: changes, changes, lines: [`The running server looks at ${fileCount} files, one after another.`] }
    },
  }),
}

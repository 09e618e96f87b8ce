import { z } from 'zod'
import { figuresOf } from '../../features/operator/figures.ts'
import { command, Flag } from './model.ts'
import { fields } from './print.ts'

/** Counts and sizes of the whole installation. */
export const figureCommands = {
  figures: command({
    positionals: [],
    args: z.strictObject({ json: Flag }),
    words: '[--json]',
    summary: 'counts of accounts, servers, messages and files',
    run: async ({ sql, version }) => {
      const figures = { version, ...(await figuresOf(sql)) }
      return { result: figures, lines: fields(figures) }
    },
  }),
}

import type { Sql } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import { codePoints } from '../../core/schema.ts'
import { visibleFile } from '../files/access.ts'
import type { FileRow } from '../files/model.ts'
import type { VisibleChannel } from '../servers/guard.ts'
import type { CommandOption } from './model.ts'

type Value = string | number | boolean
type Given = Record<string, Value>

interface Place {
  user_id: number
  channel: VisibleChannel
}

const refuse = (name: string, message: string) => field(`options.${name}`, message)

/** Whether a value has the type of an option, and lies within its bounds. */
function fits({ type, min, max, choices, autocomplete }: CommandOption, value: Value): boolean {
  const size = typeof value === 'string' ? codePoints(value) : Number(value)
  const isWithin = (min === null || size >= min) && (max === null || size <= max)
  const isChosen = choices.length === 0 || autocomplete || choices.some((choice) => choice.value === value)
  if (type === 'string') return typeof value === 'string' && isWithin && isChosen
  if (type === 'boolean') return typeof value === 'boolean'
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (type === 'number') return isWithin && isChosen
  if (!Number.isSafeInteger(value)) return false
  return type === 'integer' ? isWithin && isChosen : value > 0
}

/** Whether the caller knows what an option of these types names: nobody learns by a bot what they may not see. */
async function isKnown(sql: Sql, { type }: CommandOption, id: number, { user_id, channel }: Place): Promise<boolean> {
  const found = {
    user: () => sql`select 1 from users where id = ${id}`,
    role: () => sql`select 1 from roles where id = ${id} and server_id = ${channel.server_id}`,
    channel: () => sql`select 1 from channels c cross join lateral channel_access(c.id, ${user_id}) ca
      where c.id = ${id} and c.server_id is not distinct from ${channel.server_id} and can_view(ca.permissions)`,
  }
  if (type !== 'user' && type !== 'role' && type !== 'channel') return true
  return (await found[type]()).length > 0
}

/**
 * Checks what a person has given for the options of a command.
 * @param partial whether options may be missing and values out of bounds: the person is still typing
 * @returns the files among them, which the person has uploaded
 * @throws Problem `validation_failed`
 */
export async function checkOptions(
  sql: Sql,
  options: CommandOption[],
  given: Given,
  place: Place,
  partial: boolean,
): Promise<FileRow[]> {
  for (const name of Object.keys(given))
    if (!options.some((option) => option.name === name)) throw refuse(name, 'There is no such option')
  const files: FileRow[] = []
  for (const option of options) {
    const value = given[option.name]
    if (value === undefined) {
      if (option.required && !partial) throw refuse(option.name, 'Is required')
      continue
    }
    if (partial && typeof value === 'string') continue
    if (!fits(option, value)) throw refuse(option.name, `Must be a ${option.type} as the command wants it`)
    if (!(await isKnown(sql, option, Number(value), place)))
      throw refuse(option.name, `There is no such ${option.type}`)
    if (option.type !== 'attachment') continue
    const file = await visibleFile(sql, Number(value), place.user_id).catch(() => undefined)
    if (!file || file.uploader_id !== place.user_id) throw refuse(option.name, 'There is no such file of yours')
    files.push(file)
  }
  return files
}

import type { Sql } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import { codePoints } from '../../core/schema.ts'
import { visibleFile } from '../files/access.ts'
import type { FileRow } from '../files/model.ts'
import type { VisibleChannel } from '../access/guard.ts'
import type { CommandOption } from './model.ts'

type Value = string | number | boolean
type OptionValues = Record<string, Value>

/** The person, and the channel. */
export interface Place {
  user_id: number
  channel: VisibleChannel
}

const refuse = (name: string, message: string) => field(`options.${name}`, message)

/** True if a value has the type of an option and lies within its bounds. */
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

/**
 * True if the person can see all of these objects and the accounts exist, so that a bot cannot be used to look up
 * hidden ones.
 */
export async function areKnown(
  sql: Sql,
  type: 'user' | 'role' | 'channel',
  ids: number[],
  { user_id, channel }: Place,
): Promise<boolean> {
  const { id, server_id } = channel
  const queries = {
    user: () =>
      server_id === null
        ? sql`select user_id from participants where channel_id = ${id} and user_id = any(${ids})`
        : sql`select user_id from members where server_id = ${server_id} and user_id = any(${ids})`,
    role: () => sql`select id from roles where id = any(${ids}) and server_id = ${server_id}`,
    channel: () => sql`select c.id from channels c cross join lateral channel_access(c.id, ${user_id}) ca
      where c.id = any(${ids}) and c.server_id is not distinct from ${server_id} and can_view(ca.permissions)`,
  }
  return (await queries[type]()).length === new Set(ids).size
}

const isNaming = (type: CommandOption['type']): type is 'user' | 'role' | 'channel' =>
  type === 'user' || type === 'role' || type === 'channel'

/**
 * Checks a person's values for the options of a command.
 * @param isPartial allow missing options and values out of bounds, because the person is still typing
 * @returns the files among them, which the person has uploaded
 * @throws Problem `validation_failed`
 */
export async function checkOptions(
  sql: Sql,
  options: CommandOption[],
  values: OptionValues,
  place: Place,
  isPartial: boolean,
): Promise<FileRow[]> {
  for (const name of Object.keys(values))
    if (!options.some((option) => option.name === name)) throw refuse(name, 'There is no such option')
  const files: FileRow[] = []
  for (const option of options) {
    const value = Object.hasOwn(values, option.name) ? values[option.name] : undefined
    if (value === undefined) {
      if (option.required && !isPartial) throw refuse(option.name, 'Is required')
      continue
    }
    if (isPartial && typeof value === 'string') continue
    if (!fits(option, value)) throw refuse(option.name, `Must be a ${option.type} as the command wants it`)
    const { type } = option
    if (isNaming(type) && !(await areKnown(sql, type, [Number(value)], place)))
      throw refuse(option.name, `There is no such ${type}`)
    if (type !== 'attachment') continue
    const file = await visibleFile(sql, Number(value), place.user_id).catch(() => undefined)
    if (!file || file.uploader_id !== place.user_id) throw refuse(option.name, 'There is no such file of yours')
    files.push(file)
  }
  return files
}

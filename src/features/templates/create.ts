import { common, EVERYONE_PERMISSIONS } from '../../core/permissions.ts'
import { found } from '../../core/errors.ts'
import type { Transaction } from '../../database/database.ts'
import type { Notify } from '../../events/write.ts'
import { changeOnboarding } from '../arrival/onboarding.ts'
import { changeWelcome } from '../arrival/welcome.ts'
import type { Template } from './model.ts'

/** Ids of what was created, by the place in the template. */
export interface Created {
  roles: number[]
  channels: number[]
}

const pick = (ids: number[], places: number[]): number[] => places.map((place) => found(ids[place], 'internal'))

/** Rows for SQL: `json_to_recordset` of them is one statement, however many they are. */
const rowsOf = (rows: object[]): string => JSON.stringify(rows)

async function createRoles(sql: Transaction, server_id: number, { everyone, roles }: Template): Promise<number[]> {
  await sql`insert into roles (server_id, name, permissions, position, is_everyone)
    values (${server_id}, 'everyone', ${common(everyone, EVERYONE_PERMISSIONS)}, 0, true)`
  const rows = rowsOf(roles.map((role, at) => ({ ...role, icon: null, position: at + 1 })))
  const created = await sql<{ id: number; position: number }[]>`
    insert into roles (server_id, name, color, permissions, hoist, mentionable, self_assignable, position)
    select ${server_id}, name, color, permissions, hoist, mentionable, self_assignable, position
    from json_to_recordset(${rows}::text::json)
      as given (name text, color text, permissions bigint, hoist boolean, mentionable boolean,
        self_assignable boolean, position int)
    returning id, position`
  return created.toSorted((a, b) => a.position - b.position).map(({ id }) => id)
}

/** Channels get the order of the list: categories among themselves, the others in their category. */
async function createChannels(sql: Transaction, server_id: number, { channels }: Template): Promise<number[]> {
  const ids: number[] = []
  const places = new Map<string, number>()
  const positionIn = (group: string): number => {
    const position = places.get(group) ?? 0
    places.set(group, position + 1)
    return position
  }
  const insert = async (isWanted: (type: string) => boolean) => {
    const rows = channels.flatMap((channel, at) => {
      const { parent, overwrites: _, ...fields } = channel
      const { type } = fields
      if (!isWanted(type)) return []
      const position = positionIn(type === 'category' ? 'categories' : `in ${parent}`)
      const parent_id = parent === null ? null : ids[parent]
      return [{ ...fields, parent_id, position, at }]
    })
    const created = await sql<{ id: number; parent_id: number | null; position: number }[]>`
      insert into channels (server_id, parent_id, name, type, topic, position, slowmode_seconds, opt_in_since,
        user_limit, bitrate,
        tags, tag_required, guidelines, default_sort, layout, default_reaction, post_slowmode_seconds,
        archive_after_seconds)
      select ${server_id}, parent_id, name, type, topic, position, slowmode_seconds, case when opt_in then now() end,
        user_limit, bitrate,
        f.tags, f.tag_required, f.guidelines, f.default_sort, f.layout, f.default_reaction, f.post_slowmode_seconds,
        f.archive_after_seconds
      from json_to_recordset(${rowsOf(rows)}::text::json) as given (parent_id bigint, name text, type text,
        topic text, position int, slowmode_seconds int, opt_in boolean, user_limit int, bitrate int, forum json)
      left join lateral (select coalesce(forum ->> 'guidelines', '') as guidelines,
        coalesce(forum ->> 'layout', 'list') as layout, forum ->> 'default_reaction' as default_reaction,
        coalesce((forum ->> 'tag_required')::boolean, false) as tag_required,
        coalesce(forum ->> 'default_sort', 'latest') as default_sort, 259200 as archive_after_seconds,
        coalesce((forum ->> 'post_slowmode_seconds')::int, 0) as post_slowmode_seconds,
        coalesce((select json_agg(json_build_object('id', nextval(pg_get_serial_sequence('channels', 'id')),
          'name', tag ->> 'name', 'emoji', tag ->> 'emoji', 'moderated', (tag ->> 'moderated')::boolean))
          from json_array_elements(forum -> 'tags') as given (tag)), '[]') as tags) f on type = 'forum'
      returning id, parent_id, position`
    const idOf = new Map(created.map(({ id, parent_id, position }) => [`${parent_id} ${position}`, id]))
    for (const { at, parent_id, position } of rows)
      ids[at] = found(idOf.get(`${parent_id ?? null} ${position}`), 'internal')
  }
  await insert((type) => type === 'category')
  await insert((type) => type !== 'category')
  return ids
}

async function createOverwrites(
  sql: Transaction,
  server_id: number,
  { channels }: Template,
  created: Created,
): Promise<void> {
  const rows = channels.flatMap(({ overwrites }, at) =>
    overwrites.map(({ role, allow, deny }) => ({
      channel_id: created.channels[at],
      role_id: role === null ? null : created.roles[role],
      allow: role === null ? common(allow, EVERYONE_PERMISSIONS) : allow,
      deny,
    })),
  )
  await sql`insert into overwrites (channel_id, role_id, allow, deny)
    select channel_id, coalesce(role_id, (select id from roles where server_id = ${server_id} and is_everyone)),
      allow, deny
    from json_to_recordset(${rowsOf(rows)}::text::json)
      as given (channel_id bigint, role_id bigint, allow bigint, deny bigint)`
  await sql`select count(*) from refresh_restricted(${server_id})`
}

/**
 * Creates what a template has in a new server, before its owner joins.
 * @throws Problem `too_many_roles`, `too_many_channels`, `too_many_categories`, `channel_name_taken`,
 * `role_too_strong`
 */
export async function fillServer(
  sql: Transaction,
  notify: Notify,
  server_id: number,
  template: Template,
): Promise<Created> {
  const roles = await createRoles(sql, server_id, template)
  const created = { roles, channels: await createChannels(sql, server_id, template) }
  await createOverwrites(sql, server_id, template, created)
  if (template.rules !== '') {
    await sql`insert into server_rules ${sql({ server_id, content: template.rules, version: 1 })}`
    await sql`update servers set rules_version = 1 where id = ${server_id}`
  }
  for (const { exempt_roles, exempt_channels, trigger, actions, ...rule } of template.automod)
    await sql`insert into automod_rules ${sql({
      ...rule,
      server_id,
      trigger: sql.json(trigger),
      actions: sql.json(actions),
      exempt_role_ids: pick(created.roles, exempt_roles),
      exempt_channel_ids: pick(created.channels, exempt_channels),
    })}`
  if (template.automod.length > 0) notify({ kind: 'automod_changed', server_id })
  return created
}

/** Creates the rest of a template, which its owner must see. */
export async function finishServer(
  sql: Transaction,
  member: { server_id: number; user_id: number },
  { questions, welcome, rules }: Template,
  created: Created,
): Promise<void> {
  const { server_id, user_id } = member
  if (rules !== '')
    await sql`update members set rules_version = 1 where server_id = ${server_id} and user_id = ${user_id}`
  if (questions.length > 0)
    await changeOnboarding(sql, member, {
      questions: questions.map(({ options, ...question }) => ({
        ...question,
        options: options.map(({ roles, channels, ...option }) => ({
          ...option,
          role_ids: pick(created.roles, roles),
          channel_ids: pick(created.channels, channels),
        })),
      })),
    })
  if (welcome)
    await changeWelcome(sql, member, {
      content: welcome.content,
      channels: welcome.channels.map(({ channel, ...row }) => ({
        ...row,
        channel_id: found(created.channels[channel], 'internal'),
      })),
    })
}

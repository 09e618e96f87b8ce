import { columns, type Sql } from '../../database/database.ts'
import { FullUser } from '../accounts/model.ts'

/** The account in its export; undefined once it is deleted. */
export async function selectAccount(sql: Sql, me: { id: number }): Promise<unknown> {
  const [user] = await sql`select ${columns(sql, FullUser)},
    json_build_object('dms_from', dms_from, 'requests', requests, 'friend_requests_from', friend_requests_from,
      'link_previews', link_previews, 'public_name', public_name) as privacy,
    (select json_build_object('hide_content', hide_content, 'quiet_hours', quiet_hours)
      from push_settings where user_id = ${me.id}) as push_settings,
    json_build_object('bio', coalesce((select bio from profiles where user_id = ${me.id}), ''),
      'pronouns', (select pronouns from profiles where user_id = ${me.id}),
      'banner_url', (select '/media/banners/' || key from banners where user_id = ${me.id})) as profile,
    (select confirmed_at from totp where user_id = ${me.id}) as totp_since,
    case when own_status is not null then json_build_object('status', own_status, 'text', status_text,
      'emoji', status_emoji, 'until', iso(status_until)) end as status,
    array(select caller_id from dnd_callers where user_id = ${me.id} order by caller_id) as dnd_caller_ids
    from users where id = ${me.id} and deleted_at is null`
  return user
}

import { found } from '../../core/errors.ts'
import type { Json, Sql, Transaction } from '../../database/database.ts'
import { field } from '../../http/answers.ts'
import type { Emit } from '../../events/write.ts'
import type { NotificationSetting } from '../notifications/model.ts'
import { changeSetting } from '../notifications/settings.ts'
import type { Onboarding, OnboardingDraft, Question } from './model.ts'

interface Member {
  server_id: number
  user_id: number
}

/** The questions of a server as they are kept: roles and channels that they name may be gone. */
async function keptQuestions(sql: Sql, serverId: number): Promise<Question[]> {
  const [row] = await sql<{ questions: Question[] }[]>`
    select questions from onboardings where server_id = ${serverId}`
  return row?.questions ?? []
}

/**
 * The questions of a server and the answers of a member.
 * @param isWhole true to include channels that the member does not see
 */
export async function selectOnboarding(sql: Sql, member: Member, isWhole: boolean): Promise<Onboarding> {
  const { server_id, user_id } = member
  const questions = await keptQuestions(sql, server_id)
  const [row] = await sql<{ role_ids: number[]; channel_ids: number[]; option_ids: number[] }[]>`
    select array(select id from roles where server_id = ${server_id} and self_assignable) as role_ids,
      array(select c.id from channels c
        left join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${user_id}
        where c.server_id = ${server_id} and c.type in ('text', 'voice', 'stage')
          and (${isWhole} or can_view(cp.permissions))) as channel_ids,
      array(select option_id from chosen_options where server_id = ${server_id} and user_id = ${user_id}
        order by option_id) as option_ids`
  const { role_ids, channel_ids, option_ids } = found(row, 'internal')
  const [roles, channels] = [new Set(role_ids), new Set(channel_ids)]
  const visibleQuestions = questions.map((question) => ({
    ...question,
    options: question.options.map((option) => ({
      ...option,
      role_ids: option.role_ids.filter((id) => roles.has(id)),
      channel_ids: option.channel_ids.filter((id) => channels.has(id)),
    })),
  }))
  return { server_id, questions: visibleQuestions, option_ids }
}

/** Roles that are self-assignable, and channels that the caller sees or that were named before. @throws Problem */
async function demandOffered(sql: Sql, member: Member, before: Question[], draft: OnboardingDraft): Promise<void> {
  const { server_id, user_id } = member
  const options = draft.questions.flatMap((question) => question.options)
  const role_ids = [...new Set(options.flatMap((option) => option.role_ids))]
  const keptIds = new Set(before.flatMap((question) => question.options.flatMap((option) => option.channel_ids)))
  const channel_ids = [...new Set(options.flatMap((option) => option.channel_ids))]
  const [row] = await sql<{ roles: number; channels: number[] }[]>`
    select (select count(*)::int from roles
        where server_id = ${server_id} and self_assignable and id = any(${role_ids})) as roles,
      array(select c.id from channels c join channel_permissions cp on cp.channel_id = c.id
        where c.server_id = ${server_id} and cp.user_id = ${user_id} and c.type in ('text', 'voice', 'stage')
          and can_view(cp.permissions) and c.id = any(${channel_ids})) as channels`
  const { roles, channels } = found(row, 'internal')
  if (roles < role_ids.length) throw field('questions', 'Roles must be self-assignable roles of this server')
  const visibleIds = new Set(channels)
  if (channel_ids.some((id) => !visibleIds.has(id) && !keptIds.has(id)))
    throw field('questions', 'Channels must be text or voice channels of this server')
}

/** The draft with an id for each question and option. @throws Problem for an id that is not of the question */
function withIds(before: Question[], { questions }: OnboardingDraft, next_id: number) {
  let nextId = next_id
  const optionsOf = new Map(before.map((question) => [question.id, new Set(question.options.map(({ id }) => id))]))
  const usedIds = new Set<number>()
  const idOf = (id: number | undefined, isKnown: boolean): number => {
    if (id === undefined) return nextId++
    if (!isKnown || usedIds.has(id)) throw field('questions', 'Ids must be of the question or option that stays')
    usedIds.add(id)
    return id
  }
  const numbered = questions.map((question) => ({
    ...question,
    id: idOf(question.id, optionsOf.has(question.id ?? 0)),
    options: question.options.map((option) => ({
      ...option,
      id: idOf(option.id, optionsOf.get(question.id ?? 0)?.has(option.id ?? 0) === true),
    })),
  }))
  return { questions: numbered, next_id: nextId }
}

/**
 * Replaces the questions of the locked server. Members keep the roles and channels that their answers have given them.
 * @returns the titles of the questions before
 * @throws Problem `validation_failed`
 */
export async function changeOnboarding(sql: Transaction, member: Member, draft: OnboardingDraft): Promise<string[]> {
  const { server_id } = member
  const before = await keptQuestions(sql, server_id)
  await demandOffered(sql, member, before, draft)
  const [row] = await sql<{ next_id: number }[]>`select next_id from onboardings where server_id = ${server_id}`
  const { questions, next_id } = withIds(before, draft, row?.next_id ?? 1)
  const is_required = questions.some(({ required }) => required)
  const fields = { questions: sql.json(questions as unknown as Json), next_id, is_required }
  await sql`insert into onboardings ${sql({ server_id, ...fields })}
    on conflict (server_id) do update set ${sql(fields)}`
  const optionIds = questions.flatMap(({ options }) => options.map(({ id }) => id))
  await sql`delete from chosen_options where server_id = ${server_id} and option_id <> all(${optionIds})`
  return before.map(({ title }) => title)
}

/** @throws Problem `validation_failed` for answers that the questions do not allow */
function demandAnswers(questions: Question[], chosenIds: Set<number>, isArriving: boolean): void {
  const allIds = new Set(questions.flatMap(({ options }) => options.map(({ id }) => id)))
  if ([...chosenIds].some((id) => !allIds.has(id))) throw field('option_ids', 'There is no such option')
  for (const { options, multiple, required } of questions) {
    const count = options.filter(({ id }) => chosenIds.has(id)).length
    if (count > 1 && !multiple) throw field('option_ids', 'Only one option of this question can be chosen')
    if (count === 0 && required && isArriving) throw field('option_ids', 'A required question has no answer')
  }
}

/**
 * Answers the questions of the locked server: the member gets what the options give, and loses what only options gave
 * that it no longer chooses.
 * @throws Problem `validation_failed`, `too_many_settings`
 */
export async function choose(
  sql: Transaction,
  emit: Emit,
  { server_id, user_id }: Member,
  optionIds: number[],
  isArriving: boolean,
): Promise<void> {
  const questions = await keptQuestions(sql, server_id)
  const chosenIds = new Set(optionIds)
  demandAnswers(questions, chosenIds, isArriving)
  const earlier = await sql<{ option_id: number }[]>`
    select option_id from chosen_options where server_id = ${server_id} and user_id = ${user_id}`
  const earlierIds = new Set(earlier.map((row) => row.option_id))
  const options = questions.flatMap((question) => question.options)
  const chosenOptions = options.filter(({ id }) => chosenIds.has(id))
  const lostOptions = options.filter(({ id }) => earlierIds.has(id) && !chosenIds.has(id))
  const newOptions = chosenOptions.filter(({ id }) => !earlierIds.has(id))
  const stays = {
    roles: new Set(chosenOptions.flatMap(({ role_ids }) => role_ids)),
    channels: new Set(chosenOptions.flatMap(({ channel_ids }) => channel_ids)),
  }
  const lostRoles = lostOptions.flatMap(({ role_ids }) => role_ids).filter((id) => !stays.roles.has(id))
  await sql`delete from member_roles where server_id = ${server_id} and user_id = ${user_id} and role_id in (
    select id from roles where server_id = ${server_id} and self_assignable and id = any(${lostRoles}))`
  await sql`insert into member_roles (server_id, user_id, role_id)
    select ${server_id}, ${user_id}, id from roles
    where server_id = ${server_id} and self_assignable and id = any(${newOptions.flatMap(({ role_ids }) => role_ids)})
    on conflict do nothing`
  const lostChannels = lostOptions.flatMap(({ channel_ids }) => channel_ids).filter((id) => !stays.channels.has(id))
  await list(sql, emit, { server_id, user_id }, lostChannels, null)
  const newChannels = newOptions.flatMap(({ channel_ids }) => channel_ids)
  await list(sql, emit, { server_id, user_id }, newChannels, true)
  await sql`delete from chosen_options where server_id = ${server_id} and user_id = ${user_id}`
  await sql`insert into chosen_options (server_id, user_id, option_id)
    select ${server_id}, ${user_id}, id from unnest(${[...chosenIds]}::int[]) as chosen (id)`
}

/** Lists channels that the member sees, or leaves them to their default. */
async function list(
  sql: Transaction,
  emit: Emit,
  { server_id, user_id }: Member,
  channelIds: number[],
  listed: NotificationSetting['listed'],
): Promise<void> {
  if (channelIds.length === 0) return
  const channels = await sql<{ id: number }[]>`
    select c.id from channels c join channel_permissions cp on cp.channel_id = c.id and cp.user_id = ${user_id}
    where c.server_id = ${server_id} and c.opt_in_since is not null and can_view(cp.permissions)
      and c.id = any(${channelIds}) order by c.id`
  for (const { id } of channels)
    await changeSetting(sql, emit, user_id, { server_id, channel_id: id, audience_id: id, isForum: false }, { listed })
}

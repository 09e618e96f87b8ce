import { afterAll, test } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { type Act, bob, bot, expectSameRights, parley } from '../support/both-doors.ts'
import { stop } from '../support/harness.ts'

afterAll(() => stop(parley))

const soon = () => new Date(Date.now() + 60_000).toISOString()
const nick = { nick: 'Bobby' }
const dryRun = { dry_run: true, action: 'kick', joined_after: '2015-01-01T00:00:00.000Z', never_wrote: true }
const acts: Record<string, Act> = {
  'read messages': {
    needs: [],
    own: ({ channel }) => ['GET', `/api/channels/${channel.id}/messages`],
    discord: (_, { channel }) => ['GET', `/channels/${channel}/messages`],
  },
  'send a message': {
    needs: ['send_messages'],
    own: ({ channel }) => ['POST', `/api/channels/${channel.id}/messages`, { content: 'Hi' }],
    discord: (_, { channel }) => ['POST', `/channels/${channel}/messages`, { content: 'Hi' }],
  },
  'delete a message': {
    needs: ['manage_messages'],
    own: ({ message }) => ['DELETE', `/api/messages/${message.id}`],
    discord: (_, { channel, message }) => ['DELETE', `/channels/${channel}/messages/${message}`],
  },
  'delete messages': {
    needs: ['manage_messages'],
    own: ({ channel, message }) => ['POST', `/api/channels/${channel.id}/messages/bulk-delete`, { ids: [message.id] }],
    discord: (_, { channel, message }) => [
      'POST',
      `/channels/${channel}/messages/bulk-delete`,
      { messages: [message] },
    ],
  },
  'edit another’s message': {
    needs: ['administrator'],
    own: ({ message }) => ['PUT', `/api/messages/${message.id}`, { content: 'Mine' }],
    discord: (_, { channel, message }) => ['PATCH', `/channels/${channel}/messages/${message}`, { content: 'Mine' }],
  },
  react: {
    needs: ['add_reactions'],
    own: ({ message }) => ['PUT', `/api/messages/${message.id}/reactions/${encodeURIComponent('👍')}/@me`],
    discord: (_, { channel, message }) => [
      'PUT',
      `/channels/${channel}/messages/${message}/reactions/${encodeURIComponent('👍')}/@me`,
    ],
  },
  'remove another’s reaction': {
    needs: ['manage_messages'],
    own: ({ message }) => ['DELETE', `/api/messages/${message.id}/reactions/${encodeURIComponent('👍')}/${bob.id}`],
    discord: (_, { channel, message, user }) => [
      'DELETE',
      `/channels/${channel}/messages/${message}/reactions/${encodeURIComponent('👍')}/${user}`,
    ],
  },
  'send a poll': {
    needs: ['send_messages', 'send_polls'],
    own: ({ channel }) => [
      'POST',
      `/api/channels/${channel.id}/messages`,
      { poll: { question: 'When?', answers: [{ text: 'Now' }, { text: 'Later' }] } },
    ],
    discord: (_, { channel }) => [
      'POST',
      `/channels/${channel}/messages`,
      {
        poll: {
          question: { text: 'When?' },
          answers: [{ poll_media: { text: 'Now' } }, { poll_media: { text: 'Later' } }],
        },
      },
    ],
  },
  'list automod rules': {
    needs: ['manage_server'],
    own: ({ server }) => ['GET', `/api/servers/${server.id}/automod`],
    discord: (_, { guild }) => ['GET', `/guilds/${guild}/auto-moderation/rules`],
  },
  pin: {
    needs: ['pin_messages'],
    own: ({ channel, message }) => ['PUT', `/api/channels/${channel.id}/pins/${message.id}`],
    discord: (_, { channel, message }) => ['PUT', `/channels/${channel}/pins/${message}`],
  },
  'create a channel': {
    needs: ['manage_channels'],
    own: ({ server }) => ['POST', `/api/servers/${server.id}/channels`, { name: 'new', type: 'text' }],
    discord: (_, { guild }) => ['POST', `/guilds/${guild}/channels`, { name: 'new', type: 0 }],
  },
  'change a channel': {
    needs: ['manage_channels'],
    own: ({ channel }) => ['PUT', `/api/channels/${channel.id}`, { topic: 'Owls' }],
    discord: (_, { channel }) => ['PATCH', `/channels/${channel}`, { topic: 'Owls' }],
  },
  'delete a channel': {
    needs: ['manage_channels'],
    own: ({ channel }) => ['DELETE', `/api/channels/${channel.id}`],
    discord: (_, { channel }) => ['DELETE', `/channels/${channel}`],
  },
  'set an overwrite': {
    needs: ['manage_roles'],
    own: ({ channel, role }) => ['PUT', `/api/channels/${channel.id}/permissions/${role.id}`, { allow: 1024 }],
    discord: (_, { channel, role }) => ['PUT', `/channels/${channel}/permissions/${role}`, { allow: '1024', type: 0 }],
  },
  'create a role': {
    needs: ['manage_roles'],
    own: ({ server }) => ['POST', `/api/servers/${server.id}/roles`, { name: 'New' }],
    discord: (_, { guild }) => ['POST', `/guilds/${guild}/roles`, { name: 'New' }],
  },
  'give a role rights that the bot lacks': {
    needs: ['administrator'],
    own: ({ role }) => ['PUT', `/api/roles/${role.id}`, { permissions: permissions('ban_members') }],
    discord: (_, { guild, role }) => ['PATCH', `/guilds/${guild}/roles/${role}`, { permissions: '4' }],
  },
  'delete a role': {
    needs: ['manage_roles'],
    own: ({ role }) => ['DELETE', `/api/roles/${role.id}`],
    discord: (_, { guild, role }) => ['DELETE', `/guilds/${guild}/roles/${role}`],
  },
  'give a member a role': {
    needs: ['manage_roles'],
    own: ({ server, role }) => ['POST', `/api/servers/${server.id}/members/${bob.id}/roles/${role.id}`],
    discord: (_, { guild, role, user }) => ['PUT', `/guilds/${guild}/members/${user}/roles/${role}`],
  },
  'name a member': {
    needs: ['manage_nicknames'],
    own: ({ server }) => ['PUT', `/api/servers/${server.id}/members/${bob.id}`, { nickname: 'Bobby' }],
    discord: (_, { guild, user }) => ['PATCH', `/guilds/${guild}/members/${user}`, nick],
  },
  'time a member out': {
    needs: ['moderate_members'],
    own: ({ server }) => ['PUT', `/api/servers/${server.id}/members/${bob.id}`, { timed_out_until: soon() }],
    discord: (_, { guild, user }) => [
      'PATCH',
      `/guilds/${guild}/members/${user}`,
      { communication_disabled_until: soon() },
    ],
  },
  kick: {
    needs: ['kick_members'],
    own: ({ server }) => ['DELETE', `/api/servers/${server.id}/members/${bob.id}`],
    discord: (_, { guild, user }) => ['DELETE', `/guilds/${guild}/members/${user}`],
  },
  ban: {
    needs: ['ban_members'],
    own: ({ server }) => ['PUT', `/api/servers/${server.id}/bans/${bob.id}`, {}],
    discord: (_, { guild, user }) => ['PUT', `/guilds/${guild}/bans/${user}`, {}],
  },
  'count inactive members': {
    needs: ['kick_members'],
    own: ({ server }) => ['POST', `/api/servers/${server.id}/members/prune`, dryRun],
    discord: (_, { guild }) => ['GET', `/guilds/${guild}/prune?days=7`],
  },
  'list bans': {
    needs: ['ban_members'],
    own: ({ server }) => ['GET', `/api/servers/${server.id}/bans`],
    discord: (_, { guild }) => ['GET', `/guilds/${guild}/bans`],
  },
  'read the audit log': {
    needs: ['view_audit_log'],
    own: ({ server }) => ['GET', `/api/servers/${server.id}/audit-log`],
    discord: (_, { guild }) => ['GET', `/guilds/${guild}/audit-logs`],
  },
  'list members': {
    needs: [],
    own: ({ server }) => ['GET', `/api/servers/${server.id}/members`],
    discord: (_, { guild }) => ['GET', `/guilds/${guild}/members?limit=5`],
  },
  'list roles': {
    needs: [],
    own: ({ server }) => ['GET', `/api/servers/${server.id}/roles`],
    discord: (_, { guild }) => ['GET', `/guilds/${guild}/roles`],
  },
  'rename the server': {
    needs: ['manage_server'],
    own: ({ server }) => ['PUT', `/api/servers/${server.id}`, { name: 'Owls' }],
    discord: (_, { guild }) => ['PATCH', `/guilds/${guild}`, { name: 'Owls' }],
  },
  invite: {
    needs: ['create_invite'],
    own: ({ server }) => ['POST', '/api/invites', { server_id: server.id }],
    discord: (_, { channel }) => ['POST', `/channels/${channel}/invites`, {}],
  },
  'list invites': {
    needs: ['manage_server'],
    own: ({ server }) => ['GET', `/api/servers/${server.id}/invites`],
    discord: (_, { guild }) => ['GET', `/guilds/${guild}/invites`],
  },
  'create a webhook': {
    needs: ['manage_webhooks'],
    own: ({ channel }) => ['POST', `/api/channels/${channel.id}/webhooks`, { name: 'Build' }],
    discord: (_, { channel }) => ['POST', `/channels/${channel}/webhooks`, { name: 'Build' }],
  },
  'list webhooks': {
    needs: ['manage_webhooks'],
    own: ({ channel }) => ['GET', `/api/channels/${channel.id}/webhooks`],
    discord: (_, { channel }) => ['GET', `/channels/${channel}/webhooks`],
  },
  'begin a thread': {
    needs: ['create_threads'],
    own: ({ channel }) => ['POST', `/api/channels/${channel.id}/threads`, { name: 'Owls' }],
    discord: (_, { channel }) => ['POST', `/channels/${channel}/threads`, { name: 'Owls', type: 11 }],
  },
  'add a member to a thread': {
    needs: ['send_in_threads'],
    own: ({ thread }) => ['PUT', `/api/channels/${thread.id}/followers/${bob.id}`],
    discord: (_, { thread, user }) => ['PUT', `/channels/${thread}/thread-members/${user}`],
  },
  'take a member out of a thread': {
    needs: ['manage_threads'],
    own: ({ thread }) => ['DELETE', `/api/channels/${thread.id}/followers/${bob.id}`],
    discord: (_, { thread, user }) => ['DELETE', `/channels/${thread}/thread-members/${user}`],
  },
  'list archived threads': {
    needs: [],
    own: ({ channel }) => ['GET', `/api/channels/${channel.id}/threads?archived=true`],
    discord: (_, { channel }) => ['GET', `/channels/${channel}/threads/archived/public`],
  },
  'list sounds': {
    needs: [],
    own: ({ server }) => ['GET', `/api/servers/${server.id}/sounds`],
    discord: (_, { guild }) => ['GET', `/guilds/${guild}/soundboard-sounds`],
  },
  'change its own nickname': {
    needs: ['change_nickname'],
    own: ({ server }) => ['PUT', `/api/servers/${server.id}/members/${bot.id}`, { nickname: 'Bobby' }],
    discord: (_, { guild }) => ['PATCH', `/guilds/${guild}/members/@me/nick`, nick],
  },
  type: {
    needs: ['send_messages'],
    own: ({ channel }) => ['POST', `/api/channels/${channel.id}/messages`, { content: 'as typing' }],
    discord: (_, { channel }) => ['POST', `/channels/${channel}/typing`],
  },
}

for (const [name, act] of Object.entries(acts))
  test(`a bot may ${name} through both doors or through neither`, () => expectSameRights(act))

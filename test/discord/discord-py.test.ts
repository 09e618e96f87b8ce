import { afterAll, expect, test } from 'bun:test'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf, unhurried } from '../support/bots.ts'
import { debianPython } from '../support/debian.ts'
import { expectListed } from '../support/discord-calls.ts'
import { apiOf } from '../support/discord.ts'
import { boot, newServer, person, say, stop, until } from '../support/harness.ts'

// A bot of discord.py's commands framework, as its guide writes them.
const PROGRAM = `
import io, os, discord, yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

Route.BASE = os.environ['API'] + '/v10'
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ['GATEWAY'])
bot = commands.Bot(command_prefix='!', intents=discord.Intents.all())

class Pages(discord.ui.View):
    @discord.ui.button(label='Next', custom_id='next')
    async def next(self, interaction, button):
        await interaction.response.edit_message(content='Page 2')

class Form(discord.ui.Modal, title='A bird'):
    name = discord.ui.TextInput(label='Its name')
    async def on_submit(self, interaction):
        await interaction.response.send_message(f'A {self.name}')

@bot.command()
async def roll(ctx, sides: int):
    await ctx.reply(f'A die of {sides}')

@bot.command()
async def who(ctx, member: discord.Member):
    await ctx.send(f'{member.display_name} in {ctx.guild.name}', allowed_mentions=discord.AllowedMentions.none())

@bot.command()
async def pages(ctx):
    await ctx.send('Page 1', view=Pages())
    await ctx.send('Press the button')

@bot.command()
async def owls(ctx):
    async with ctx.typing():
        await ctx.send(file=discord.File(io.BytesIO(b'owls'), 'owls.txt'))

@bot.command()
@commands.has_permissions(kick_members=True)
async def purge(ctx):
    await ctx.channel.purge(limit=2)
    await ctx.send('Purged')

@bot.command()
async def staff(ctx, member: discord.Member):
    role = await ctx.guild.create_role(name='Staff', colour=discord.Colour.red())
    await member.add_roles(role)
    thread = await ctx.channel.create_thread(name='Talk', type=discord.ChannelType.public_thread)
    await thread.send('In the thread')

@bot.command()
async def audit(ctx, member: discord.Member):
    await ctx.guild.me.edit(nick='Roly')
    permissions = discord.Permissions(ban_members=True)
    role = await ctx.guild.create_role(name='Owls', permissions=permissions, reason='For owls')
    await member.add_roles(role, reason='An owl')
    await ctx.channel.set_permissions(role, send_messages=False, reason='Silent owls')
    await ctx.message.pin(reason='Pinned')
    await ctx.message.unpin(reason='Unpinned')
    await ctx.channel.create_invite(reason='Come')
    thread = await ctx.channel.create_thread(name='Nest', type=discord.ChannelType.public_thread)
    await thread.add_user(member)
    followers = len(await thread.fetch_members())
    await thread.remove_user(member)
    await thread.edit(archived=True)
    archived = [thread.name async for thread in ctx.channel.archived_threads(limit=5)]
    guilds = [guild.name async for guild in bot.fetch_guilds(limit=5)]
    entries = [entry async for entry in ctx.guild.audit_logs(limit=100, user=ctx.guild.me)]
    # Converted when they are read.
    read = [(entry.target, entry.extra, entry.before, entry.after) for entry in entries]
    made = next(entry for entry in entries if entry.action is discord.AuditLogAction.role_create)
    reasons = [entry.reason for entry in reversed(entries) if entry.reason]
    await ctx.send(f'{reasons} {followers} {archived} {guilds} {made.after.permissions.ban_members} {len(read) > 6}')

@bot.event
async def on_command_error(ctx, error):
    print(repr(getattr(error, 'original', error)), flush=True)
    await ctx.send(type(error).__name__)

@bot.tree.command(description='Greets somebody')
async def greet(interaction: discord.Interaction, name: str):
    await interaction.response.defer()
    await interaction.followup.send(f'Hello, {name}')
    await interaction.followup.send('Quietly', ephemeral=True)

@bot.tree.command(description='Asks for a bird')
async def bird(interaction: discord.Interaction):
    await interaction.response.send_modal(Form())

@bot.event
async def on_ready():
    await bot.tree.sync()
    await bot.guilds[0].text_channels[0].send('Ready')

bot.run(os.environ['TOKEN'])
`

const python = debianPython('discord', 'python3-discord')
const parley = await boot()
await unhurried(parley)
const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
const home = await newServer(alice, bob)
const bot = await botOf(alice, 'Roller')
await addBot(alice, home.server_id, bot, permissions('administrator'))
const gateway = `${parley.url.replace('http', 'ws')}/discord/gateway`
const program = python
  ? Bun.spawn([python, '-c', PROGRAM], {
      env: { ...process.env, TOKEN: bot.token, API: apiOf(parley), GATEWAY: gateway },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  : undefined
afterAll(async () => {
  program?.kill()
  await program?.exited
  await stop(parley)
})

const messages = async (channel = home.channel_id) =>
  (await alice.get(`/api/channels/${channel}/messages?limit=10`)).body as any[]
/** The newest message of the bot, once it is this one. */
async function answerIs(content: string): Promise<any> {
  let found: any
  await until(async () => (found = (await messages()).find((row) => row.author.id === bot.id))?.content === content)
  return found
}

test.skipIf(!python)('commands with arguments, converters, files, checks and errors work', async () => {
  await answerIs('Ready')
  const question = await say(bob, home.channel_id, '!roll 20')
  expect((await answerIs('A die of 20')).reply_to_id).toBe(question.id)
  await say(bob, home.channel_id, '!roll many')
  await answerIs('BadArgument')
  await say(bob, home.channel_id, `!who <@${bob.id}>`)
  await answerIs(`${bob.display_name} in Birdwatchers`)
  await say(bob, home.channel_id, '!owls')
  expect((await answerIs('')).files.map(({ filename }: any) => filename)).toEqual(['owls.txt'])
  await say(bob, home.channel_id, '!purge')
  await answerIs('MissingPermissions')
  await say(alice, home.channel_id, '!purge')
  await answerIs('Purged')
  // The two newest messages went: the command and the answer before it.
  expect((await messages()).filter(({ content }) => content === '!purge').length).toBe(1)
})

test.skipIf(!python)('roles and threads are made, and members given roles', async () => {
  await say(alice, home.channel_id, `!staff <@${bob.id}>`)
  await until(async () => (await alice.get(`/api/channels/${home.channel_id}/threads`)).body.length === 1)
  const [thread] = (await alice.get(`/api/channels/${home.channel_id}/threads`)).body
  await until(async () => (await messages(thread.id)).some(({ content }) => content === 'In the thread'))
  const { body: roles } = await alice.get(`/api/servers/${home.server_id}/members/${bob.id}/roles`)
  expect(roles.map(({ name, color }: any) => [name, color])).toContainEqual(['Staff', '#e74c3c'])
})

test.skipIf(!python)('a view’s button changes its message', async () => {
  await say(bob, home.channel_id, '!pages')
  // The library listens for buttons of a message once it has the answer to its request, and this comes after that.
  await answerIs('Press the button')
  const { id } = (await messages()).find(({ content }) => content === 'Page 1')
  await bob.post('/api/interactions', { kind: 'component', message_id: id, custom_id: 'next' })
  await until(async () => (await alice.get(`/api/messages/${id}`)).body.content === 'Page 2')
})

test.skipIf(!python)('slash commands are answered later, and a modal reaches the bot', async () => {
  const { body: offered } = await bob.get(`/api/channels/${home.channel_id}/commands`)
  const use = (name: string, options = {}) =>
    bob.post('/api/interactions', {
      kind: 'command',
      channel_id: home.channel_id,
      command_id: offered.find((command: any) => command.name === name).id,
      options,
    })
  expect((await use('greet', { name: 'Bob' })).status).toBe(201)
  await answerIs('Hello, Bob')
  const { body: interaction } = await use('bird')
  // The custom ids of the library's form are random, so the client's own copy of the form names them.
  await until(async () => {
    const [row] = await parley.parts.sql`select offers -> 'modal' is not null as is_shown from interactions
      where id = ${interaction.id}`
    return row?.is_shown === true
  })
})

test.skipIf(!python)('the audit log has what the bot did and why, and threads and servers are listed', async () => {
  await say(alice, home.channel_id, `!audit <@${bob.id}>`)
  const reasons = ['For owls', 'An owl', 'Silent owls', 'Pinned', 'Unpinned', 'Come'].map((reason) => `'${reason}'`)
  await answerIs(`[${reasons.join(', ')}] 2 ['Nest'] ['Birdwatchers'] True True`)
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))

import type { Events } from '../../core/events.ts'
import type { AnswerDraft, CommandDrafts } from '../../features/interactions/model.ts'
import type { z } from 'zod'
import { openClient, type ParleyClient } from './client.ts'
import { ApiError } from './rest.ts'

export { ApiError, openClient, type ParleyClient } from './client.ts'

type Created = Events['interaction.created']
type Draft = z.input<typeof AnswerDraft>
type CommandDraft = z.input<typeof CommandDrafts>[number]
/** A command without its name: what it does, its options, and who may use it. */
export type CommandInfo = Omit<CommandDraft, 'name'>
type Message = Extract<Draft, { kind: 'message' }>
/** What a bot says: text, or text with components; `ephemeral` for the person alone. */
export type Said = string | Pick<Message, 'content' | 'components' | 'ephemeral'>
export type ModalForm = Extract<Draft, { kind: 'modal' }>['modal']
export type Choice = Extract<Draft, { kind: 'choices' }>['choices'][number]
export type Handler = (interaction: Interaction) => unknown

const asSaid = (said: Said) => (typeof said === 'string' ? { content: said } : said)

/** What a person asked of the bot. It has to be answered within 3 s, by `defer` at least, and may be for 15 minutes. */
export class Interaction {
  readonly #path: { interaction_id: number }
  #answered = false

  constructor(
    private readonly client: ParleyClient,
    /** As the gateway told it: who asked, where, and the options. */
    readonly data: Created,
  ) {
    this.#path = { interaction_id: data.id }
  }

  get user() {
    return this.data.user
  }

  get channel_id() {
    return this.data.channel_id
  }

  /** What was given for the options of a command, by name. */
  get options() {
    return this.data.options
  }

  /** What was chosen in a select. */
  get values() {
    return this.data.values
  }

  /** What was filled in, by the inputs' custom ids. */
  get fields() {
    return this.data.fields
  }

  /** Whether it has its first answer. */
  get isAnswered(): boolean {
    return this.#answered
  }

  /** Answers; what follows the first answer is a further message. @returns its message; null if it is ephemeral */
  async reply(said: Said): Promise<number | null> {
    if (this.#answered) return this.followUp(said)
    return this.#answer({ kind: 'message', ...asSaid(said) })
  }

  /** Says that the answer takes a while; `edit` gives it. */
  async defer({ ephemeral = false } = {}): Promise<void> {
    await this.#answer({ kind: 'deferred', ephemeral })
  }

  /** Replaces the first answer, or gives what was deferred. */
  async edit(said: Said): Promise<number | null> {
    const { content, components } = asSaid(said)
    const body = { token: this.data.token, content, components }
    return (await this.client.call('PUT /api/interactions/:interaction_id/answer', this.#path, body)).message_id
  }

  async followUp(said: Said): Promise<number | null> {
    const body = { token: this.data.token, ...asSaid(said) }
    return (await this.client.call('POST /api/interactions/:interaction_id/follow-ups', this.#path, body)).message_id
  }

  /** Changes the message whose component was used. */
  async update(said: Said): Promise<void> {
    const { content, components } = asSaid(said)
    await this.#answer({ kind: 'update', content, components })
  }

  /** Shows a form; what is filled in comes to `bot.modal`. */
  async showModal(modal: ModalForm): Promise<void> {
    await this.#answer({ kind: 'modal', modal })
  }

  /** Offers choices for the option that is being typed. */
  async suggest(choices: Choice[]): Promise<void> {
    await this.#answer({ kind: 'choices', choices })
  }

  async #answer(draft: DraftWithoutToken): Promise<number | null> {
    this.#answered = true
    const body = { ...draft, token: this.data.token } as Draft
    return (await this.client.call('POST /api/interactions/:interaction_id/answer', this.#path, body)).message_id
  }
}

type DraftWithoutToken = Draft extends infer D ? (D extends Draft ? Omit<D, 'token'> : never) : never

export interface BotOptions {
  /** The server's origin, e.g. `https://chat.example.org`. */
  base: string
  /** The bot's token. */
  token: string
  /** Called with what a handler throws; by default it is printed. The person is told that it did not work. */
  onError?: (error: unknown, interaction: Interaction) => void
}

/** A bot: its commands, and what answers them. It reconnects and resumes by itself. */
export class Bot {
  readonly client: ParleyClient
  readonly #commands = new Map<string, CommandDraft>()
  readonly #handlers = new Map<string, Handler>()
  readonly #onError: (error: unknown, interaction: Interaction) => void

  constructor({ base, token, onError = (error) => console.error(error) }: BotOptions) {
    this.client = openClient({ base, token })
    this.#onError = onError
    this.client.gateway.listen(({ t, d }) => {
      if (t === 'interaction.created') void this.#run(new Interaction(this.client, d))
    })
  }

  /** Offers a command, everywhere that the bot is. @param info what it does; a text is its description */
  command(name: string, info: string | CommandInfo, handler: Handler): this {
    const own = typeof info === 'string' ? { description: info } : info
    this.#commands.set(`${own.kind ?? 'chat'} ${name}`, { ...own, name })
    this.#handlers.set(`command ${name}`, handler)
    return this
  }

  /** Offers choices for options of the command while somebody types. */
  autocomplete(name: string, handler: Handler): this {
    this.#handlers.set(`autocomplete ${name}`, handler)
    return this
  }

  /** Answers a button or select with this custom id. */
  component(custom_id: string, handler: Handler): this {
    this.#handlers.set(`component ${custom_id}`, handler)
    return this
  }

  /** Answers a modal with this custom id. */
  modal(custom_id: string, handler: Handler): this {
    this.#handlers.set(`modal ${custom_id}`, handler)
    return this
  }

  /** Replaces the commands that the server has of the bot, and connects. Resolves when it is online. */
  async start(): Promise<void> {
    await this.client.call('PUT /api/applications/@me/commands', {}, [...this.#commands.values()])
    const { gateway } = this.client
    const online = new Promise<void>((resolve, reject) =>
      gateway.watch((state) => {
        if (state === 'online') resolve()
        if (state === 'ended') reject(new ApiError(401, 'unauthorized', 'The server does not take this token'))
      }),
    )
    gateway.connect()
    await online
  }

  stop(): void {
    this.client.gateway.disconnect()
  }

  async #run(interaction: Interaction): Promise<void> {
    const { kind, command, custom_id } = interaction.data
    const handler = this.#handlers.get(`${kind} ${command?.name ?? custom_id}`)
    try {
      await handler?.(interaction)
    } catch (error) {
      this.#onError(error, interaction)
      if (kind === 'autocomplete') return
      // That it cannot be told either is no further news.
      await interaction.reply({ content: 'That did not work.', ephemeral: true }).catch(() => {})
    }
  }
}

import type { Events } from '../../core/events.ts'
import type { AnswerDraft, CommandDrafts } from '../../features/interactions/model.ts'
import type { z } from 'zod'
import { type ClientOptions, openClient, type ParleyClient } from './client.ts'
import { ApiError } from './rest.ts'

export { ApiError, openClient, type ParleyClient } from './client.ts'

type Created = Events['interaction.created']
type Draft = z.input<typeof AnswerDraft>
type CommandDraft = z.input<typeof CommandDrafts>[number]
/** A command without its name: description, options and required permissions; `server_id` limits it to one server. */
export type CommandInfo = Omit<CommandDraft, 'name'> & { server_id?: number }
type Message = Extract<Draft, { kind: 'message' }>
/** An answer of the bot: text, or text with components, cards and files. Only the person sees an `ephemeral` answer. */
export type Said = string | Pick<Message, 'content' | 'components' | 'embeds' | 'file_ids' | 'ephemeral'>
export type ModalForm = Extract<Draft, { kind: 'modal' }>['modal']
export type Choice = Extract<Draft, { kind: 'choices' }>['choices'][number]
export type Handler = (interaction: Interaction) => unknown

const asAnswer = (answer: Said) => (typeof answer === 'string' ? { content: answer } : answer)
/** An edit of an earlier answer. */
const asChange = (answer: Said) => {
  const { content, components, embeds } = asAnswer(answer)
  return { content, components, embeds }
}

/** A person's interaction with the bot. The bot must answer or `defer` within 3 s, and can follow up for 15 minutes. */
export class Interaction {
  readonly #path: { interaction_id: number }
  #isAnswered = false

  constructor(
    private readonly client: ParleyClient,
    /** The interaction as the gateway sent it: the person, the channel and the options. */
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

  /** The values of a command's options, by name. */
  get options() {
    return this.data.options
  }

  /** The values chosen in a select. */
  get values() {
    return this.data.values
  }

  /** The values of the form's inputs, by custom id. */
  get fields() {
    return this.data.fields
  }

  /** The choices in the form's selects, by custom id. */
  get choices() {
    return this.data.choices
  }

  /** True once a first answer is being sent, unless the server refused it. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  /** Answers; what follows the first answer is a further message. @returns its message; null if it is ephemeral */
  async reply(answer: Said): Promise<number | null> {
    if (this.#isAnswered) return this.followUp(answer)
    return this.#answer({ kind: 'message', ...asAnswer(answer) })
  }

  /** Announces a later answer; `edit` sends it. */
  async defer({ ephemeral = false } = {}): Promise<void> {
    await this.#answer({ kind: 'deferred', ephemeral })
  }

  /** Announces a change of the component's message; `edit` makes it. */
  async deferUpdate(): Promise<void> {
    await this.#answer({ kind: 'deferred', update: true })
  }

  /** Replaces the first answer, or sends the deferred one. An empty text keeps the old text. */
  async edit(answer: Said): Promise<number | null> {
    const { file_ids } = asAnswer(answer)
    const body = { token: this.data.token, ...asChange(answer), file_ids }
    return (await this.client.call('PUT /api/interactions/:interaction_id/answer', this.#path, body)).message_id
  }

  async followUp(answer: Said): Promise<number | null> {
    const body = { token: this.data.token, ...asAnswer(answer) }
    return (await this.client.call('POST /api/interactions/:interaction_id/follow-ups', this.#path, body)).message_id
  }

  /** Changes the message, or the answer that only the person sees, whose component was used. */
  async update(answer: Said): Promise<void> {
    await this.#answer({ kind: 'update', ...asChange(answer) })
  }

  /** Shows a form, whose values arrive at `bot.modal`. */
  async showModal(modal: ModalForm): Promise<void> {
    await this.#answer({ kind: 'modal', modal })
  }

  /** Offers choices for the option that is being typed. */
  async suggest(choices: Choice[]): Promise<void> {
    await this.#answer({ kind: 'choices', choices })
  }

  async #answer(draft: DraftWithoutToken): Promise<number | null> {
    this.#isAnswered = true
    const body = { ...draft, token: this.data.token } as Draft
    try {
      return (await this.client.call('POST /api/interactions/:interaction_id/answer', this.#path, body)).message_id
    } catch (error) {
      // A refused first answer may be tried again.
      if (error instanceof ApiError && error.code !== 'interaction_gone') this.#isAnswered = false
      throw error
    }
  }
}

type DraftWithoutToken = Draft extends infer D ? (D extends Draft ? Omit<D, 'token'> : never) : never

export interface BotOptions {
  /** The server's origin, e.g. `https://chat.example.org`. */
  base: string
  /** The bot's token. */
  token: string
  /** Events that `client.gateway` receives besides interactions, such as `['messages', 'content']`; all if absent. */
  intents?: ClientOptions['intents']
  /** Called with the error of a handler; by default it is printed. The person gets an answer that it did not work. */
  onError?: (error: unknown, interaction: Interaction) => void
  /**
   * Called when the server rejects the token of a bot that was online, which then does not reconnect; by default the
   * error is thrown, and ends the program.
   */
  onEnd?: (error: ApiError) => void
}

/** Throws the error uncaught: a program without a listener for such errors exits with code 1. */
const throwLater = (error: ApiError): void => {
  setTimeout(() => {
    throw error
  })
}

/** A bot: its commands and their handlers. It reconnects and resumes by itself. */
export class Bot {
  readonly client: ParleyClient
  /** By server; undefined for everywhere. */
  readonly #commands = new Map<number | undefined, Map<string, CommandDraft>>([[undefined, new Map()]])
  readonly #handlers = new Map<string, Handler>()
  readonly #onError: (error: unknown, interaction: Interaction) => void
  readonly #onEnd: (error: ApiError) => void
  /** Settles the promise that `start` returned. */
  #starting: { resolve(): void; reject(error: ApiError): void } | undefined
  #isStopped = false

  /** @throws Error when the address or the token is missing, as in a program that was started without arguments */
  constructor({ base, token, intents, onError = (error) => console.error(error), onEnd = throwLater }: BotOptions) {
    if (!base || !token)
      throw new Error(
        'A bot needs { base, token }: the address of the server, such as https://chat.example.org, and its token',
      )
    // An address that was copied from a browser ends in a slash.
    this.client = openClient({ base: base.replace(/\/+$/, ''), token, intents })
    this.#onError = onError
    this.#onEnd = onEnd
    this.client.gateway.listen(({ t, d }) => {
      if (t === 'interaction.created') void this.#run(new Interaction(this.client, d))
    })
    this.client.gateway.watch((state) => {
      if (state === 'online') this.#starting?.resolve()
      if (state === 'ended') this.#fail()
      if (state === 'online' || state === 'ended') this.#starting = undefined
    })
  }

  /**
   * Offers a command in every place of the bot, or in one server.
   * @param info the command; a text is its description
   */
  command(name: string, info: string | CommandInfo, handler: Handler): this {
    const { server_id, ...draft } = typeof info === 'string' ? ({ description: info } as CommandInfo) : info
    const kind = draft.kind ?? 'chat'
    const commands = this.#commands.get(server_id) ?? new Map<string, CommandDraft>()
    this.#commands.set(server_id, commands.set(`${kind} ${name}`, { ...draft, name }))
    this.#handlers.set(`${kind} ${name}`, handler)
    return this
  }

  /** Handles a subcommand of a command that `command` offers; the command's own handler gets all others. */
  subcommand(name: string, subcommand: string, handler: Handler): this {
    this.#handlers.set(`chat ${name} ${subcommand}`, handler)
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

  /** Replaces the bot's commands on the server, and connects. Resolves when the bot is online. */
  async start(): Promise<void> {
    for (const [server_id, commands] of this.#commands) {
      const place = server_id === undefined ? {} : { server_id }
      await this.client.call('PUT /api/applications/@me/commands', place, [...commands.values()])
    }
    this.#isStopped = false
    // Node 20 has no Promise.withResolvers.
    const online = new Promise<void>((resolve, reject) => (this.#starting = { resolve, reject }))
    this.client.gateway.connect()
    await online
  }

  stop(): void {
    this.#isStopped = true
    this.client.gateway.disconnect()
  }

  #fail(): void {
    const error = new ApiError(401, 'unauthorized', 'The server rejects this token')
    if (this.#starting) this.#starting.reject(error)
    else if (!this.#isStopped) this.#onEnd(error)
  }

  async #run(interaction: Interaction): Promise<void> {
    const { kind, command, subcommand, custom_id } = interaction.data
    const name = `${kind === 'command' ? command?.kind : kind} ${command?.name ?? custom_id}`
    const handler = this.#handlers.get(`${name} ${subcommand}`) ?? this.#handlers.get(name)
    try {
      await handler?.(interaction)
    } catch (error) {
      this.#onError(error, interaction)
      if (kind === 'autocomplete') return
      // Ignore the failure: the first error is already reported.
      await interaction.reply({ content: 'That did not work.', ephemeral: true }).catch(() => {})
    }
  }
}

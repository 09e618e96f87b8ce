import type { Events } from '../../core/events.ts'
import { parseJson } from '../../core/json.ts'
import { VERSION } from '../../core/version.ts'
import type { Parts } from '../../parts.ts'
import type { Answer } from '../previews/http-client.ts'
import { Receivers } from '../previews/receivers.ts'
import { ANSWER_SECONDS, AnswerDraft } from './model.ts'
import { signatureHeaders } from './signing.ts'

const POSTS_AT_ONCE = 256
/** Concurrent posts to one owner's applications, so that those that hang do not delay others. */
const POSTS_PER_OWNER = 8
/** Bytes of an answer, the same as by REST. */
const ANSWER_BYTES_MAX = 256 * 1024

/** The URL of an application, and its owner. */
export interface PostTarget {
  url: string
  owner_id: number
  application_id: number
}

/** The rules for URLs to which interactions may be posted. */
export const interactionReceivers = ({ environment }: Pick<Parts, 'environment'>): Receivers =>
  new Receivers(environment, environment.INTERACTION_ALLOWED_ADDRESSES)

/**
 * Posts interactions to applications in signed requests, and handles the answers. A request that fails, times out or
 * exceeds the limits counts as no answer.
 */
export class InteractionPosts {
  readonly #receivers: Receivers
  readonly #underway = new Map<number, number>()
  #count = 0

  constructor(
    private readonly parts: Pick<Parts, 'environment' | 'secrets'>,
    /** Handles a first answer, as Answers does. */
    private readonly answer: (botId: number, id: number, draft: AnswerDraft) => Promise<unknown>,
  ) {
    this.#receivers = interactionReceivers(parts)
  }

  /** Sends an interaction without waiting for it. */
  send(target: PostTarget, interaction: Events['interaction.created']): void {
    const { owner_id } = target
    const ownerPosts = this.#underway.get(owner_id) ?? 0
    if (ownerPosts >= POSTS_PER_OWNER || this.#count >= POSTS_AT_ONCE) return
    this.#underway.set(owner_id, ownerPosts + 1)
    this.#count++
    void this.#post(target, interaction)
      .catch(() => {})
      .finally(() => {
        const remainingPosts = (this.#underway.get(owner_id) ?? 1) - 1
        if (remainingPosts > 0) this.#underway.set(owner_id, remainingPosts)
        else this.#underway.delete(owner_id)
        this.#count--
      })
  }

  async #post({ url, application_id }: PostTarget, interaction: Events['interaction.created']): Promise<void> {
    const signal = AbortSignal.timeout(ANSWER_SECONDS * 1000)
    const body = Buffer.from(JSON.stringify(interaction))
    const headers = {
      'User-Agent': `Parley/${VERSION} (interaction)`,
      'Content-Type': 'application/json',
      ...signatureHeaders(this.parts.secrets, application_id, body, Date.now() / 1000),
    }
    const answer = await this.#receivers.post(url, headers, body, signal)
    const draft = await draftIn(answer, interaction.token).finally(() => answer.close())
    if (draft) await this.answer(application_id, interaction.id, draft)
  }
}

/** The first answer in a response; undefined if the application answers by REST. */
async function draftIn({ status, body }: Answer, token: string): Promise<AnswerDraft | undefined> {
  if (status !== 200) return undefined
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > ANSWER_BYTES_MAX) return undefined
    parts.push(part)
  }
  const json = bytes === 0 ? undefined : parseJson(Buffer.concat(parts))
  return typeof json === 'object' ? AnswerDraft.safeParse({ ...json, token }).data : undefined
}

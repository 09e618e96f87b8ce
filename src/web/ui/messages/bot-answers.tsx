import { commandWords } from '../../words/commands.ts'
import { IconButton } from '../kit/controls.tsx'
import { Embeds } from './embeds.tsx'
import { RichText } from './rich-text.tsx'
import { answersShown } from '../commands/answers-shown.ts'
import { dismiss } from '../commands/ask.tsx'
import { ComponentRows } from '../commands/components.tsx'

/** Answers of bots that only the account sees, above the composer. */
export const Answers = ({ channel_id }: { channel_id: number }) => (
  <section class="bot-answers" aria-label={commandWords.answers} aria-live="polite">
    {answersShown.value
      .filter((entry) => entry.channel_id === channel_id && entry.state !== 'dismissed')
      .map(({ key, bot, state, content, components, embeds, interaction_id, places }) => (
        <article key={key} class="bot-answer">
          {state === 'said' ? (
            <div class="body">
              <small class="quiet">
                <b>
                  <bdi>{bot}</bdi>
                </b>{' '}
                · {commandWords.onlyYou}
              </small>
              <RichText text={content} />
              {embeds.length > 0 ? <Embeds embeds={embeds} /> : null}
              {components.length > 0 ? (
                <ComponentRows
                  rows={components}
                  place={places.at(-1) ?? { interaction_id, answer: 0 }}
                  channel_id={channel_id}
                  bot={bot}
                />
              ) : null}
            </div>
          ) : (
            <p class="quiet">{state === 'waiting' ? commandWords.waiting(bot) : commandWords.silent(bot)}</p>
          )}
          <IconButton icon="close" size={16} label={commandWords.dismiss} onClick={() => dismiss(key)} />
        </article>
      ))}
  </section>
)

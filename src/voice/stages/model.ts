import { z } from 'zod'
import { Id } from '../../core/schema.ts'

/** Hands that are up in a stage at once. */
export const HANDS_MAX = 100
/** Minimum time between two hands that a seat raises, ms. */
export const HAND_MS = 5_000

const Empty = z.strictObject({})
const Target = z.strictObject({ server_id: Id, user_id: Id })
const MODERATORS = 'needs mute_members, move_members and manage_channels in the stage'

/** The commands of a stage. Source: docs/voice.md. */
export const stageCommands = {
  'voice.raise_hand': {
    d: z.strictObject({ raised: z.boolean() }),
    answer: Empty,
    summary: `Ask to speak in a stage, or lower your hand; needs speak; at most ${HANDS_MAX} hands are up at once`,
  },
  'voice.go_up': {
    d: Empty,
    answer: Empty,
    summary: `Speak in a stage: after an invitation, with speak; a moderator at any time`,
  },
  'voice.step_down': {
    d: Empty,
    answer: Empty,
    summary: 'Listen again in a stage, or refuse an invitation to speak',
  },
  'voice.let_up': {
    d: Target,
    answer: Empty,
    summary: `Let a listener of a stage speak who has raised its hand, or invite one who has not; ${MODERATORS}`,
  },
  'voice.send_down': {
    d: Target,
    answer: Empty,
    summary:
      'Make a speaker of a stage who stands below you a listener, lower a hand, or withdraw an invitation; ' +
      MODERATORS,
  },
} as const

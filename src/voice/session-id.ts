import { z } from 'zod'

/** The public id of a voice session. Of two peers, the one with the greater id is polite. */
export const VoiceSessionId = z.string().regex(/^[0-9a-f]{32}$/)

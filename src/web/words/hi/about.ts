// Printed from locales/hi/about.json. After a change there: bun run words
import type { About } from '../language.ts'
import notices from './notices.ts'

export default {
  name: 'हिन्दी',
  unreviewed: 'मशीनी अनुवाद, जिसे अभी किसी हिन्दी-भाषी ने नहीं जाँचा है',
  notices,
} satisfies About

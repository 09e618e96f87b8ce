// Printed from locales/hi/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'प्रतिक्रियाएँ',
    add: 'प्रतिक्रिया जोड़ें',
    react: (emoji) => `${emoji} से प्रतिक्रिया दें`,
    one: ({ emoji, n, isMine }) =>
      `${emoji}: ${count(n, '# प्रतिक्रिया', '# प्रतिक्रियाएँ')}${isMine ? ', आपकी सहित' : ''}`,
    by: ({ names, emoji }) => `${emoji} से प्रतिक्रिया: ${listOf(names)}`,
    others: (n) => count(n, '# और व्यक्ति', '# और लोग'),
    tooMany: 'इस संदेश पर पहले से 20 अलग प्रतिक्रियाएँ हैं।',
    refused: 'आपकी प्रतिक्रिया सहेजी नहीं जा सकी।',
    all: 'सभी',
  },
  pins: {
    title: 'पिन किए गए संदेश',
    pin: 'संदेश पिन करें',
    unpin: 'संदेश का पिन हटाएँ',
    unpinText: 'संदेश अपनी जगह पर रहेगा।',
    pinned: 'पिन किया गया',
    show: 'देखें',
    showAll: 'सभी पिन किए गए संदेश देखें',
  },
  emoji: {
    insert: 'इमोजी डालें',
    suggestions: 'इमोजी के सुझाव',
    add: 'इमोजी जोड़ें',
  },
} satisfies typeof emojiWords

// Printed from locales/tr/polls.json. After a change there: bun run words
import type { pollWords } from '../polls.ts'
import { digits, spanOf } from '../plural.ts'

export default {
  poll: 'Anket',
  question: 'Soru',
  questionExample: 'Hangi gün sana uygun?',
  answer: (n) => `${digits(n)}. yanıt`,
  addAnswer: 'Yanıt ekle',
  duration: 'Bitiş süresi',
  span: (seconds) => spanOf(seconds),
  multiple: 'Birden çok yanıta izin ver',
  anonymous: 'Anonim',
  promise:
    'Sunucu, kişiler ile oyları arasında hiçbir bağlantı saklamaz. Oylar kesindir; sonuçlar bitişte, en az beş kişi oy verdiyse gösterilir.',
  send: 'Anketi gönder',
  chooseOne: 'Bir yanıt seç',
  chooseSeveral: 'Bir veya daha çok yanıt seç',
  vote: 'Oy ver',
  change: 'Oyu değiştir',
  results: 'Sonuçları göster',
  back: 'Yanıtlara dön',
  voters: (n) => `${digits(n)} kişi oy verdi`,
  share: ({ n, percent }) => `${`${digits(n)} oy`}, %${digits(percent)}`,
  who: 'Kimlerin oy verdiğini göster',
  votersOf: (answer) => `${answer} için oylar`,
  yours: 'Senin oyun',
  ends: (time) => `Bitiş: ${time}`,
  ended: (time) => `Bitti: ${time}`,
  end: 'Anketi bitir',
  endText: 'Bundan sonra kimse oy veremez.',
  votedAnonymous: 'Oy verdin. Sonuçlar bitişte, en az beş kişi oy verdiyse gösterilir.',
  anonymousText:
    'Bu anket anonimdir: sunucu seninle oyun arasında hiçbir bağlantı saklamaz ve oyun kesindir. Sonuçlar bitişte, en az beş kişi oy verdiyse gösterilir.',
  tooFew: 'Beşten az kişi oy verdiği için bu anonim anket sonuç göstermez.',
} satisfies typeof pollWords

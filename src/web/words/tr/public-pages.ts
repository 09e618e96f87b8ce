// Printed from locales/tr/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'Herkese açık sayfalar',
  server: 'Bu sunucunun kanalları herkese açık olabilir',
  serverText: 'Tek tek kanal ve forumları kendi ayarlarında seçin. Yoksa hiçbir şey herkese açık olmaz.',
  indexed: 'Arama motorları bunları gösterebilir',
  channel: 'Bu kanalı herkes hesapsız okur',
  channelText: 'Bekletilen üyelerin ve son 24 saatte katılanların mesajları gösterilmez.',
  serverOff: 'Önce sunucu ayarlarında herkese açık sayfalara izin verin.',
  older: 'Daha önce yazılanlar da',
  olderText: ({ people, messages }) => `Burada yazan kişi: ${people}. Mesajları: ${messages}.`,
  open: 'Herkese açık sayfayı aç',
  here: 'Burada yazılanları herkes hesapsız okuyabilir.',
  name: 'Herkese açık sayfalar adımı göstersin',
  nameText: 'Yoksa sizi “A member” diye anar.',
} satisfies typeof publicWords

import type { laterWords } from '../later.ts'

export default {
  at: 'Başka bir zamanda',
  saved: {
    title: 'Kaydedilenler',
    none: 'Henüz bir şey kaydedilmedi',
    noneText: 'Bir mesajın menüsünden “Mesajı kaydet” seçeneğini kullan. Kaydettiklerini yalnızca sen görürsün.',
    note: 'Not',
    noteText: 'Yalnızca sen görürsün.',
    remind: 'Bana hatırlat',
    set: 'Hatırlatıcı kur',
    until: (time) => `Hatırlatıcı: ${time}`,
    since: (time) => `Hatırlatıcı, ${time} tarihinden beri bekliyor`,
    clear: 'Hatırlatıcıyı kaldır',
    done: 'Tamam',
    edit: 'Not ve hatırlatıcı…',
    remove: 'Kaydedilenlerden çıkar',
  },
} satisfies typeof laterWords

import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'Arkadaş',
    pending_incoming: 'arkadaşın olmak istiyor',
    pending_outgoing: 'İstek gönderildi',
    blocked: 'Engellendi',
  },
  tabs: {
    friends: 'Arkadaşlar',
    waiting: 'İstekler',
    blocked: 'Engellenenler',
    find: 'Kişi bul',
  },
  none: {
    friends: [
      'Henüz arkadaş yok',
      'Arkadaşların burada hep elinin altında: kim çevrimiçi gör, yaz, ara ve gruplar kur.',
    ],
    waiting: ['Bekleyen istek yok', 'Gönderdiğin veya aldığın istekler cevaplanana dek burada bekler.'],
    blocked: ['Kimse engellenmedi', 'Engellediğin kişi sana yazamaz, seni arayamaz ve bundan haberi olmaz.'],
  },
  nobody: 'Kimse bulunamadı',
  nobodyText: 'Kullanıcı adı tam olmalı. Görünen adın bir kısmı yeter.',
  search: 'Kullanıcı adı veya görünen ad',
  searchHint: 'Tam bir kullanıcı adı veya görünen adın bir kısmı.',
  find: 'Ara',
  add: 'Arkadaş ekle',
  accept: 'Kabul et',
  decline: 'Reddet',
  cancel: 'İsteği iptal et',
  remove: 'Arkadaşlıktan çıkar',
  block: 'Engelle',
  unblock: 'Engeli kaldır',
} satisfies typeof friendWords

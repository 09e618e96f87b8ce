// Printed from locales/tr/friends.json. After a change there: bun run words
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
      'Kimlerin çevrimiçi olduğunu görmek, onlara yazmak, onları aramak ve grup kurmak için arkadaş ekle.',
    ],
    waiting: ['Bekleyen istek yok', 'Gönderdiğin veya aldığın arkadaşlık istekleri cevaplanana dek burada görünür.'],
    blocked: ['Kimse engellenmedi', 'Engellediğin kişiler sana yazamaz ve seni arayamaz. Onlara bildirilmez.'],
  },
  nobody: 'Kimse bulunamadı',
  nobodyText: 'Kullanıcı adının tamamını veya görünen adın bir kısmını gir.',
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
  messageRequests: {
    title: 'Mesaj istekleri',
    text: (name) =>
      `${name} size yazmak istiyor. Bunu okuyup okumadığınızı öğrenmez. Yanıtlar ya da kabul ederseniz tanıdığınız herkes gibi yazabilir.`,
    hint: 'Tanımadığınız kişilerin mesajları burada bekler. Size bildirim göndermez ve resimleri örtülüdür.',
    ignore: 'Yok say',
    ignored: 'Yok sayıldı',
    none: 'Mesaj isteği yok',
  },
} satisfies typeof friendWords

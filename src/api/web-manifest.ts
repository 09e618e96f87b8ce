/** Icons of the installed program, by the start of their file names. */
export const PICTURES = { small: 'any-192', large: 'any-512', maskable: 'maskable-512', badge: 'badge-96' } as const

type Said = [description: string, friends: string, find: string]

/** Name and texts of the installed program, in each language of the web client. */
export const MANIFEST_WORDS: Record<string, Said> = {
  en: ['Messages, calls and files on a server of your own', 'Friends and conversations', 'Find anything'],
  de: ['Nachrichten, Anrufe und Dateien auf einem eigenen Server', 'Freunde und Gespräche', 'Alles finden'],
  fr: ['Messages, appels et fichiers sur votre propre serveur', 'Amis et conversations', 'Tout trouver'],
  es: ['Mensajes, llamadas y archivos en un servidor propio', 'Amigos y conversaciones', 'Buscar cualquier cosa'],
  pt: ['Mensagens, chamadas e arquivos em um servidor próprio', 'Amigos e conversas', 'Encontrar qualquer coisa'],
  pl: ['Wiadomości, rozmowy i pliki na własnym serwerze', 'Znajomi i rozmowy', 'Znajdź cokolwiek'],
  tr: ['Kendi sunucunuzda mesajlar, aramalar ve dosyalar', 'Arkadaşlar ve sohbetler', 'Her şeyi bul'],
  ru: ['Сообщения, звонки и файлы на собственном сервере', 'Друзья и беседы', 'Найти что угодно'],
  uk: ['Повідомлення, дзвінки та файли на власному сервері', 'Друзі та розмови', 'Знайти будь-що'],
  ar: ['رسائل ومكالمات وملفات على خادم خاص بك', 'الأصدقاء والمحادثات', 'البحث عن أي شيء'],
  hi: ['आपके अपने सर्वर पर संदेश, कॉल और फ़ाइलें', 'मित्र और बातचीत', 'कुछ भी खोजें'],
  ja: ['自分のサーバーでメッセージ、通話、ファイル', 'フレンドと会話', '何でも検索'],
  zh: ['在你自己的服务器上收发消息、通话和传文件', '好友与对话', '查找任何内容'],
}

/**
 * The web app manifest. Source: W3C Web Application Manifest, and its share_target member of Web Share Target.
 * @param lang a language of MANIFEST_WORDS
 */
export const manifestOf = (
  { small, large, maskable, badge }: Record<keyof typeof PICTURES, string>,
  lang: string,
  [description, friends, find]: Said,
) => ({
  id: '/app',
  name: 'Parley',
  short_name: 'Parley',
  description,
  lang,
  dir: lang === 'ar' ? 'rtl' : 'ltr',
  start_url: '/app',
  scope: '/',
  display: 'standalone',
  background_color: '#0f1516',
  theme_color: '#0f1516',
  categories: ['social', 'communication'],
  icons: [
    { src: small, sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: large, sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: maskable, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: badge, sizes: '96x96', type: 'image/png', purpose: 'monochrome' },
  ],
  shortcuts: [
    { name: friends, url: '/app', icons: [{ src: small, sizes: '192x192' }] },
    { name: find, url: '/app?find', icons: [{ src: small, sizes: '192x192' }] },
  ],
  share_target: {
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'title',
      text: 'text',
      url: 'url',
      files: [{ name: 'files', accept: ['image/*', 'video/*', 'audio/*', 'application/pdf', 'text/plain'] }],
    },
  },
})

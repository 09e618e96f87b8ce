/** The browsers of the table in docs/browsers.md, by their names in MDN's browser-compat-data. */
export const BROWSERS = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  safari: 'Safari',
  safari_ios: 'Safari on iOS',
  webview_android: 'Android WebView',
} as const

/** The first version of each browser, in the order of BROWSERS; `null` if no version has it. */
type Versions = (number | null)[]

interface Feature {
  /** Its place in MDN's browser-compat-data. */
  key: string
  since: Versions
}

/**
 * Features that the client cannot do without. Before its scripts, the page runs `test`, an expression in the JavaScript
 * of 2009. The newest versions of this list are the least that Parley supports.
 */
export const NEEDED: (Feature & { test: string })[] = [
  {
    key: 'css.types.color.light-dark',
    since: [123, 123, 120, 17.5, 17.5, 123],
    test: `CSS.supports('color', 'light-dark(red, red)')`,
  },
  {
    key: 'css.selectors.has',
    since: [105, 105, 121, 15.4, 15.4, 105],
    test: `CSS.supports('selector(:has(a))')`,
  },
  {
    key: 'css.selectors.nesting',
    since: [120, 120, 117, 17.2, 17.2, 120],
    test: `CSS.supports('selector(&)')`,
  },
  {
    key: 'api.HTMLElement.showPopover',
    since: [114, 114, 125, 17, 17, 114],
    test: `HTMLElement.prototype.showPopover`,
  },
  { key: 'api.URL.parse_static', since: [126, 126, 126, 18, 18, 126], test: `URL.parse` },
  {
    key: 'javascript.builtins.Map.groupBy',
    since: [117, 117, 119, 17.4, 17.4, 117],
    test: `Map.groupBy`,
  },
  {
    key: 'javascript.builtins.Promise.withResolvers',
    since: [119, 119, 121, 17.4, 17.4, 119],
    test: `Promise.withResolvers`,
  },
  {
    key: 'javascript.builtins.Set.difference',
    since: [122, 122, 127, 17, 17, 122],
    test: `Set.prototype.difference`,
  },
]

interface Extra {
  /** The benefit for a person. */
  name: string
  /** The behaviour of a browser without it. */
  otherwise: string
  /** Source of the client that copes without it. */
  code: string
  features: Feature[]
}

/** Features that the client uses if the browser has them. */
export const EXTRAS: Extra[] = [
  {
    name: 'Notifications while Parley is closed',
    otherwise: 'Notifications only while a page is open; in an iOS browser none until Parley is on the home screen',
    code: 'src/web/device/push.ts',
    features: [{ key: 'api.PushManager', since: [42, 17, 44, 16, 16.4, null] }],
  },
  {
    name: 'The number of unread messages on the icon',
    otherwise: 'The number is in the title of the page',
    code: 'src/web/device/badge.ts',
    features: [{ key: 'api.Navigator.setAppBadge', since: [81, 81, null, 17, 16.4, null] }],
  },
  {
    name: 'Other programs share text and files with Parley',
    otherwise: 'Files are chosen in Parley',
    code: 'src/api/web-manifest.ts',
    features: [{ key: 'manifests.webapp.share_target', since: [89, 89, null, null, null, null] }],
  },
  {
    name: 'Sending an invite link to another program',
    otherwise: 'The link is copied',
    code: 'src/web/ui/server/server-setup.tsx',
    features: [{ key: 'api.Navigator.share', since: [128, 93, null, 12.1, 12.2, null] }],
  },
  {
    name: 'Sharing a screen',
    otherwise: 'No button for it; the screens of others are shown',
    code: 'src/web/ui/voice/call-controls.tsx',
    features: [{ key: 'api.MediaDevices.getDisplayMedia', since: [72, 79, 66, 13, 27, null] }],
  },
  {
    name: 'A shared screen over the whole display',
    otherwise: 'On an iPhone, the player of the system shows it',
    code: 'src/web/ui/voice/shared-screens.tsx',
    features: [{ key: 'api.Element.requestFullscreen', since: [71, 79, 64, 16.4, null, 71] }],
  },
  {
    name: 'A call in a window above others, with its buttons',
    otherwise: 'Only the video floats',
    code: 'src/web/ui/voice/floating-call.tsx',
    features: [{ key: 'api.DocumentPictureInPicture', since: [116, 116, 151, null, null, null] }],
  },
  {
    name: 'A video of a call above other windows',
    otherwise: 'No button for it',
    code: 'src/web/voice/floating.ts',
    features: [{ key: 'api.HTMLVideoElement.requestPictureInPicture', since: [69, 79, 153, 13.1, 13.4, null] }],
  },
  {
    name: 'Choice of the speaker in calls',
    otherwise: 'Calls use the speaker of the system',
    code: 'src/web/voice/current-call.ts',
    features: [{ key: 'api.HTMLMediaElement.setSinkId', since: [49, 17, 116, 18.4, 18.4, null] }],
  },
  {
    name: 'Calls with end-to-end encryption',
    otherwise:
      'Calls are not encrypted end to end, which the client shows; in dms and groups both sides are asked first',
    code: 'src/web/voice/sealing/device-key.ts',
    features: [
      { key: 'api.SubtleCrypto.generateKey.ed25519', since: [137, 137, 129, 17, 17, 137] },
      { key: 'api.SubtleCrypto.generateKey.x25519', since: [133, 133, 130, 17, 17, 133] },
    ],
  },
  {
    name: 'Repeated sound on bad connections (RED)',
    otherwise: 'Sound is sent once, with error correction inside of Opus',
    code: 'src/web/voice/sound-first.ts',
    features: [{ key: 'api.RTCRtpTransceiver.setCodecPreferences', since: [76, 79, 128, 13.1, 13.4, 76] }],
  },
  {
    name: 'A longer buffer for sound that arrives late',
    otherwise: 'The browser chooses the length of the buffer',
    code: 'src/web/voice/late-sound.ts',
    features: [{ key: 'api.RTCRtpReceiver.jitterBufferTarget', since: [124, 124, 115, 27, 27, 124] }],
  },
  {
    name: 'Hints of what a picture or sound is: text, motion, music',
    otherwise: 'The browser chooses between sharp and smooth by itself',
    code: 'src/web/voice/local-tracks.ts',
    features: [{ key: 'api.MediaStreamTrack.contentHint', since: [70, 79, null, 12.1, 12.2, 70] }],
  },
  {
    name: 'Back closes lists and menus on a phone, and makes a call small',
    otherwise: 'A swipe closes lists and menus, and a button makes the call small',
    code: 'src/web/ui/kit/back.ts',
    features: [{ key: 'api.CloseWatcher', since: [126, 126, 149, 27.3, 27.3, 126] }],
  },
  {
    name: 'The keyboard on the screen makes the page smaller',
    otherwise: 'Parley measures the part of the page that the keyboard leaves visible',
    code: 'src/web/ui/shell/keyboard-space.ts',
    features: [
      { key: 'html.elements.meta.name.viewport.interactive-widget', since: [null, null, null, 27.3, 27.3, 108] },
    ],
  },
  {
    name: 'Loading parts of the page when the browser is idle',
    otherwise: 'They are loaded shortly after the first channel is shown',
    code: 'src/web/device/soon.ts',
    features: [{ key: 'api.Window.requestIdleCallback', since: [47, 79, 55, null, null, 47] }],
  },
  {
    name: 'Trusted Types, a second wall against injected scripts',
    otherwise: 'The Content-Security-Policy without them',
    code: 'src/web/device/start.ts',
    features: [{ key: 'api.TrustedTypePolicyFactory.createPolicy', since: [83, 83, 148, 26, 26, 83] }],
  },
  {
    name: 'Text fields that grow with their text everywhere',
    otherwise: 'The field for messages grows, other fields scroll',
    code: 'src/web/css/controls.css',
    features: [{ key: 'css.properties.field-sizing', since: [123, 123, 152, 26.2, 26.2, 123] }],
  },
  {
    name: 'Looks: thin scroll bars in the colours of the theme, coloured sliders, an uncut outline of the focus',
    otherwise: 'Scroll bars, sliders and outlines as the browser draws them',
    code: 'src/web/css/base.css',
    features: [
      { key: 'css.properties.scrollbar-color', since: [121, 121, 64, 26.2, 26.2, null] },
      { key: 'css.properties.scrollbar-width', since: [121, 121, 64, 18.2, 18.2, null] },
      { key: 'css.properties.accent-color', since: [93, 93, 92, 26.2, 26.2, null] },
      { key: 'css.properties.overflow-clip-margin', since: [null, null, 102, null, null, null] },
    ],
  },
]

/** The first version that has all of them; `null` if no version has. */
const newest = (features: Feature[], browser: number): number | null =>
  features.reduce<number | null>((least, { since }) => {
    const version = since[browser] ?? null
    return least === null || version === null ? null : Math.max(least, version)
  }, 0)

/** The first version of each browser that has all of these features. */
export const sinceWhen = (features: Feature[]): Versions => Object.keys(BROWSERS).map((_, at) => newest(features, at))

/** The sentence of a browser without the needed features, in each language of the client. */
const SENTENCES: Record<string, (versions: string) => string> = {
  en: (versions) => `This browser is too old for Parley. Update it, or use ${versions} or newer.`,
  de: (versions) => `Dieser Browser ist zu alt für Parley. Aktualisiere ihn, oder nimm ${versions} oder neuer.`,
  fr: (versions) =>
    `Ce navigateur est trop ancien pour Parley. Mettez-le à jour, ou utilisez ${versions} ou plus récent.`,
  es: (versions) =>
    `Este navegador es demasiado antiguo para Parley. Actualízalo o usa ${versions} o una versión posterior.`,
  pt: (versions) => `Este navegador é antigo demais para o Parley. Atualize-o ou use ${versions} ou mais recente.`,
  pl: (versions) =>
    `Ta przeglądarka jest za stara dla Parley. Zaktualizuj ją albo użyj ${versions} lub nowszej wersji.`,
  tr: (versions) =>
    `Bu tarayıcı Parley için çok eski. Güncelleyin ya da şunlardan birini kullanın: ${versions} veya daha yenisi.`,
  ru: (versions) => `Этот браузер слишком старый для Parley. Обновите его или используйте ${versions} или новее.`,
  uk: (versions) => `Цей браузер застарий для Parley. Оновіть його або скористайтеся ${versions} чи новішим.`,
  ar: (versions) => `هذا المتصفح قديم جدًا بالنسبة إلى Parley. حدِّثه، أو استخدم ${versions} أو إصدارًا أحدث.`,
  hi: (versions) =>
    `यह ब्राउज़र Parley के लिए बहुत पुराना है। इसे अपडेट करें, या ${versions} या इससे नया इस्तेमाल करें।`,
  ja: (versions) => `このブラウザーは古すぎるため、Parley を使えません。更新するか、${versions} 以降を使ってください。`,
  zh: (versions) => `此浏览器版本过旧，无法使用 Parley。请更新浏览器，或使用 ${versions} 或更新版本。`,
}

/** Runs in the page, in browsers of any age, so it is JavaScript of 2009: `var`, and no arrow functions. */
function sayTooOld(isNew: boolean, sentences: Record<string, string>): void {
  if (isNew) return
  var box = document.createElement('p')
  box.id = 'too-old'
  box.setAttribute('role', 'alert')
  var sentence = sentences[(navigator.language || 'en').slice(0, 2).toLowerCase()] || sentences.en || ''
  box.appendChild(document.createTextNode(sentence))
  var app = document.getElementById('app')
  // Without its element the client draws nothing, if it starts at all.
  if (app && app.parentNode) app.parentNode.replaceChild(box, app)
}

/** The script that runs first: it replaces the page by a sentence in a browser that lacks what the client needs. */
export function oldBrowserScript(): string {
  const [chrome, , firefox, safari] = sinceWhen(NEEDED)
  const versions = `Chrome ${chrome}, Edge ${chrome}, Firefox ${firefox}, Safari ${safari}`
  const sentences = Object.fromEntries(Object.entries(SENTENCES).map(([tag, say]) => [tag, say(versions)]))
  const tests = NEEDED.map(({ test }) => test).join(' && ')
  return `(function () {
var isNew = false
try { isNew = ${tests} } catch (error) {}
(${sayTooOld})(isNew, ${JSON.stringify(sentences)})
})()
`
}

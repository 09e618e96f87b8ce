/** Pictures of the installed program, by the beginnings of their files' names. */
export const PICTURES = { small: 'any-192', large: 'any-512', maskable: 'maskable-512', badge: 'badge-96' } as const

/** The web app manifest. Source: W3C Web Application Manifest, and its share_target member of Web Share Target. */
export const manifestOf = ({ small, large, maskable, badge }: Record<keyof typeof PICTURES, string>) => ({
  id: '/app',
  name: 'Parley',
  short_name: 'Parley',
  description: 'Messages, calls and files on a server of your own',
  lang: 'en',
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
    {
      name: 'Friends and conversations',
      short_name: 'Friends',
      url: '/app',
      icons: [{ src: small, sizes: '192x192' }],
    },
    { name: 'Find a place', short_name: 'Find', url: '/app?find', icons: [{ src: small, sizes: '192x192' }] },
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

import { inLanguage } from './plural.ts'

/** Words for friends and relations, which are loaded with the pages that show them. */
export const friendWords = inLanguage('friends', {
  relation: {
    none: '',
    friends: 'Friend',
    pending_incoming: 'wants to be your friend',
    pending_outgoing: 'Request sent',
    blocked: 'Blocked',
  },
  tabs: { friends: 'Friends', waiting: 'Requests', blocked: 'Blocked', find: 'Find people' },
  none: {
    friends: ['No friends yet', 'Friends are always at hand here: see who is online, write, call, and make groups.'],
    waiting: ['No open requests', 'Requests that you send or receive wait here until they are answered.'],
    blocked: ['Nobody is blocked', 'Whoever you block can neither write to you nor call you, and is not told.'],
  } satisfies Record<string, [title: string, text: string]>,
  nobody: 'No people found',
  nobodyText: 'A username has to be whole. Part of a display name is enough.',
  search: 'Username or display name',
  searchHint: 'A whole username, or part of a display name.',
  find: 'Search',
  add: 'Add friend',
  accept: 'Accept',
  decline: 'Decline',
  cancel: 'Cancel request',
  remove: 'Remove friend',
  block: 'Block',
  unblock: 'Unblock',
})

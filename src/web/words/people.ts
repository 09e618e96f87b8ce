/** Words for friends, relations, presence and profiles. */
export const peopleWords = {
  status: { online: 'Online', idle: 'Idle', offline: 'Offline' },
  relation: {
    none: '',
    friends: 'Friend',
    pending_incoming: 'wants to be your friend',
    pending_outgoing: 'Request sent',
    blocked: 'Blocked',
  },
  friends: {
    title: 'Friends',
    tabs: { friends: 'Friends', waiting: 'Requests', blocked: 'Blocked', find: 'Find people' },
    none: {
      friends: 'No friends yet. Find people whom you know.',
      waiting: 'There are no requests.',
      blocked: 'You have not blocked anybody.',
    },
    nobody: 'No people found.',
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
  },
  profile: {
    open: 'Profile',
  },
}

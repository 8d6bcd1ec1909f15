// English: games of this browser, new versions, games that are gone.
export const en = {
  'gone.title': 'There is no such game',
  'gone.text': 'It may have been withdrawn, or the link is incomplete.',
  'gone.version': 'This page is out of date',
  'gone.version.text': 'The server was updated. Load the page again to go on.',
  'gone.elsewhere': 'This game is open in another tab',
  'gone.elsewhere.text':
    'It is kept in this browser, and one tab at a time can play it. Close the other tab to go on here.',
  'gone.elsewhere.again': 'Go on here',
  'local.full':
    'This browser could not save it, so it was not played. Free some storage and try again.',
  'renewed.text': 'A new version is ready.',
  'renewed.now': 'Load it now',
  'renewed.later': 'Later',
  'here.title': 'Games in this browser',
  'here.text': 'Played without the server, and kept only in this browser on this device.',
  'here.risk':
    'The browser may delete them when storage runs low. Download the ones you want to keep as PGN.',
  'here.kept': 'Kept in this browser',
  'here.pgn': 'Download PGN',
  'here.all': 'Download all as PGN',
  'here.delete': 'Delete from this browser',
  'here.confirm': 'Delete it? It is kept nowhere else.',
  'here.yes': 'Delete',
  'here.no': 'Keep it',
} as const;

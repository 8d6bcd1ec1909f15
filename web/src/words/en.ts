// English: the game page. Its keys are the type of the Korean catalogue. Other pages have
// catalogues of their own, so that the game page does not load them.
export const en = {
  'app.name': 'Hansu',
  'app.tagline': 'Chess among friends',

  'nav.label': 'Pages',
  'nav.skip': 'Skip to content',
  'nav.home': 'Home',
  'nav.lobby': 'Lobby',
  'nav.games': 'Games',
  'nav.statistics': 'Stats',
  'nav.settings': 'Settings',

  'time.unlimited': 'No clock',
  'time.days': '{days} days per move',
  'time.dh': '{days} d {hours} h',
  'time.hm': '{hours} h {minutes} min',

  'join.title': 'You are invited',

  'game.title': 'Game',
  'title.turn': 'Your turn',
  'back.game': 'Back to your game',
  'back.turn': 'Your turn: back to the game',

  'board.label': 'Chess board, {color} below',

  'color.white': 'White',
  'color.black': 'Black',

  'role.king': 'king',
  'role.queen': 'queen',
  'role.rook': 'rook',
  'role.bishop': 'bishop',
  'role.knight': 'knight',
  'role.pawn': 'pawn',

  'piece.white': 'white {role}',
  'piece.black': 'black {role}',

  'square.empty': 'empty',
  'square.selected': 'selected',
  'square.target': 'can move here',
  'square.capture': 'can capture',
  'square.castling': 'can castle with it',
  'square.passing': 'can capture en passant',
  'square.theirs': 'The piece on {square} belongs to {theirs}, and it is {ours}’s turn.',
  'square.check': 'in check',
  'square.mated': 'checkmated',
  'square.last': 'last move',
  'square.premove': 'premove',

  'status.turn.white': "WHITE'S TURN",
  'status.turn.black': "BLACK'S TURN",
  'status.check.white': "WHITE'S TURN | CHECK",
  'status.check.black': "BLACK'S TURN | CHECK",
  'status.mate.white': "WHITE'S TURN | CHECKMATE",
  'status.mate.black': "BLACK'S TURN | CHECKMATE",
  'status.wins.white': 'WHITE WINS!',
  'status.wins.black': 'BLACK WINS!',
  'status.draw': 'DRAW',
  'status.abort': 'GAME ABORTED',
  'status.adjourned': 'ADJOURNED',
  'status.waiting': 'WAITING FOR AN OPPONENT',

  'short.checkmate': 'CHECKMATE',
  'short.resignation': 'RESIGNATION',
  'short.stalemate': 'STALEMATE',
  'short.dead_position': 'INSUFFICIENT MATERIAL',
  'short.locked_pawns': 'LOCKED PAWNS',
  'short.fivefold_repetition': 'FIVEFOLD REPETITION',
  'short.seventy_five_moves': '75 MOVES',
  'short.threefold_repetition': 'THREEFOLD REPETITION',
  'short.fifty_moves': '50 MOVES',
  'short.agreement': 'AGREEMENT',
  'short.timeout': 'TIME OUT',
  'short.timeout_draw': 'TIME OUT',
  'short.abandonment': 'ABANDONED',
  'short.abort': 'ABORTED',

  'promotion.title': 'Promote the pawn to',

  'castling.both': 'The king can castle. Which way?',
  'castling.only.left': 'The king can castle to the LEFT.',
  'castling.only.right': 'The king can castle to the RIGHT.',
  'castling.left': 'LEFT',
  'castling.right': 'RIGHT',
  'castling.cancel': 'CANCEL',

  'passing.text': 'This pawn can take en passant: {squares}.',

  'premove.text': '{count} {count|premove|premoves} waiting.',
  'premove.clear': 'Clear premoves',

  'do.resign': 'Resign',
  'do.abort': 'Abort',
  'do.draw': 'Draw',
  'do.takeback': 'Take back',
  'do.adjournment': 'Adjourn',
  'do.reset': 'Start over',

  'offer.accept': 'Accept',
  'offer.decline': 'Decline',
  'offer.draw': '{name} offers a draw.',
  'offer.takeback': '{name} asks to take a move back.',
  'offer.adjournment': '{name} would like to adjourn.',
  'offer.resumption': '{name} would like to resume the game.',
  'offer.rematch': '{name} would like a rematch.',

  'offering.draw': 'You have offered a draw.',
  'offering.takeback': 'You have asked to take a move back.',
  'offering.adjournment': 'You have offered to adjourn.',
  'offering.resumption': 'You have offered to resume. Waiting for your opponent.',
  'offering.rematch': 'You have offered a rematch.',

  'declined.draw': 'The draw was declined.',
  'declined.takeback': 'The takeback was declined.',
  'declined.adjournment': 'Your opponent would rather keep playing.',
  'declined.resumption': 'Your opponent would rather wait.',

  'adjourned.text': 'The game is adjourned; the clocks are stopped.',
  'adjourned.resume': 'Resume',

  'claim.threefold_repetition': 'The same position occurred three times: you may claim a draw.',
  'claim.fifty_moves': '50 moves without a capture or a pawn move: you may claim a draw.',
  'claim.draw': 'Claim the draw',

  'absence.wait': '{name} has left. You may claim the win in {time}.',
  'absence.claim': '{name} has not come back.',
  'absence.win': 'Claim the win',
  'absence.draw': 'Call it a draw',

  'watching.text': 'You are watching this game.',

  'review.first': 'First position',
  'review.previous': 'Previous move',
  'review.next': 'Next move',
  'review.last': 'Latest position',
  'review.at': 'You are looking at an earlier position ({at} of {of}).',
  'review.back': 'Back to the game',

  'end.result': 'Result',

  'player.waiting': 'Waiting…',
  'player.guest': 'Guest',
  'player.you': 'you',
  'player.here': 'connected',
  'player.away': 'away',

  'clock.label': '{color}: {time}',

  'captured.label': '{color} has captured: {pieces}',
  'captured.none': '{color} has captured nothing',

  'moves.title': 'Moves',
  'moves.none': 'No moves yet.',

  'info.watching': '{count} watching',

  'chat.title': 'Chat',
  'chat.unread': '{count} new {count|message|messages}',

  'actions.label': 'Game actions',

  'more.title': 'More',
  'more.flip': 'Flip the board',
  'more.flip.short': 'Flip',
  'more.mute.short': 'Mute',

  'announce.move': '{color}: {move}',
  'announce.started': 'The game has started.',
  'announce.taken_back': 'A move was taken back.',
  'announce.adjourned': 'The game is adjourned.',
  'announce.resumed': 'The game is resumed.',
  'announce.left': '{name} has left.',
  'announce.returned': '{name} is back.',
  'announce.low': '{color} is low on time.',

  'spoken.moves': '{piece} to {to}',
  'spoken.captures': '{piece} takes {to}',
  'spoken.promotes': 'becomes a {piece}',
  'spoken.castling.left': 'castles to the left',
  'spoken.castling.right': 'castles to the right',
  'spoken.passing': 'en passant',
  'spoken.check': 'check',
  'spoken.mate': 'checkmate',

  'link.reconnecting': 'Connection lost. Reconnecting…',
  'link.unsent': 'Connection lost. Your move is kept and will be sent.',
  'link.offline': 'You are offline. The game continues when the network is back.',
  'link.retry': 'Try now',

  'error.unreachable': 'The server cannot be reached. Check the connection and try again.',
  'error.slow': 'The server is slow to answer. Try again in a moment.',
  'error.server': 'The server could not do that. Try again in a moment.',
  'error.waiting': 'The server is busy. Trying again in a moment…',
  'error.unknown': 'Something went wrong. Try again.',
  'error.load.title': 'This page could not be loaded',
  'error.load.text': 'The connection may be gone, or the server was updated.',
  'error.load.again': 'Reload',

  'missing.title': 'Page not found',
} as const;

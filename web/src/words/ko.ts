// 게임의 모든 문장, 한국어. 해요체로 써요.
import type { en } from './en';

export const ko: Record<keyof typeof en, string> = {
  'app.name': '한수',
  'app.tagline': '친구와 두는 체스',

  'nav.label': '페이지',
  'nav.skip': '본문으로 건너뛰기',
  'nav.home': '홈으로',
  'nav.lobby': '대기실',
  'nav.games': '지난 게임',
  'nav.statistics': '통계',
  'nav.settings': '설정',

  'time.unlimited': '시계 없음',
  'time.days': '한 수에 {days}일',
  'time.dh': '{days}일 {hours}시간',
  'time.hm': '{hours}시간 {minutes}분',

  'join.title': '초대를 받았어요',

  'game.title': '게임',
  'title.turn': '내 차례',
  'back.game': '두던 게임으로',
  'back.turn': '내 차례예요 · 게임으로',

  'board.label': '체스판, 아래쪽이 {color}',

  'color.white': '백',
  'color.black': '흑',

  'role.king': '킹',
  'role.queen': '퀸',
  'role.rook': '룩',
  'role.bishop': '비숍',
  'role.knight': '나이트',
  'role.pawn': '폰',

  'piece.white': '백 {role}',
  'piece.black': '흑 {role}',

  'square.empty': '빈칸',
  'square.selected': '선택함',
  'square.target': '갈 수 있음',
  'square.capture': '잡을 수 있음',
  'square.castling': '캐슬링할 수 있음',
  'square.passing': '앙파상으로 잡을 수 있음',
  'square.theirs': '{square}에 있는 기물은 {theirs}의 것이에요. 지금은 {ours} 차례예요.',
  'square.check': '체크',
  'square.mated': '체크메이트',
  'square.last': '마지막 수',
  'square.premove': '미리 둔 수',

  'status.turn.white': '백 차례',
  'status.turn.black': '흑 차례',
  'status.check.white': '백 차례 | 체크',
  'status.check.black': '흑 차례 | 체크',
  'status.mate.white': '백 차례 | 체크메이트',
  'status.mate.black': '흑 차례 | 체크메이트',
  'status.wins.white': '백 승리!',
  'status.wins.black': '흑 승리!',
  'status.draw': '무승부',
  'status.abort': '게임 취소',
  'status.adjourned': '중단',
  'status.waiting': '상대를 기다리는 중',

  'short.checkmate': '체크메이트',
  'short.resignation': '기권',
  'short.stalemate': '스테일메이트',
  'short.dead_position': '기물 부족',
  'short.locked_pawns': '막힌 폰',
  'short.fivefold_repetition': '5회 반복',
  'short.seventy_five_moves': '75수',
  'short.threefold_repetition': '3회 반복',
  'short.fifty_moves': '50수',
  'short.agreement': '합의',
  'short.timeout': '시간 초과',
  'short.timeout_draw': '시간 초과',
  'short.abandonment': '자리 비움',
  'short.abort': '취소',

  'promotion.title': '폰을 무엇으로 승급할까요?',

  'castling.both': '캐슬링할 수 있어요. 어느 쪽으로 할까요?',
  'castling.only.left': '왼쪽으로 캐슬링할 수 있어요.',
  'castling.only.right': '오른쪽으로 캐슬링할 수 있어요.',
  'castling.left': '왼쪽',
  'castling.right': '오른쪽',
  'castling.cancel': '취소',

  'passing.text': '이 폰으로 앙파상할 수 있어요: {squares}.',

  'premove.text': '미리 둔 수가 {count}개 있어요.',
  'premove.clear': '미리 둔 수 지우기',

  'do.resign': '기권',
  'do.abort': '게임 취소',
  'do.draw': '무승부',
  'do.takeback': '무르기',
  'do.adjournment': '중단하기',
  'do.reset': '새로 시작하기',

  'offer.accept': '받아들이기',
  'offer.decline': '거절하기',
  'offer.draw': '{name} 님이 무승부를 제안했어요.',
  'offer.takeback': '{name} 님이 한 수 물러 달라고 해요.',
  'offer.adjournment': '{name} 님이 다음에 이어 두자고 해요.',
  'offer.resumption': '{name} 님이 게임을 이어 두자고 해요.',
  'offer.rematch': '{name} 님이 재대국을 신청했어요.',

  'offering.draw': '무승부를 제안했어요.',
  'offering.takeback': '한 수 물러 달라고 했어요.',
  'offering.adjournment': '다음에 이어 두자고 했어요.',
  'offering.resumption': '이어 두자고 했어요. 상대를 기다리고 있어요.',
  'offering.rematch': '재대국을 신청했어요.',

  'declined.draw': '무승부 제안이 거절됐어요.',
  'declined.takeback': '무르기가 거절됐어요.',
  'declined.adjournment': '상대는 지금 계속 두고 싶어 해요.',
  'declined.resumption': '상대는 조금 더 쉬고 싶어 해요.',

  'adjourned.text': '게임을 중단했어요. 시계는 멈춰 있어요.',
  'adjourned.resume': '이어 두기',

  'claim.threefold_repetition': '같은 국면이 세 번 나왔어요. 무승부를 선언할 수 있어요.',
  'claim.fifty_moves': '50수 동안 잡은 기물도, 움직인 폰도 없어요. 무승부를 선언할 수 있어요.',
  'claim.draw': '무승부 선언하기',

  'absence.wait': '{name} 님이 나갔어요. 돌아오지 않으면 {time} 뒤에 승리를 선언할 수 있어요.',
  'absence.claim': '{name} 님이 돌아오지 않았어요.',
  'absence.win': '승리 선언하기',
  'absence.draw': '무승부로 하기',

  'watching.text': '게임을 관전하고 있어요.',

  'review.first': '처음 국면',
  'review.previous': '이전 수',
  'review.next': '다음 수',
  'review.last': '현재 국면',
  'review.at': '지난 국면을 보고 있어요(국면 {at}/{of}).',
  'review.back': '현재 국면으로',

  'end.result': '결과',

  'player.waiting': '기다리는 중…',
  'player.guest': '손님',
  'player.you': '나',
  'player.here': '접속 중',
  'player.away': '자리 비움',

  'clock.label': '{color}: {time}',

  'captured.label': '{color}이 잡은 기물: {pieces}',
  'captured.none': '{color}이 잡은 기물 없음',

  'moves.title': '기보',
  'moves.none': '아직 둔 수가 없어요.',

  'info.watching': '관전 {count}명',

  'chat.title': '채팅',
  'chat.unread': '새 메시지 {count}개',

  'actions.label': '게임 메뉴',

  'more.title': '더 보기',
  'more.flip': '판 돌리기',
  'more.flip.short': '판 돌리기',
  'more.mute.short': '소리 끄기',

  'announce.move': '{color}: {move}',
  'announce.started': '게임을 시작해요.',
  'announce.taken_back': '한 수 물렀어요.',
  'announce.adjourned': '게임을 중단했어요.',
  'announce.resumed': '게임을 이어 둬요.',
  'announce.left': '{name} 님이 나갔어요.',
  'announce.returned': '{name} 님이 돌아왔어요.',
  'announce.low': '{color}의 시간이 얼마 남지 않았어요.',

  'spoken.moves': '{piece} {to}',
  'spoken.captures': '{piece} {to} 잡음',
  'spoken.promotes': '{piece} 승급',
  'spoken.castling.left': '왼쪽 캐슬링',
  'spoken.castling.right': '오른쪽 캐슬링',
  'spoken.passing': '앙파상',
  'spoken.check': '체크',
  'spoken.mate': '체크메이트',

  'link.reconnecting': '연결이 끊겼어요. 다시 연결하고 있어요…',
  'link.unsent': '연결이 끊겼어요. 둔 수는 저장해 두었다가 연결되면 보낼게요.',
  'link.offline': '인터넷이 끊겼어요. 돌아오면 게임을 이어 둬요.',
  'link.retry': '지금 다시 연결',

  'error.unreachable': '서버에 연결할 수 없어요. 연결을 확인하고 다시 시도해 주세요.',
  'error.slow': '서버 응답이 늦어요. 잠시 뒤에 다시 시도해 주세요.',
  'error.server': '서버에서 처리하지 못했어요. 잠시 뒤에 다시 시도해 주세요.',
  'error.waiting': '서버가 바빠요. 잠시 뒤에 다시 시도할게요…',
  'error.unknown': '문제가 생겼어요. 다시 시도해 주세요.',
  'error.load.title': '페이지를 불러오지 못했어요',
  'error.load.text': '연결이 끊겼거나 서버가 업데이트됐을 수 있어요.',
  'error.load.again': '다시 불러오기',

  'missing.title': '페이지를 찾을 수 없어요',
};

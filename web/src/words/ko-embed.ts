// 다른 사이트의 프레임에 든 게임. 한국어, 해요체.
import type { en } from './en-embed';

export const ko: Record<keyof typeof en, string> = {
  'embed.loading': '게임을 가져오고 있어요…',
  'embed.private': '비공개 게임이라 여기에는 보이지 않아요.',
  'embed.none': '그런 게임이 없어요.',
  'embed.failed': '게임을 불러오지 못했어요.',
  'embed.again': '다시 시도',
  'embed.board': '체스판: {where}',
  'embed.start': '게임의 시작',
  'embed.first': '처음 국면',
  'embed.back': '한 수 뒤로',
  'embed.on': '한 수 앞으로',
  'embed.last': '마지막 국면',
  'embed.flip': '판 돌리기',
  'embed.moves': '수',
  'embed.white': '백 승',
  'embed.black': '흑 승',
  'embed.draw': '무승부',
  'embed.open': '결과 없음',
  'embed.live': '두고 있는 게임이에요. 지금까지 둔 수예요.',
  'embed.whole': '한수에서 게임 전체 보기',
  'embed.watch': '한수에서 관전하기',
};

// What is said about the analysis of a past game, in Korean.
import type { en } from './en-teach';

export const ko: Record<keyof typeof en, string> = {
  'teach.title': '분석',
  'teach.ask': '이 게임 분석하기',
  'teach.ask.text': '컴퓨터가 수마다 살펴보고 더 좋은 수를 알려 줘요.',
  'teach.queued': '차례를 기다리고 있어요. {place}번째예요.',
  'teach.running': '국면 {total}개 가운데 {done}개',
  'teach.leave': '이 페이지를 떠나도 계속해요.',
  'teach.graph': '게임 동안 백의 승률: 처음 {first}퍼센트, 끝 {last}퍼센트. 승부처 {points}곳.',
  'teach.graph.hint': '누르면 그 국면으로 가요',
  'teach.chance': '백 승률 {percent}%',
  'teach.best': '가장 좋은 수:',
  'teach.inaccuracy': '부정확한 수',
  'teach.mistake': '실수',
  'teach.blunder': '큰 실수',
  'teach.points': '승부처 {at}/{of}',
  'teach.previous': '앞 승부처',
  'teach.next': '다음 승부처',
  'teach.none': '승부처가 없어요. 크게 잃은 수가 없어요.',
  'teach.try': '직접 둬 보기',
  'teach.accuracy': '정확도',
  'teach.part.all': '전체',
  'teach.part.opening': '오프닝',
  'teach.part.middlegame': '미들게임',
  'teach.part.endgame': '끝내기',
};

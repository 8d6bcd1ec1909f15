// 서버 없이 되는 것, 새 버전, 없어진 게임, 다른 기기. 한국어, 해요체.
import type { en } from './en-here';

export const ko: Record<keyof typeof en, string> = {
  'gone.title': '그런 게임이 없어요',
  'gone.text': '초대를 취소했거나 링크가 잘렸을 수 있어요.',
  'gone.version': '새 버전이 있어요',
  'gone.version.text': '서버가 업데이트됐어요. 페이지를 다시 불러와 주세요.',
  'gone.elsewhere': '다른 탭에서 두고 있는 게임이에요',
  'gone.elsewhere.text':
    '이 게임은 이 브라우저에 저장돼 있고 한 번에 한 탭에서만 둘 수 있어요. 그 탭을 닫으면 여기서 이어 둘 수 있어요.',
  'gone.elsewhere.again': '여기서 이어 두기',
  'local.full':
    '브라우저에 저장하지 못해서 두지 않은 것으로 할게요. 저장 공간을 비운 뒤 다시 해 주세요.',
  'static.title': '서버가 있어야 해요',
  'static.none':
    '여기에는 한수 서버가 없어요. 컴퓨터와 두거나 둘이 한 화면에서 둘 수 있어요. 다른 사람과 두려면 한수 서버에 접속해 주세요.',
  'static.empty': '이 브라우저에 아직 게임이 없어요.',
  'renewed.text': '새 버전이 준비됐어요.',
  'renewed.now': '지금 바꾸기',
  'renewed.later': '나중에',
  'here.title': '이 브라우저에 있는 게임',
  'here.text': '이 기기의 이 브라우저에 있어요.',
  'here.of': '{all}개 가운데 {shown}개',
  'here.none': '이 브라우저에 끝난 게임이 아직 없어요.',
  'here.stats': '이 브라우저에 있는 끝난 게임이에요.',
  'here.stats.away': '서버에 연결할 수 없어요. 이 브라우저에 있는 끝난 게임만 보여 드려요.',
  'here.import.text':
    'PGN 파일을 고르거나 붙여 넣어 주세요. 4MiB까지 돼요. 게임은 이 기기의 이 브라우저에 저장돼요.',
  'here.import.busy': '{part}% 읽었어요. 게임 {count}개를 저장했어요.',
  'here.import.kept': '서버에 연결할 수 없어서 이 브라우저에 저장했어요.',
  'here.import.more':
    '가져오지 못한 게임이 있어요. 한 번에 새 게임 {most}개까지 읽어요. 파일을 다시 가져오면 이어서 읽어요. 이미 있는 게임은 알아봐요.',
  'here.import.full':
    '이 브라우저에는 게임을 {most}개까지 저장할 수 있어요. 몇 개를 지우거나 서버에 저장해 주세요.',
  'here.import.stopped':
    '게임 {count}개를 저장한 뒤 더 저장하지 못했어요. 저장 공간을 비우고 파일을 다시 가져와 주세요. 이미 있는 게임은 알아봐요.',
  'here.risk':
    '저장 공간이 부족해지면 브라우저가 지울 수 있어요. 오래 두고 싶은 게임은 PGN으로 내려받아 주세요.',
  'here.send': '서버에도 저장하기',
  'here.send.text':
    '비공개로 저장되고, 이 브라우저에도 그대로 남아요. 앞으로 둘 게임도 자동으로 저장돼요. 설정에서 끌 수 있어요.',
  'here.sent': '서버에도 있어요',
  'here.one': '이 게임을 서버에도 저장하기',
  'here.one.text': '서버에 있으면 분석하고 메모하고 공유할 수 있어요.',
  'here.there': '서버에서 분석하거나 공유하기',
  'settings.upload': '이 브라우저의 게임을 서버에도 저장하기',
  'here.kept': '이 브라우저에 저장돼 있어요',
  'computer.loading': '컴퓨터를 불러오는 중이에요: {part}%',
  'computer.failed': '컴퓨터를 불러오지 못했어요. 다시 해 볼게요 …',
  'here.analyse': '이 게임 분석하기',
  'here.pgn': 'PGN 내려받기',
  'here.all': '모두 PGN으로 내려받기',
  'here.delete': '이 브라우저에서 지우기',
  'here.confirm': '이 브라우저에서 지울까요? 서버에 없다면 다른 곳에는 남지 않아요.',
  'here.yes': '지우기',
  'here.no': '그대로 두기',
  'devices.title': '다른 기기',
  'devices.text': '계정 없이도 휴대폰과 컴퓨터에서 내 게임을 이어서 둘 수 있어요.',
  'devices.make': '다른 기기에서도 쓰기',
  'devices.made':
    '다른 기기로 QR 코드를 찍거나, 다른 기기의 설정에서 이 코드를 입력해 주세요. 10분 안에 한 번만 쓸 수 있어요.',
  'devices.qr': '다른 기기에서 찍을 QR 코드',
  'devices.code': '다른 기기에 나온 코드',
  'devices.use': '이 기기 연결하기',
  'devices.warn': '지금까지 이 기기에서 둔 게임은 더 이상 내 게임으로 나오지 않아요.',
  'devices.used': '연결했어요. 이제 이 기기에서도 내 게임을 둘 수 있어요.',
  'devices.out': '다른 기기에서 모두 로그아웃',
  'devices.out.ask':
    '다른 기기에서는 더 이상 내 게임을 둘 수 없어요. 이 기기에는 모두 그대로 남아요.',
  'devices.out.yes': '로그아웃하기',
  'devices.out.no': '그만두기',
  'devices.out.done': '로그아웃했어요. 이제 이 기기에서만 내 게임을 둘 수 있어요.',
};

import type { LanguagePack } from './language-pack.js';

/** Vietnamese. */
export const vi: LanguagePack = {
  disclosure: { ai: 'Quý vị đang nói chuyện với trợ lý tự động.', recording: 'Cuộc gọi này được ghi âm.' },
  phrases: {
    goodbye: 'Cảm ơn quý vị đã dành thời gian. Xin tạm biệt.',
    timeLimit: 'Tôi phải kết thúc cuộc gọi bây giờ. Cảm ơn quý vị đã dành thời gian, xin tạm biệt.',
    askToRepeat: 'Xin lỗi, phía tôi vừa gặp sự cố. Quý vị vui lòng nói lại được không?',
    interrupted: 'Xin lỗi, tôi vừa gặp sự cố kỹ thuật. Tôi nói tiếp nhé?',
    unfinished: 'Xin lỗi, tôi không thể nói hết câu trả lời này. Tôi có thể giúp gì thêm cho quý vị?',
    technicalProblem: 'Rất tiếc, tôi gặp sự cố kỹ thuật và phải kết thúc cuộc gọi. Xin tạm biệt.',
    suppressed: 'Tôi hiểu rồi. Chúng tôi sẽ không gọi lại cho quý vị nữa. Xin tạm biệt.',
    silence: 'Tôi không nghe thấy gì nên xin kết thúc cuộc gọi. Xin tạm biệt.',
    waiting: ['Xin chờ một chút.', 'Tôi vẫn đang xử lý.', 'Sẽ mất thêm một chút thời gian.'],
  },
  transfer: {
    connecting: 'Tôi đang nối máy cho quý vị. Xin chờ một chút.',
    unreached: 'Rất tiếc, không có ai nghe máy. Tôi có thể giúp gì thêm cho quý vị?',
  },
  busy: 'Hiện tại tất cả các đường dây đều bận. Xin vui lòng gọi lại sau. Xin tạm biệt.',
  listening: 'ừ ừm ờ à ồ hm hmm mm okay ok rồi thế hiểu ý ạ',
  okay: 'được ô kê đồng',
  yes: 'vâng dạ có đúng phải',
  no: 'không chưa',
  farewell: {
    parting: 'biệt chào cảm ơn cám bye',
    wishes: 'hẹn chúc',
    others:
      'tạm xin em anh chị cô chú bác ông bà quý vị bạn nhé ạ nhiều rất gặp lại sau một ngày tốt lành cũng vâng dạ được rồi ok vì đã giúp đỡ',
  },
  screening: {
    asks: /tên.{0,60}(?:lý do|mục đích|vì sao|tại sao)|(?:lý do|mục đích|vì sao|tại sao).{0,40}tên/,
    person:
      /gọi (?:cho|đến) (?:tôi|em|anh|chị)|tên (?:là )?gì|ai (?:đấy|đó|vậy|đang)|tại sao (?:bạn|anh|chị) gọi/,
    asksName: /(?:nói|cho biết|đọc|ghi âm|nêu).{0,20}tên/,
    connects:
      /(?:xem|kiểm tra).{0,40}(?:có thể nghe|có mặt|rảnh)|nối máy|kết nối|đang cố.{0,30}liên lạc|giữ máy/,
    holds: /giữ máy|chờ|đợi|kiểm tra|nối máy/,
    declines: /không (?:thể nghe|có mặt|rảnh|liên lạc được)/,
    mailbox:
      /(?:vui lòng|xin|hãy|mời)(?: [^ ]+){0,3} để lại.{0,15}(?:lời nhắn|tin nhắn)|(?:chuyển|kết nối|đây là)(?: [^ ]+){0,3} (?:hộp thư thoại|thư thoại)/,
    callsBack: /gọi lại (?:cho|sau)/,
    tone: /sau (?:tiếng bíp|tiếng tút|âm|tín hiệu)/,
    reached:
      /(?:quý khách|bạn) (?:đã|đang) gọi (?:đến|cho)(?!.*\?)|(?:thuê bao|số (?:máy|điện thoại)) (?:quý khách|bạn)/,
  },
  numbers: { to: 'đến', currencies: { VND: ['đồng', 'đồng'] } },
};

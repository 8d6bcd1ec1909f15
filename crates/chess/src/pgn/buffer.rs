//! The part of the source that is in memory, of fixed size, and the number of the line reached.

use std::io::{self, Read};

use super::scan;

/// Twice the longest thing that must be whole (a comment): so compaction always makes room.
const CAPACITY: usize = 2 * super::MAX_COMMENT;

/// The rest is moved to the front when less than this is free. At least this much is read between
/// two such moves, so they stay cheap even when a source gives one byte at a time.
const LITTLE: usize = CAPACITY / 4;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) struct Buffer<R> {
    read: R,
    bytes: Box<[u8]>,
    /// What comes next.
    pub(super) at: usize,
    /// Behind the last byte in memory.
    end: usize,
    ended: bool,
    failure: Option<io::ErrorKind>,
    /// Newlines before `counted`.
    lines: u64,
    counted: usize,
    /// True if the byte before the first one in memory ended a line.
    after_line: bool,
}

impl<R: Read> Buffer<R> {
    pub(super) fn new(read: R) -> Buffer<R> {
        Buffer {
            read,
            bytes: vec![0; CAPACITY].into_boxed_slice(),
            at: 0,
            end: 0,
            ended: false,
            failure: None,
            lines: 0,
            counted: 0,
            after_line: true,
        }
    }

    /// All in memory, also what is behind `at`.
    #[inline(always)]
    pub(super) fn all(&self) -> &[u8] {
        &self.bytes[..self.end]
    }

    /// What is in memory and not consumed yet.
    #[inline(always)]
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.at.min(self.end)..self.end]
    }

    #[inline(always)]
    pub(super) fn advance(&mut self, count: usize) {
        self.at = (self.at + count).min(self.end);
    }

    /// True if nothing more can be read (though something may still be in memory).
    pub(super) const fn ended(&self) -> bool {
        self.ended
    }

    /// Reads on, keeping the rest. False when the source has ended or the memory is full.
    pub(super) fn more(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.bytes.len() - self.end < LITTLE {
            self.compact();
        }
        if self.end == self.bytes.len() {
            return false;
        }
        let free = &mut self.bytes[self.end..];
        let room = free.len();
        let result = loop {
            match self.read.read(free) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        match result {
            Ok(0) => self.ended = true,
            // A source that claims to have read more than the buffer holds is wrong.
            Ok(count) => self.end += count.min(room),
            Err(error) => {
                self.ended = true;
                self.failure = Some(error.kind());
            }
        }
        !self.ended
    }

    /// Reads until this many bytes are in memory, or the source has ended.
    pub(super) fn want(&mut self, count: usize) {
        while self.rest().len() < count && self.more() {}
    }

    /// The next byte, or `None` at the end.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.want(1);
        self.rest().first().copied()
    }

    /// The error of the source, returned once.
    pub(super) const fn failure(&mut self) -> Option<io::ErrorKind> {
        self.failure.take()
    }

    /// The number of the line that `at` is on.
    pub(super) fn line(&mut self) -> u64 {
        self.lines += scan::newlines(&self.bytes[self.counted.min(self.at)..self.at]);
        self.counted = self.at;
        self.lines + 1
    }

    /// True if `at` is the first byte of a line.
    pub(super) fn at_line_start(&self) -> bool {
        match &self.bytes[..self.at] {
            [] => self.after_line,
            [.., last] => {
                matches!(last, b'\n' | b'\r') || self.all()[..self.at] == *BYTE_ORDER_MARK
            }
        }
    }

    /// Skips a byte order mark, which concatenated files also have in their middle.
    pub(super) fn skip_byte_order_mark(&mut self) -> bool {
        if self.peek() != Some(BYTE_ORDER_MARK[0]) {
            return false;
        }
        self.want(BYTE_ORDER_MARK.len());
        let found = self.rest().starts_with(BYTE_ORDER_MARK);
        if found {
            self.advance(BYTE_ORDER_MARK.len());
        }
        found
    }

    fn compact(&mut self) {
        self.line();
        self.after_line = self.at_line_start();
        self.bytes.copy_within(self.at..self.end, 0);
        self.end -= self.at;
        (self.at, self.counted) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(into.len());
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn lines_are_counted_whatever_the_pieces() {
        let text = "abc\n".repeat(100_000);
        for step in [999, 4097, 1 << 20] {
            let mut buffer = Buffer::new(Slow(text.as_bytes(), step));
            let mut passed = 0;
            while buffer.peek().is_some() {
                assert_eq!(buffer.line(), passed / 4 + 1);
                assert_eq!(buffer.at_line_start(), passed % 4 == 0);
                let count = buffer.rest().len().min(997);
                buffer.advance(count);
                passed += count as u64;
            }
            assert_eq!(passed, text.len() as u64);
        }
    }

    #[test]
    fn the_source_is_not_read_beyond_what_is_wanted() {
        let mut buffer = Buffer::new(Slow(b"1. e4 e5", 1));
        for count in 0..=8 {
            buffer.want(count);
            assert_eq!(buffer.rest().len(), count);
            assert!(!buffer.ended());
        }
        buffer.want(9);
        assert!(buffer.ended());
    }

    #[test]
    fn memory_does_not_grow() {
        let text = vec![b'x'; 3 * CAPACITY];
        let mut buffer = Buffer::new(&text[..]);
        while buffer.more() {}
        assert_eq!(buffer.rest().len(), CAPACITY);
        assert!(!buffer.ended());
    }

    #[test]
    fn a_source_that_lies_about_its_count_is_not_believed() {
        struct Liar;
        impl Read for Liar {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Ok(usize::MAX)
            }
        }
        let mut buffer = Buffer::new(Liar);
        assert!(buffer.more());
        assert_eq!(buffer.rest().len(), CAPACITY);
    }
}

#!/usr/bin/env python3
"""Measures the response times and the idle load of `hansu board`: tools/board-figures.py PROGRAM [GAMES]

Opens the board in a pseudo-terminal of 120×40 characters, presses keys and measures the time until
the last byte of the answer; then measures its processor time and memory without input. With a
number of games it then searches a log of that many games, and measures the time until each letter
is shown and until the search is done.
"""
import fcntl, os, pty, select, signal, struct, subprocess, sys, tempfile, termios, time

PRESSES = 1000
QUIET = 0.02  # seconds without output after which an answer is complete
IDLE = 10


def main():
    program = sys.argv[1]
    run(program, lambda data: None, measure)
    if len(sys.argv) > 2:
        games = int(sys.argv[2])
        run(program, lambda data: fill(program, data, games), search)


def fill(program, data, games):
    file = os.path.join(data, "games.pgn")
    with open(file, "w") as out:
        for number in range(games):
            out.write(f'[White "Player {number % 977}"]\n[Black "Guest {number}"]\n\n'
                      "1. f3 e5 2. g4 Qh4# 0-1\n\n")
    subprocess.run([program, "games", "import", file, "--data", data], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(f"a log of {games} games:")


def run(program, prepare, measure):
    with tempfile.TemporaryDirectory() as data:
        env = dict(os.environ, TERM="xterm-256color", COLORTERM="truecolor", LC_ALL="C.UTF-8",
                   HANSU_DATA=data)
        env.pop("NO_COLOR", None)
        prepare(data)
        child, tty = pty.fork()
        if child == 0:
            # The terminal's size is set before the program starts.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
            os.execve(program, [program, "board", "--lang", "en"], env)
        try:
            measure(child, tty)
        finally:
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)


def read_answer(tty, timeout=10.0):
    """Reads until no more output comes; returns the times of the first and the last byte."""
    first = last = None
    wait = timeout
    while select.select([tty], [], [], wait)[0]:
        os.read(tty, 65536)
        last = time.perf_counter()
        first = first or last
        wait = QUIET
    return first, last


def press(tty, keys):
    begun = time.perf_counter()
    os.write(tty, keys)
    first, last = read_answer(tty)
    return (first - begun) * 1000, (last - begun) * 1000


def report(what, times):
    for name, at in (("first byte", 0), ("whole", 1)):
        one = sorted(time[at] for time in times)
        print(f"{what}, {name}: median {one[len(one) // 2]:.2f} ms, "
              f"p99 {one[len(one) * 99 // 100]:.2f} ms, longest {one[-1]:.2f} ms")


def processor_time(child):
    with open(f"/proc/{child}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(child, tty):
    read_answer(tty)
    press(tty, b"\r")
    press(tty, b"\r")
    press(tty, b"\x1b[A")
    arrows = [b"\x1b[A", b"\x1b[C", b"\x1b[B", b"\x1b[D"]
    before = processor_time(child)
    report("cursor key", [press(tty, arrows[at % 4]) for at in range(PRESSES)])
    each = (processor_time(child) - before) * 1000 / PRESSES
    print(f"cursor key, processor time: {each:.2f} ms each")
    steps = [b"g1f3", b"g8f6", b"f3g1", b"f6g8"]
    moves = []
    for at in range(12):
        press(tty, b":" + steps[at % 4])
        moves.append(press(tty, b"\r"))
    report("move, kept on the disk", moves)
    before = processor_time(child)
    time.sleep(IDLE)
    print(f"idle: {processor_time(child) - before:.2f} s of processor time in {IDLE} s")
    with open(f"/proc/{child}/status") as status:
        print("memory:", next(line.split(None, 1)[1].strip() for line in status if line.startswith("VmRSS")))


def search(child, tty):
    read_answer(tty)
    # Past games are the fourth row of the menu.
    press(tty, b"\x1b[B\x1b[B\x1b[B")
    press(tty, b"\r")
    # The first byte shows the letter itself, the last one the resulting list.
    report("a letter of a search", [press(tty, letter) for letter in (b"/", *[b"%c" % c for c in b"guest 19999"])])


main()

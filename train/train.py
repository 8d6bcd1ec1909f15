"""Trains a net from records of `hansu-generate unpack`, on one GPU or on the processor.

    python3 train/train.py --out net/hansu.net records.bin [more.bin ...]

Writes the quantised net in the format that crates/engine/src/net.rs reads, the losses as CSV and as
a small SVG. Needs torch and numpy only.
"""

import argparse
import math
import struct
import time

import numpy as np
import torch

RECORD = 36
INPUTS, FIRST, SECOND, BUCKETS = 768, 16, 32, 8
SCALE = 400
MAGIC = b"HANSUNN3"
# As in crates/engine/src/net.rs: what stands for 1.0, and the largest weights that fit.
ONE, VALUE_ONE, FIRST_ONE, SECOND_ONE, LAST_ONE = 255, 127, 128, 96, 128
CLIPS = {"inputs": 1.98, "first": 127 / FIRST_ONE, "second": 127 / SECOND_ONE, "last": 1023 / LAST_ONE}


class Net(torch.nn.Module):
    """768 inputs a side -> hidden sums, multiplied in pairs -> 16 neurons and their squares -> 32,
    squared -> one of 8 outputs; the layers after the sums are there 8 times."""

    def __init__(self, hidden):
        super().__init__()

        def random(*shape, inputs):
            bound = 1 / math.sqrt(inputs)
            return torch.nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))

        def constant(value, *shape):
            return torch.nn.Parameter(torch.full(shape, value))

        self.inputs = random(INPUTS, hidden, inputs=32)
        self.biases = constant(0.25, hidden)
        self.first = random(hidden, BUCKETS * FIRST, inputs=hidden)
        self.first_biases = constant(0.1, BUCKETS * FIRST)
        self.second = random(BUCKETS, 2 * FIRST, SECOND, inputs=2 * FIRST)
        self.second_biases = constant(0.1, BUCKETS, SECOND)
        self.last = random(BUCKETS, SECOND, inputs=SECOND)
        self.last_biases = constant(0.0, BUCKETS)

    def forward(self, ours, theirs, bucket):
        halves = [(x @ self.inputs + self.biases).clamp(0, 1).chunk(2, 1) for x in (ours, theirs)]
        values = torch.cat([first * second for first, second in halves], 1)

        def chosen(all_buckets, size):
            """The numbers of each position's own bucket."""
            at = bucket[:, None, None].expand(-1, 1, size)
            return all_buckets.view(-1, BUCKETS, size).gather(1, at).squeeze(1)

        neurons = chosen(values @ self.first + self.first_biases, FIRST).clamp(0, 1)
        neurons = torch.cat([neurons, neurons.square()], 1)
        second = self.second.permute(1, 0, 2).reshape(2 * FIRST, BUCKETS * SECOND)
        sums = neurons @ second + self.second_biases.view(-1)
        neurons = chosen(sums, SECOND).clamp(0, 1).square()
        outputs = neurons @ self.last.t() + self.last_biases
        return outputs.gather(1, bucket[:, None]).squeeze(1)

    @torch.no_grad()
    def clip(self):
        for name, limit in CLIPS.items():
            getattr(self, name).clamp_(-limit, limit)


def one_hot(codes):
    """(n, 8, 8) codes 0..12, own king on the files a to d -> (n, 768) inputs."""
    king = (codes == 6).flatten(1).float().argmax(1) % 8
    codes = torch.where((king >= 4)[:, None, None], codes.flip(2), codes)
    roles = torch.arange(1, 13, device=codes.device, dtype=torch.uint8)
    return (codes[:, None] == roles[None, :, None, None]).flatten(1).float()


def decode(records, result_share):
    """(n, 36) bytes -> inputs of both sides, bucket, target."""
    packed = records[:, :32]
    codes = torch.stack([packed & 15, packed >> 4], 2).reshape(-1, 8, 8)
    # The other side's view: ranks upside down, colours exchanged.
    other = codes.flip(1)
    other = torch.where(other == 0, other, torch.where(other > 6, other - 6, other + 6))
    low, high = records[:, 32].float(), records[:, 33].float()
    score = low + 256 * torch.where(high > 127, high - 256, high)
    result = records[:, 34].float() / 2
    bucket = ((records[:, 35].long() - 2) // 4).clamp(0, BUCKETS - 1)
    target = result_share * result + (1 - result_share) * torch.sigmoid(score / SCALE)
    return one_hot(codes), one_hot(other), bucket, target


def export(net, path):
    """Writes the file that Net::from_bytes reads."""
    net = {name: each.detach().double().cpu().numpy() for name, each in net.named_parameters()}
    hidden = net["biases"].size
    value = ONE * ONE / 512
    # The squares of the first layer's neurons have 126, not 127, for 1.0.
    neuron = VALUE_ONE * FIRST_ONE
    second = net["second"].transpose(0, 2, 1).copy()
    second[:, :, FIRST:] *= VALUE_ONE / (neuron**2 / 2**21)
    output = (VALUE_ONE * SECOND_ONE) ** 2 >> 16
    parts = [
        net["inputs"] * ONE,
        net["biases"] * ONE,
        (net["first"].reshape(hidden, BUCKETS, FIRST).transpose(1, 2, 0) * FIRST_ONE).clip(-127, 127),
        (second * SECOND_ONE).clip(-127, 127),
        (net["last"] * LAST_ONE).clip(-1023, 1023),
    ]
    biases = [
        net["first_biases"] * value * FIRST_ONE,
        net["second_biases"] * VALUE_ONE * SECOND_ONE,
        net["last_biases"] * output * LAST_ONE,
    ]
    whole = lambda parts, kind: np.rint(np.concatenate([part.ravel() for part in parts])).astype(kind)
    weights = whole(parts, np.int16)
    stored = (weights << 1 ^ weights >> 15).view(np.uint16)
    with open(path, "wb") as file:
        file.write(MAGIC + struct.pack("<4I", hidden, FIRST, SECOND, BUCKETS))
        file.write((stored & 255).astype(np.uint8).tobytes())
        file.write((stored >> 8).astype(np.uint8).tobytes())
        file.write(whole(biases, "<i4").tobytes())


@torch.no_grad()
def load(net, path):
    """Reads what `export` has written: the same weights, rounded."""
    data = open(path, "rb").read()
    hidden = net.biases.numel()
    if data[:24] != MAGIC + struct.pack("<4I", hidden, FIRST, SECOND, BUCKETS):
        raise SystemExit(f"{path} is not a net of {hidden} sums in this format")
    shapes = {
        "inputs": (INPUTS, hidden),
        "biases": (hidden,),
        "first": (BUCKETS, FIRST, hidden),
        "second": (BUCKETS, SECOND, 2 * FIRST),
        "last": (BUCKETS, SECOND),
    }
    count = sum(math.prod(shape) for shape in shapes.values())
    low, high = (np.frombuffer(data, np.uint8, count, 24 + at).astype(np.uint16) for at in (0, count))
    stored = low | high << 8
    weights = (stored >> 1 ^ -(stored & 1).astype(np.uint16)).view(np.int16).astype(np.float64)
    parts, at = {}, 0
    for name, shape in shapes.items():
        parts[name] = weights[at : at + math.prod(shape)].reshape(shape)
        at += math.prod(shape)
    biases = np.frombuffer(data, "<i4", offset=24 + 2 * count).astype(np.float64)
    second = parts["second"] / SECOND_ONE
    second[:, :, FIRST:] /= VALUE_ONE / ((VALUE_ONE * FIRST_ONE) ** 2 / 2**21)
    output = (VALUE_ONE * SECOND_ONE) ** 2 >> 16
    ends = np.cumsum([BUCKETS * FIRST, BUCKETS * SECOND])
    first_biases, second_biases, last_biases = np.split(biases, ends)
    read = {
        "inputs": parts["inputs"] / ONE,
        "biases": parts["biases"] / ONE,
        "first": parts["first"].transpose(2, 0, 1) / FIRST_ONE,
        "second": second.transpose(0, 2, 1),
        "last": parts["last"] / LAST_ONE,
        "first_biases": first_biases / (ONE * ONE / 512 * FIRST_ONE),
        "second_biases": second_biases / (VALUE_ONE * SECOND_ONE),
        "last_biases": last_biases / (output * LAST_ONE),
    }
    for name, values in read.items():
        weight = getattr(net, name)
        weight.copy_(torch.from_numpy(np.ascontiguousarray(values)).reshape(weight.shape))


def plot(rows, path):
    """The losses as a small SVG, without a library."""
    width, height, edge = 640, 320, 40
    values = [value for row in rows for value in row[1:3] if value == value]
    low, high = min(values), max(values)
    span = max(high - low, 1e-9)
    last = max(rows[-1][0], 1)
    at = lambda step, value: "%.1f,%.1f" % (
        edge + (width - 2 * edge) * step / last,
        height - edge - (height - 2 * edge) * (value - low) / span,
    )
    lines = []
    for column, colour, name in ((1, "#3b6ea5", "training"), (2, "#c0392b", "held out")):
        points = " ".join(at(row[0], row[column]) for row in rows if row[column] == row[column])
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{points}"/>')
        lines.append(
            f'<text x="{width - edge - 80}" y="{edge + 16 * column}" fill="{colour}">{name}</text>'
        )
    with open(path, "w") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="12">'
            f'<rect width="{width}" height="{height}" fill="white"/>'
            f'<text x="{edge}" y="20">loss {low:.5f} to {high:.5f}, {rows[-1][0]} steps</text>'
            + "".join(lines)
            + "</svg>\n"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", help="records of hansu-generate unpack")
    parser.add_argument("--out", required=True, help="the net")
    parser.add_argument("--csv", help="the losses")
    parser.add_argument("--svg", help="the losses as a plot")
    parser.add_argument("--from", dest="begin_with", metavar="NET", help="go on from this net")
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--epochs", type=float, default=16)
    parser.add_argument("--seconds", type=float, default=1e9, help="end earlier after this time")
    parser.add_argument("--batch", type=int, default=32768)
    parser.add_argument("--rate", type=float, default=8e-3)
    parser.add_argument("--last-rate", type=float, default=1e-5)
    parser.add_argument("--decay", type=float, default=0.1, help="of weights")
    # With a larger share wide nets memorise games: all positions of a game have the same result.
    parser.add_argument("--result-share", type=float, default=0.1, help="lambda")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    torch.manual_seed(arguments.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    maps = [np.memmap(path, dtype=np.uint8, mode="r") for path in arguments.data]
    parts, held = [], []
    for each in maps:
        each = each[: len(each) // RECORD * RECORD].reshape(-1, RECORD)
        # The end of each file: whole games that the training never sees.
        cut = len(each) - max(len(each) // 100, 1)
        parts.append(torch.from_numpy(np.array(each[:cut])))
        held.append(torch.from_numpy(np.array(each[cut:])))
    train = torch.cat(parts).to(device)
    held = torch.cat(held).to(device)
    batch = min(arguments.batch, len(train))
    per_epoch = max(len(train) // batch, 1)
    total = max(int(arguments.epochs * per_epoch), 1)
    print(f"{len(train)} records, {len(held)} held out, {total} steps of {batch} on {device}", flush=True)

    net = Net(arguments.hidden).to(device)
    if arguments.begin_with:
        load(net, arguments.begin_with)
    optimiser = torch.optim.AdamW(
        net.parameters(), lr=arguments.rate, weight_decay=arguments.decay, fused=device == "cuda"
    )
    begin = time.time()

    def loss(records):
        ours, theirs, bucket, target = decode(records, arguments.result_share)
        return (torch.sigmoid(net(ours, theirs, bucket)) - target).square().mean()

    loss_of = torch.compile(loss) if device == "cuda" else loss

    @torch.no_grad()
    def held_out_loss():
        sizes = [(loss(part).item(), len(part)) for part in held[:200_000].split(16384)]
        return sum(loss * size for loss, size in sizes) / sum(size for _, size in sizes)

    rows, order, recent = [], None, []
    report_every = max(min(total // 100, 1000), 1)
    step = 0
    while step < total:
        progress = max(step / total, (time.time() - begin) / arguments.seconds)
        if progress >= 1:
            break
        # The first hundredth of the steps rises, so that no layer dies of the first gradients.
        fall = 0.5 * (1 + math.cos(math.pi * progress)) * min(1, (step + 1) / (0.01 * total))
        for group in optimiser.param_groups:
            group["lr"] = arguments.last_rate + (arguments.rate - arguments.last_rate) * fall
        at = step % per_epoch
        if at == 0:
            order = torch.randperm(len(train), device=device)
        here = loss_of(train[order[at * batch : (at + 1) * batch]])
        optimiser.zero_grad(set_to_none=True)
        here.backward()
        optimiser.step()
        net.clip()
        step += 1
        recent.append(here.detach())
        if step % report_every == 0 or step == total:
            row = (step, torch.stack(recent).mean().item(), held_out_loss(), time.time() - begin)
            recent = []
            rows.append(row)
            speed = step * batch / row[3]
            print(
                f"{step}/{total}: loss {row[1]:.6f}, held out {row[2]:.6f}, "
                f"{speed / 1e6:.2f} million records a second, {row[3]:.0f} s",
                flush=True,
            )
            export(net, arguments.out)
    export(net, arguments.out)
    if rows and arguments.csv:
        with open(arguments.csv, "w") as file:
            file.write("step,training,held_out,seconds\n")
            file.writelines("%d,%.7f,%.7f,%.1f\n" % row for row in rows)
    if rows and arguments.svg:
        plot(rows, arguments.svg)


if __name__ == "__main__":
    main()

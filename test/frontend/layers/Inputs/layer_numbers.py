"""Prints the numbers that layer_numbers.cpp expects, computed by torch in f64. The tests do not run it."""

import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
RESULT, GRADIENT = 0.25, 0.5


def fill(shape, seed):
    return torch.tensor([math.sin(0.7 * n + seed) / 2 for n in range(math.prod(shape))]).reshape(shape)


def weigh(x, seed):
    return (x * fill(x.shape, seed)).sum()


def show(name, y, tensors):
    weigh(y, RESULT).backward()
    numbers = [weigh(y, RESULT)] + [weigh(t.grad, GRADIENT) for t in tensors]
    print(name, ", ".join("%.9f" % number.item() for number in numbers))


def case(name, f, shapes):
    tensors = [fill(shape, 0.1 + 0.3 * n).requires_grad_() for n, shape in enumerate(shapes)]
    show(name, f(*tensors), tensors)


def module(name, layer, shapes, **options):
    for n, (path, parameter) in enumerate(layer.named_parameters()):
        one = 1 if "norm" in path and path.endswith("weight") else 0
        parameter.data.copy_(fill(parameter.shape, n + 1.0) + one)
    inputs = [fill(shape, seed).requires_grad_() for shape, seed in zip(shapes, (0.1, 0.9))]
    show(name, layer(*inputs, **options), inputs + list(layer.parameters()))


def frequencies(base, size):
    return torch.tensor([base ** (-2 * n / size) for n in range(size // 2)])


def llama3(f, factor, low, high, length):
    def scaled(x):
        wave = 2 * math.pi / x
        if wave < length / high:
            return x
        if wave > length / low:
            return x / factor
        smooth = (length / wave - low) / (high - low)
        return (1 - smooth) * x / factor + smooth * x

    return torch.tensor([scaled(x) for x in f.tolist()])


def rotate(x, positions, f, interleaved=False):
    """Interleaved pairs as complex numbers, halves by rotate_half, as in transformers."""
    size = 2 * len(f)
    angles = positions[..., None].double() * f
    angles = angles[None, None] if positions.dim() == 1 else angles[:, None]
    head, tail = x[..., :size], x[..., size:]
    if interleaved:
        z = torch.view_as_complex(head.reshape(*head.shape[:-1], size // 2, 2).contiguous())
        head = torch.view_as_real(z * torch.polar(torch.ones_like(angles), angles)).flatten(-2)
    else:
        both = torch.cat([angles, angles], -1)
        half = torch.cat([-head[..., size // 2 :], head[..., : size // 2]], -1)
        head = head * both.cos() + half * both.sin()
    return torch.cat([head, tail], -1)


def attention(x, memory, qw, qb, kw, vw, vb, qn, kn, ow):
    b, n, m = x.shape[0], x.shape[1], memory.shape[1]
    q = F.rms_norm(F.linear(x, qw, qb).reshape(b, n, 4, 6).transpose(1, 2), (6,), qn, 1e-6)
    k = F.rms_norm(F.linear(memory, kw).reshape(b, m, 2, 6).transpose(1, 2), (6,), kn, 1e-6)
    v = F.linear(memory, vw, vb).reshape(b, m, 2, 6).transpose(1, 2)
    q = rotate(q, torch.arange(n) + m - n, frequencies(10000, 6))
    k = rotate(k, torch.arange(m), frequencies(10000, 6))
    o = F.scaled_dot_product_attention(q, k, v * 2, enable_gqa=True)
    return F.linear(o.transpose(1, 2).reshape(b, n, 24), ow)


def fused(x, memory, w, b, ow, ob):
    q, k = x.transpose(0, 1), memory.transpose(0, 1)
    return F.multi_head_attention_forward(q, k, k, 4, 2, w, b, None, None, False, 0.0, ow, ob)[0].transpose(0, 1)


def image_sinusoids(height, width, size):
    y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    angles = [at.reshape(-1, 1).double() * frequencies(10000, size // 2) for at in (y, x)]
    return torch.cat([g(a) for a in angles for g in (torch.sin, torch.cos)], 1)


def vaswani(count, size):
    rates = torch.exp(torch.arange(0, size, 2) * (-math.log(10000) / size))
    angles, table = torch.arange(float(count))[:, None] * rates, torch.zeros(count, size)
    table[:, 0::2], table[:, 1::2] = torch.sin(angles), torch.cos(angles)
    return table


case("conv2d", lambda x, w, b: F.conv2d(x, w, b, (2, 1), (1, 2), (1, 2)), [(2, 3, 7, 6), (4, 3, 3, 2), (4,)])
case("tiles", lambda x, w, b: F.conv2d(x, w, b, (2, 3)), [(2, 3, 6, 7), (4, 3, 2, 3), (4,)])
case("groups", lambda x, w, b: F.conv2d(x, w, b, padding=1, groups=2), [(1, 4, 5, 5), (6, 2, 3, 3), (6,)])
case("depthwise", lambda x, w, b: F.conv2d(x, w, b, 2, 1, groups=3), [(2, 3, 5, 4), (3, 1, 3, 3), (3,)])
case("conv1d", lambda x, w, b: F.conv1d(x, w, b, 2, 1), [(2, 3, 8), (4, 3, 3), (4,)])
case("causal", lambda x, w, b: F.conv1d(F.pad(x, (4, 0)), w, b, dilation=2, groups=3), [(2, 3, 8), (3, 1, 3), (3,)])
case("average", lambda x: F.avg_pool2d(x, 3, 2, 1), [(2, 3, 7, 6)])
case("maximum", lambda x: F.max_pool2d(x, 3, 2, 1), [(2, 3, 7, 6)])
case("windows", lambda x: F.unfold(x, 3, padding=1, stride=2).transpose(1, 2), [(2, 3, 7, 6)])
case("patches", lambda x, w, b: F.conv2d(x, w, b, 2).flatten(2).transpose(1, 2), [(2, 3, 4, 6), (5, 3, 2, 2), (5,)])

at, eight = torch.arange(5), frequencies(10000, 8)
case("halves", lambda x: rotate(x, at, eight), [(2, 2, 5, 8)])
case("interleaved", lambda x: rotate(x, at, eight, True), [(2, 2, 5, 8)])
case("partial", lambda x: rotate(x, at + 3, frequencies(500, 6)), [(2, 2, 5, 8)])
case("linear", lambda x: rotate(x, at, eight / 4), [(2, 2, 5, 8)])
case("ntk", lambda x: rotate(x, at, frequencies(10000 * 4 ** (8 / 6), 8)), [(2, 2, 5, 8)])
case("llama3", lambda x: rotate(x, at, llama3(frequencies(10000, 16), 8, 1, 4, 1024)), [(2, 2, 5, 16)])
places = torch.tensor([[7, 0, 2, 9, 4], [1, 1, 3, 0, 5]])
case("positions", lambda x: rotate(x, places, eight), [(2, 2, 5, 8)])
print("grid %.9f" % weigh(image_sinusoids(3, 2, 8), RESULT).item())
print("vaswani %.9f" % weigh(vaswani(5, 6), RESULT).item())

case(
    "swiglu",
    lambda x, g, gb, u, ub, d, db: F.linear(F.silu(F.linear(x, g, gb)) * F.linear(x, u, ub), d, db),
    [(2, 3, 4), (6, 4), (6,), (6, 4), (6,), (4, 6), (4,)],
)
shapes = [(2, 3, 4), (2, 5, 8), (24, 4), (24,), (12, 8), (12, 8), (12,), (6,), (6,), (4, 24)]
case("attention", attention, shapes)
case("fused", fused, [(2, 3, 4), (2, 5, 4), (12, 4), (12,), (4, 4), (4,)])

options = {"dropout": 0.0, "batch_first": True}
module("norm last", torch.nn.TransformerEncoderLayer(4, 2, 6, **options), [(2, 3, 4)])
first = torch.nn.TransformerEncoderLayer(4, 2, 6, activation="gelu", norm_first=True, **options)
module("norm first", first, [(2, 3, 4)])
mask = torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
module("decoder", torch.nn.TransformerDecoderLayer(4, 2, 6, **options), [(2, 3, 4), (2, 5, 4)], tgt_mask=mask)

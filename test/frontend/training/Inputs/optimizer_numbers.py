"""Prints the numbers that optimizers.cpp expects, computed by torch in f64. The tests do not run it."""

import math

import torch
from torch.optim import lr_scheduler
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.set_default_dtype(torch.float64)
WEIGHT, STEPS = 0.5, 10
RATE = 1 / 32  # a number of f32


def fill(shape, seed):
    return torch.tensor([math.sin(0.7 * n + seed) / 2 for n in range(math.prod(shape))]).reshape(shape)


def weigh(x):
    return (x.detach() * fill(x.shape, WEIGHT)).sum().item()


def network():
    model = torch.nn.Sequential(torch.nn.Linear(5, 4), torch.nn.GELU(), torch.nn.Linear(4, 3))
    for n, parameter in enumerate(model.parameters()):
        parameter.data.copy_(fill(parameter.shape, 1.0 + 0.3 * n))
    return model


def loss_of(model):
    return torch.nn.functional.mse_loss(model(2 * fill((6, 5), 0.1)), 2 * fill((6, 3), 0.4))


class Lion(torch.optim.Optimizer):
    """Algorithm 2 of arXiv 2302.06675."""

    def __init__(self, parameters, lr, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(parameters, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                m = self.state[p].setdefault("momentum", torch.zeros_like(p))
                update = (beta1 * m + (1 - beta1) * p.grad).sign() + group["weight_decay"] * p
                m.copy_(beta2 * m + (1 - beta2) * p.grad)
                p -= group["lr"] * update


def train(name, make, clip=0.0, schedule=None, average=None, frozen=()):
    model = network()
    named = dict(model.named_parameters())
    for path in frozen:
        named[path].requires_grad_(False)
    optimizer = make(named)
    scheduler = schedule(optimizer) if schedule else None
    mean = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(average)) if average else None
    losses, norms = [], []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = loss_of(model)
        loss.backward()
        if clip:
            norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), clip).item())
        optimizer.step()
        losses.append(loss.item())
        if scheduler:
            scheduler.step()
        if mean:
            mean.update_parameters(model)
    numbers = losses[-1:] + [weigh(p) for p in model.parameters()] + norms[-1:]
    if mean:
        numbers += [weigh(p) for p in mean.module.parameters()]
    print(name, ", ".join("%.9f" % number for number in numbers))


def groups(named, **options):
    """Weights with the options of all, biases without weight decay, and the last weight at half the rate."""
    return [
        dict(params=[named["0.weight"]]),
        dict(params=[named["2.weight"]], lr=options["lr"] / 2),
        dict(params=[named["0.bias"], named["2.bias"]], weight_decay=0.0),
    ]


def make(kind, **options):
    return lambda named: kind(groups(named, lr=RATE) if options.pop("grouped", False) else named.values(), lr=RATE, **options)


optim = torch.optim
train("AdamW", make(optim.AdamW, weight_decay=0.1), clip=0.25)
train("AdamW in groups", make(optim.AdamW, weight_decay=0.1, grouped=True), average=0.75)
train("Adam", make(optim.Adam))
train("Adam with decay", make(optim.Adam, weight_decay=0.1, betas=(0.8, 0.95)))
train("Lion", make(Lion, weight_decay=0.1))
train("Adafactor", make(optim.Adafactor, weight_decay=0.1))
train("SGD", make(optim.SGD, momentum=0.9, weight_decay=0.1))
train("SGD with Nesterov's momentum", make(optim.SGD, momentum=0.9, weight_decay=0.1, nesterov=True), clip=0.25)
train("frozen", lambda named: optim.AdamW([p for p in named.values() if p.requires_grad], lr=RATE),
      frozen=("0.weight", "0.bias"))


def sequence(optimizer):
    """A warm-up over 3 steps, a cosine over 4 down to .1, a line over 2 from 1 to .5."""
    return lr_scheduler.SequentialLR(optimizer, [
        lr_scheduler.LinearLR(optimizer, 1 / 3, total_iters=2),
        lr_scheduler.CosineAnnealingLR(optimizer, 4, eta_min=0.1 * RATE),
        lr_scheduler.LinearLR(optimizer, 1, 0.5, total_iters=2)], milestones=[3, 7])


train("schedule", make(optim.AdamW), schedule=sequence)


def factors(name, schedule, count=10):
    optimizer = optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = schedule(optimizer)
    numbers = []
    for _ in range(count):
        numbers.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    print(name, ", ".join("%.9f" % number for number in numbers))


def sequence_of_one(optimizer):
    return lr_scheduler.SequentialLR(optimizer, [
        lr_scheduler.LinearLR(optimizer, 1 / 3, total_iters=2),
        lr_scheduler.CosineAnnealingLR(optimizer, 4, eta_min=0.1),
        lr_scheduler.LinearLR(optimizer, 1, 0.5, total_iters=2)], milestones=[3, 7])


factors("factors", sequence_of_one)
# transformers.get_inverse_sqrt_schedule, whose formula this is.
factors("inverse", lambda optimizer: lr_scheduler.LambdaLR(
    optimizer, lambda step: (step + 1) / 3 if step < 3 else math.sqrt(3 / (step - 3 + 3))))

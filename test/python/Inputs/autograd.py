# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: autograd.py attention.so block.so"""

import copy
import pickle
import sys
import unittest

import numpy as np
import torch

import xfrt.torch

BLOCK = sys.argv.pop()
ATTENTION = sys.argv.pop()


def fill(parameters):
    for n, (name, array) in enumerate(sorted(parameters.items())):
        drawn = np.random.default_rng(n).normal(0, 0.1, array.shape)
        array[...] = drawn if array.ndim > 1 else "norm" in name and name.endswith("weight")


class Autograd(unittest.TestCase):
    def test_gradients(self):
        model = xfrt.torch.load(ATTENTION)
        inputs = [torch.randn(1, 2, 24, 8, dtype=torch.float64, requires_grad=True) for _ in range(3)]
        self.assertTrue(torch.autograd.gradcheck(model.attend, inputs))
        # Only one of them asks; a view that is not contiguous; numpy beside it.
        q = inputs[0].detach().transpose(2, 3).contiguous().transpose(2, 3).requires_grad_()
        o = model.attend(q, inputs[1].detach(), inputs[2].detach().numpy())
        gradient, = torch.autograd.grad(o.pow(2).sum(), q, create_graph=True)
        want, = torch.autograd.grad(model.attend(*inputs).pow(2).sum(), inputs[0])
        self.assertTrue(torch.equal(gradient, want))
        with self.assertRaisesRegex(RuntimeError, "differentiate twice"):
            gradient.sum().backward()
        with self.assertRaisesRegex(RuntimeError, "attend_vjp: expected an entry attend_vjp_vjp"):
            model.attend_vjp(*inputs, o.detach())
        with torch.no_grad():
            out = torch.empty_like(o)
            self.assertIs(model.attend(*inputs, out=out), out)
        with self.assertRaisesRegex(RuntimeError, "attend: expected no `out` where gradients are recorded"):
            model.attend(*inputs, out=out)

    def test_training(self):
        """Five steps of AdamW by PyTorch and by the compiled step."""
        generator = torch.Generator().manual_seed(1)
        ids, targets = (torch.randint(0, 256, (2, 128), dtype=torch.int32, generator=generator) for _ in range(2))
        model = xfrt.load(BLOCK, threads=2)
        fill(model.parameters)
        want = [model.train(ids, targets, 1e-2).item() for _ in range(5)]
        net = xfrt.torch.Module(BLOCK, "logits", threads=2)
        fill(net._model.parameters)
        optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=0.1)
        got = []
        for _ in range(5):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(ids).flatten(0, 1), targets.long().flatten())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            got.append(loss.item())
        self.assertLess(got[4], got[0] / 5)
        np.testing.assert_allclose(got, want, rtol=1e-5)
        self.assertEqual(list(net.state_dict()), list(model.parameters))
        other = xfrt.torch.Module(BLOCK, "logits")
        other.load_state_dict(net.state_dict())
        self.assertTrue(torch.equal(other(ids), net(ids)))
        other.load_state_dict(net.state_dict(), assign=True)
        with self.assertRaisesRegex(RuntimeError, "parameter 'tokens.weight': expected the model's own memory"):
            other(ids)
        with self.assertRaisesRegex(RuntimeError, "expected the model's own memory"):
            net.double()(ids)

    def test_copies(self):
        ids = torch.randint(0, 256, (2, 128), dtype=torch.int32, generator=torch.Generator().manual_seed(1))
        net = xfrt.torch.Module(BLOCK, "logits")
        fill(net._model.parameters)
        net.get_parameter("tokens.weight").requires_grad_(False)
        net.eval()
        with torch.no_grad():
            want = net(ids)
            for other in copy.deepcopy(torch.nn.Sequential(net))[0], pickle.loads(pickle.dumps(net)):
                self.assertTrue(torch.equal(other(ids), want))
                self.assertFalse(other.training or other.get_parameter("tokens.weight").requires_grad)
                other.get_parameter("tokens.weight").zero_()
                self.assertFalse(torch.equal(other(ids), want))
                self.assertTrue(torch.equal(net(ids), want))


unittest.main()

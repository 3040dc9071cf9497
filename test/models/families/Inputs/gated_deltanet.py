# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Hugging Face's Qwen3NextGatedDeltaNet: python3 gated_deltanet.py > gated_deltanet.txt, with transformers 5.24.

"rule" is its recurrence, from a state to a state."""

import torch
from golden_of import case, compute_in_f64, module_case
from transformers.models.qwen3_next.modeling_qwen3_next import (Qwen3NextConfig, Qwen3NextGatedDeltaNet,
                                                                torch_recurrent_gated_delta_rule)

compute_in_f64()
config = Qwen3NextConfig(hidden_size=12, linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=6,
                         linear_value_head_dim=5, linear_conv_kernel_dim=4, num_hidden_layers=1, rms_norm_eps=1e-3)
module_case("gated_deltanet", Qwen3NextGatedDeltaNet(config, 0), {"x": (2, 21, 12)})


def rule(q, k, v, a, b, state, _):
    rows = (x.movedim(1, 2) for x in (q, k, v, torch.nn.functional.logsigmoid(a), torch.sigmoid(b)))
    o, after = torch_recurrent_gated_delta_rule(*rows, initial_state=state, output_final_state=True)
    return torch.cat((o.movedim(1, 2), after), 2)


B, H, N, D, COLUMNS = 2, 2, 11, 6, 5
case("rule", {"q": (B, H, N, D), "k": (B, H, N, D), "v": (B, H, N, COLUMNS), "a": (B, H, N), "b": (B, H, N),
              "state": (B, H, D, COLUMNS)}, {}, rule)

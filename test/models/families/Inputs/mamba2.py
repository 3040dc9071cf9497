# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Hugging Face's Mamba2Mixer: python3 mamba2.py > mamba2.txt, with transformers 5.24."""

from golden_of import compute_in_f64, module_case
from transformers.models.mamba2.modeling_mamba2 import Mamba2Config, Mamba2Mixer

compute_in_f64()
config = Mamba2Config(hidden_size=12, num_heads=4, head_dim=6, expand=2, state_size=5, n_groups=2, conv_kernel=4, chunk_size=8,
                      num_hidden_layers=1, layer_norm_epsilon=1e-3)
module_case("mamba2", Mamba2Mixer(config, 0), {"x": (2, 21, 12)})

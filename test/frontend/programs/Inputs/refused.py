# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: refused.py PROGRAM CHECKPOINTS

Changes one member of a config.json at a time: the program must end with exit code 1 and one line that names the member.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

CASES = {
    "generate": {
        "gpt2": [("model_type", "gptj"), ("activation_function", "relu"), ("scale_attn_weights", False), ("n_embd", 32),
                 ("scale_attn_by_inverse_layer_idx", True), ("add_cross_attention", True), ("tie_word_embeddings", False),
                 ("n_layer", 3), ("n_positions", 41), ("vocab_size", 129), ("n_inner", 65), ("n_head", 0), ("n_head", "2"),
                 ("layer_norm_epsilon", "small"), ("quantization_config", {"bits": 4})],
        "llama": [("model_type", "qwen2"), ("hidden_act", "gelu"), ("attention_bias", True), ("mlp_bias", True), ("head_dim", 5),
                  ("num_key_value_heads", 3), ("rope_theta", -1), ("layer_types", ["full_attention", "chunked_attention"]),
                  ("rope_type", "yarn"), ("partial_rotary_factor", 0.5), ("factor", None), ("num_attention_heads", 4)],
    },
    "embed": {"bert": [("model_type", "roberta"), ("hidden_act", "gelu_new"), ("position_embedding_type", "relative_key"),
                       ("is_decoder", True), ("hidden_size", 17), ("num_hidden_layers", 9), ("num_attention_heads", 3),
                       ("pooling_mode_cls_token", True)]},
    "classify": {"vit": [("model_type", "deit"), ("hidden_act", "relu"), ("qkv_bias", False), ("image_size", 9), ("patch_size", 5),
                         ("num_attention_heads", 5), ("do_normalize", False), ("image_mean", [0.5]), ("image_std", [0.5, 0, 0.5]),
                         ("do_rescale", False), ("rescale_factor", 1)]},
}
ROPE = ("rope_type", "partial_rotary_factor", "factor")


def change(folder, config, member, value):
    if member in ROPE:
        config["rope_scaling"] = {"rope_type": "linear", "factor": 2.0, member: value}
    elif member.startswith("pooling"):
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(json.dumps({member: value}))
    elif member.startswith(("do_", "image_mean", "image_std", "rescale")):
        (folder / "preprocessor_config.json").write_text(json.dumps({member: value}))
    else:
        config[member] = value


def refuses(program, arguments, source, member, value):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "model"
        shutil.copytree(source, folder)
        config = json.loads((folder / "config.json").read_text())
        change(folder, config, member, value)
        (folder / "config.json").write_text(json.dumps(config))
        result = subprocess.run([program, *arguments, f"--weights={folder}"], capture_output=True, text=True)
    lines = [line for line in result.stderr.splitlines() if ": error: " in line]
    named = member if member != "num_attention_heads" else "heads"
    good = result.returncode == 1 and len(lines) == 1 and named in lines[0] and not result.stdout
    if not good:
        print(f"{source.name}: {member} = {value}: exit code {result.returncode}: {result.stderr}")
    return good


program, checkpoints, *arguments = sys.argv[1:]
results = [refuses(program, arguments or ["1"], pathlib.Path(checkpoints) / name, member, value)
           for name, cases in CASES[program].items() for member, value in cases]
print(f"{sum(results)} refused, {len(results) - sum(results)} failed")

"""Writes llama.txt and llama_tied.txt: transformers' Llama of small size, in f64."""

import pathlib
import sys

import torch
import transformers

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent.parent / "Inputs"))
import golden

golden.compute_in_f64()


def case(path, tied, scaling):
    parameters = {"rope_theta": 500.0, "rope_type": "llama3" if scaling else "default", **scaling}
    config = transformers.LlamaConfig(vocab_size=29, hidden_size=24, num_hidden_layers=2, num_attention_heads=4,
                                      num_key_value_heads=2, intermediate_size=20, rms_norm_eps=1e-5, rope_parameters=parameters,
                                      tie_word_embeddings=tied, attn_implementation="eager", pad_token_id=None,
                                      bos_token_id=None, eos_token_id=None)
    model = transformers.LlamaForCausalLM(config).double().eval()
    ids = torch.tensor([[3, 1, 28, 0, 14, 9, 9, 5, 6], [11, 5, 20, 2, 7, 1, 26, 13, 3]])
    golden.write(here / path, golden.fill(model), {"ids": ids}, {"logits": model(ids).logits},
                 buffers={"lm_head.weight": (29, 24)} if tied else
                 {f"model.layers.{n}.self_attn.rotary_emb.inv_freq": (3,) for n in range(2)})


case("llama.txt", False, {})
case("llama_tied.txt", True, {"factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                              "original_max_position_embeddings": 64})

"""Writes t5.txt and t5_gated.txt: transformers' T5 of small size, in f64."""

import pathlib
import sys

import torch
import transformers

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent.parent / "Inputs"))
import golden

golden.compute_in_f64()


def case(path, gated):
    config = transformers.T5Config(vocab_size=29, d_model=12, d_kv=4, d_ff=20, num_layers=2, num_heads=2, dropout_rate=0,
                                   relative_attention_num_buckets=8, relative_attention_max_distance=6,
                                   feed_forward_proj="gated-gelu" if gated else "relu", tie_word_embeddings=not gated)
    model = transformers.T5ForConditionalGeneration(config).double().eval()
    if gated:
        model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.clone())
    model.config.scale_decoder_outputs = not gated
    parameters = golden.fill(model)
    inputs = torch.tensor([[3, 1, 28, 0, 14, 9, 9, 5, 6], [11, 5, 20, 2, 7, 0, 0, 0, 0]])
    ids = torch.tensor([[0, 8, 3, 3, 27], [0, 15, 2, 9, 1]])
    lengths = torch.tensor([9, 5])
    mask = (torch.arange(9) < lengths[:, None]).long()
    logits = model(input_ids=inputs, attention_mask=mask, decoder_input_ids=ids).logits
    golden.write(here / path, parameters, {"inputs": inputs, "ids": ids, "lengths": lengths}, {"logits": logits},
                 buffers={"encoder.embed_tokens.weight": (29, 12),
                          "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight": (8, 2)})


case("t5.txt", False)
case("t5_gated.txt", True)

# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same work in other libraries: functions that give calls by name, of those libraries that are installed."""

import numpy


def torch_of(lab):
    """PyTorch with one thread, or None."""
    if "torch" not in lab.peers:
        return None
    import torch
    torch.set_num_threads(1)
    return torch


def tensor(torch, array):
    """An array's memory as a tensor; bits of bf16 become bf16."""
    if array.dtype == numpy.uint16:
        return torch.from_numpy(array.view(numpy.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def without_gradient(torch, function):
    def call():
        with torch.no_grad():
            return function()
    return call


def attention_of_torch(lab, arrays, is_causal, gradient, writes_scores):
    """Its fused attention, and products around a softmax where all scores may be written."""
    torch = torch_of(lab)
    if not torch:
        return {}
    fused = torch.nn.functional.scaled_dot_product_attention
    operands = [tensor(torch, arrays[name]) for name in "qkv"]
    size = operands[1].shape[2]
    hidden = torch.ones(size, size, dtype=torch.bool).triu(1) if is_causal and writes_scores else None

    def eager(q, k, v):
        scores = q @ k.mT * q.shape[-1] ** -0.5
        return torch.softmax(scores if hidden is None else scores.masked_fill(hidden, -torch.inf), -1) @ v

    functions = {"SDPA": lambda q, k, v: fused(q, k, v, is_causal=is_causal)}
    if writes_scores:
        functions["eager"] = eager
    if not gradient:
        return {name: without_gradient(torch, lambda f=f: f(*operands)) for name, f in functions.items()}
    leaves = [x.clone().requires_grad_() for x in operands]
    cotangent = tensor(torch, arrays["d_o"])
    return {name: lambda f=f: torch.autograd.grad(f(*leaves), leaves, cotangent) for name, f in functions.items()}


def decoding_of_torch(lab, arrays):
    """Fused attention with the heads that share keys folded into rows, as one writes by hand, and products of the same."""
    torch = torch_of(lab)
    if not torch:
        return {}
    q, k, v = (tensor(torch, arrays[name]) for name in "qkv")
    folded = q.reshape(1, k.shape[1], -1, q.shape[-1])
    fused = torch.nn.functional.scaled_dot_product_attention
    functions = {"SDPA": lambda: fused(q, k, v, enable_gqa=q.shape[1] != k.shape[1]),
                 "products": lambda: torch.softmax(folded @ k.mT * q.shape[-1] ** -0.5, -1) @ v}
    if q.shape != folded.shape:
        functions["SDPA, folded"] = lambda: fused(folded, k, v)
    return {name: without_gradient(torch, f) for name, f in functions.items()}


def attention_of_openvino(lab, arrays, is_causal, element):
    """Its fused attention; for bf16 by the hint, on operands of f32."""
    if "OpenVINO" not in lab.peers:
        return {}
    import openvino
    from openvino import opset13
    operands = [arrays[name] if element == "f32" else (arrays[name].astype(numpy.uint32) << 16).view(numpy.float32) for name in "qkv"]
    parameters = [opset13.parameter(list(x.shape), openvino.Type.f32) for x in operands]
    node = opset13.scaled_dot_product_attention(*parameters, causal=is_causal)
    return {"OpenVINO": openvino_request(openvino.Model([node], parameters), element, operands)}


def openvino_request(model, element, operands):
    import openvino
    settings = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": element, "NUM_STREAMS": 1}
    request = openvino.Core().compile_model(model, "CPU", settings).create_infer_request()
    for number, operand in enumerate(operands):
        request.set_input_tensor(number, openvino.Tensor(operand))
    call = lambda: request.infer()
    call.operands = operands  # whose memory the request reads
    return call


def attention_of_onnxruntime(lab, arrays, is_causal):
    """The operator MultiHeadAttention, whose operands are [batch, rows, heads * depth]."""
    if "ONNX Runtime" not in lab.peers:
        return {}
    try:
        from onnx import TensorProto, helper
    except ImportError:
        return {}
    import onnxruntime
    _, heads, size, depth = arrays["q"].shape
    info = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, size, heads * depth]) for name in "qkvo"]
    node = helper.make_node("MultiHeadAttention", list("qkv"), ["o"], domain="com.microsoft", num_heads=heads,
                            unidirectional=int(is_causal))
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(helper.make_graph([node], "attention", info[:3], info[3:]), opset_imports=opsets, ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feed = {name: arrays[name].transpose(0, 2, 1, 3).reshape(1, size, -1).copy() for name in "qkv"}
    return {"ONNX Runtime": lambda: session.run(None, feed)}


def linear_of_torch(lab, arrays, epilogue):
    """Its linear layer, and that of oneDNN with weights packed beforehand and all in one call."""
    torch = torch_of(lab)
    if not torch:
        return {}
    x, w = (tensor(torch, arrays[name]) for name in "xw")
    b = tensor(torch, arrays["b"]) if epilogue else None
    functional = torch.nn.functional
    after = ("gelu", "tanh") if "GELU" in epilogue else ("none", "")
    eager = lambda: functional.linear(x, w, b)
    gelu = lambda: functional.gelu(functional.linear(x, w, b), approximate="tanh")
    functions = {"torch": gelu if "GELU" in epilogue else eager}
    try:
        packed = torch.ops.mkldnn._reorder_linear_weight(w, x.shape[0])
        functions["oneDNN"] = lambda: torch.ops.mkldnn._linear_pointwise(x, packed, b, after[0], [], after[1])
    except RuntimeError as error:  # bf16 without AVX-512
        print(f"oneDNN is left out: {error}", flush=True)
    return {name: without_gradient(torch, f) for name, f in functions.items()}


def linear_of_numpy(arrays, element, epilogue):
    """OpenBLAS, in whose favour weights lie transposed."""
    if element != "f32" or epilogue:
        return {}
    x, w = arrays["x"], numpy.ascontiguousarray(arrays["w"].T)
    y = numpy.empty((x.shape[0], w.shape[1]), numpy.float32)
    return {"OpenBLAS": lambda: numpy.matmul(x, w, out=y)}


def flex_of_torch(lab, arrays, mask):
    """FlexAttention, compiled, of a mask of (query, key)."""
    torch = torch_of(lab)
    if not torch or not mask:
        return {}
    from torch.nn.attention import flex_attention as flex
    torch._dynamo.reset()
    operands = [tensor(torch, arrays[name]) for name in "qkv"]
    size = operands[0].shape[2]
    blocks = flex.create_block_mask(lambda b, h, i, j: mask(torch, i, j), None, None, size, size, device="cpu", BLOCK_SIZE=128)
    compiled = torch.compile(flex.flex_attention, dynamic=False)
    return {"FlexAttention": without_gradient(torch, lambda: compiled(*operands, block_mask=blocks))}

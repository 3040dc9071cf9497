# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: layout.py c|python

Prints the layout of the structures of xfrt._abi and its numbers; or a C program that prints those of the headers.
"""

import ctypes
import sys

from xfrt import _abi

STRUCTURES = {
    "xfrt_dim": _abi.Dim, "xfrt_symbol": _abi.Symbol, "xfrt_tensor": _abi.Tensor, "xfrt_entry": _abi.Entry,
    "xfrt_model": _abi.Model, "xfrt_buffer": _abi.Buffer, "xfrt_options": _abi.Options, "xfrt_dl_device": _abi.DlDevice,
    "xfrt_dl_data_type": _abi.DlDataType, "xfrt_dl_tensor": _abi.DlTensor, "xfrt_dl_managed_tensor": _abi.DlManagedTensor,
    "xfrt_dl_managed_tensor_versioned": _abi.DlManagedTensorVersioned,
}
NUMBERS = {
    "XFRT_ABI_VERSION": _abi.ABI_VERSION,
    "XFRT_INPUT": _abi.INPUT, "XFRT_PARAMETER": _abi.PARAMETER,
    "XFRT_STATE": _abi.STATE, "XFRT_CPU": _abi.CPU, "XFRT_CUDA": _abi.CUDA, "XFRT_CUDA_OR_CPU": _abi.CUDA_OR_CPU,
    "XFRT_WEIGHTS": _abi.WEIGHTS, "XFRT_STATES": _abi.STATES, "XFRT_ALLOW_EXTRA": _abi.ALLOW_EXTRA,
    **{f"XFRT_{'BOOL' if name == 'i1' else name.upper()}": number for number, name in enumerate(_abi.DTYPES)},
}


def python():
    for name, structure in STRUCTURES.items():
        for field, _ in structure._fields_:
            place = getattr(structure, field)
            print(f"{name}.{field}", place.offset, place.size)
        print(f"{name}", ctypes.sizeof(structure))
    for name, number in NUMBERS.items():
        print(name, number)


def c():
    print("#include <stddef.h>\n#include <stdio.h>\n#include <xfrt/dlpack.h>\n#include <xfrt/parameters.h>\n\nint main(void) {")
    for name, structure in STRUCTURES.items():
        for field, _ in structure._fields_:
            print(f'  printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));')
        print(f'  printf("{name} %zu\\n", sizeof({name}));')
    for name in NUMBERS:
        print(f'  printf("{name} %d\\n", (int){name});')
    print("  return 0;\n}")


{"c": c, "python": python}[sys.argv[1]]()

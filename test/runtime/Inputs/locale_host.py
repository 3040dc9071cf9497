# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: locale_host.py attention.so trace.json profile.json"""

import gc
import json
import locale
import os
import sys

import numpy as np

import xfrt

library, trace, profile = sys.argv[1:]
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
print("locale:", locale.format_string("%.1f", 0.5))
model = xfrt.load(library, threads=1)
entry = next(iter(model.entries.values()))
entry(*(np.ones(spec.shape, "f4") for spec in entry.inputs))
del model, entry
gc.collect()
with open(trace) as file:
    events = json.load(file)["traceEvents"]
print("trace: a peak of", *(event["args"]["gflops"] for event in events if event["name"] == "peak"))
with open(profile) as file:
    print("profile: a peak of", json.load(file)["peak_gflops"])
os.environ["XFRT_PEAK"] = "1234,5"
try:
    xfrt.load(library)
except xfrt.Error as error:
    print("refused:", str(error).split(": ", 1)[1])

#!/bin/sh
# compile.sh MODEL FOLDER: everything that xfc makes of it.
set -e
xfc "$1" --vjp=attend -o "$2/model.o"
xfc "$1" --vjp=attend --multi-isa=v3,v4 --emit=shared -o "$2/libmodel.so" --name=model
xfc "$1" --vjp=attend --mcpu=x86-64-v3 --emit=static -o "$2/libmodel.a" --name=model
xfc "$1" --vjp=attend --target=cuda --gpu-arch=sm_80 --emit=ptx -o "$2/model.ptx"
xfc "$1" --vjp=attend --target=cuda --gpu-arch=sm_90a -o "$2/gpu.o"

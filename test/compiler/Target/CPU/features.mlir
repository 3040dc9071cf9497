// An object lists what LLVM may use, also what xf does not name (byte permutations, funnel shifts).
// RUN: xfc %s --mcpu=x86-64-v4 --emit=llvm | %python %S/Inputs/known_features.py %source/runtime/lib/cpu/Features.cpp avx2,fma,avx512f,avx512vl
// RUN: xfc %s --mcpu=icelake-server --emit=llvm | %python %S/Inputs/known_features.py %source/runtime/lib/cpu/Features.cpp avx512vbmi,avx512vbmi2,gfni
// RUN: xfc %s --mcpu=graniterapids --emit=llvm | %python %S/Inputs/known_features.py %source/runtime/lib/cpu/Features.cpp avx512bf16,avx512fp16,avxvnni,amx-tile,amx-bf16
// RUN: xfc %s --mcpu=arrowlake --emit=llvm | %python %S/Inputs/known_features.py %source/runtime/lib/cpu/Features.cpp avx2,avxvnni,avxneconvert
// RUN: xfc %s --mcpu=neoverse-v2 --emit=llvm | %python %S/Inputs/known_features.py %source/runtime/lib/cpu/Features.cpp bf16,sve,sve2
// RUN: xfc %s --mcpu=neoverse-v1 --emit=llvm | %python %S/Inputs/known_features.py %source/runtime/lib/cpu/Features.cpp fp16fml,sve256
// RUN: xfc %s --mcpu=a64fx --emit=llvm | %python %S/Inputs/known_features.py %source/runtime/lib/cpu/Features.cpp sve512
// RUN: xfc %s --mcpu=apple-m4 --emit=llvm | %python %S/Inputs/known_features.py %source/runtime/lib/cpu/Features.cpp bf16,i8mm
func.func @map(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = xf.exp %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// The stages of a target for AMD's GPUs, with a kernel that does nothing.
// RUN: xf-amdgpu %s | FileCheck %s --check-prefixes=CHECK,CDNA
// RUN: xf-amdgpu %s --gpu-arch=gfx1100 | FileCheck %s --check-prefixes=CHECK,RDNA
// RUN: xf-amdgpu %s --gpu-arch=gfx90a --object -o %t.o
// RUN: %llvm_tools/ld.lld -shared %t.o -o %t.hsaco
// RUN: %llvm_tools/llvm-readelf --file-header --dyn-syms %t.hsaco | FileCheck %s --check-prefix=ELF
// RUN: not xf-amdgpu %s --gpu-arch=gfx803 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK: .amdgcn_target "amdgcn-amd-amdhsa--gfx
// CHECK-LABEL: empty:
// CHECK: s_endpgm
// CHECK: .amdhsa_kernel empty
// CHECK: .amdhsa_group_segment_fixed_size 0
// CHECK: .amdhsa_kernarg_size 0
// CHECK: .amdhsa_next_free_vgpr
// CHECK: .max_flat_workgroup_size: 256
// CDNA: .wavefront_size: 64
// RDNA: .wavefront_size: 32

// ELF: OS/ABI: AMDGPU - HSA
// ELF: Machine: {{.*}}AMDGPU
// ELF: FUNC GLOBAL PROTECTED {{.*}} empty
// ELF: OBJECT GLOBAL {{.*}} empty.kd

// UNKNOWN: xf-amdgpu: expected one of gfx90a, gfx942, gfx950, gfx1100, got 'gfx803'
func.func private @empty(%begin: i64, %end: i64, %scratch: !llvm.ptr) attributes {xft.kernel, xft.threads = 256 : i64} {
  return
}

; Operations of LLVM on scalars and short vectors, whose results llvm.test compares with those that the same IR has on x86-64.

target triple = "nvptx64-nvidia-cuda"
declare float @llvm.exp2.f32(float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.fma.f32(float,float,float)
declare float @llvm.maximum.f32(float,float)
declare float @llvm.minnum.f32(float,float)
declare float @llvm.copysign.f32(float,float)
declare float @llvm.floor.f32(float)
declare float @llvm.ceil.f32(float)
declare float @llvm.trunc.f32(float)
declare float @llvm.rint.f32(float)
declare float @llvm.round.f32(float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.sin.f32(float)
declare double @llvm.fabs.f64(double)
declare double @llvm.floor.f64(double)
declare i32 @llvm.ctpop.i32(i32)
declare i64 @llvm.ctlz.i64(i64,i1)
declare i32 @llvm.cttz.i32(i32,i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.fshl.i32(i32,i32,i32)
declare i64 @llvm.fshr.i64(i64,i64,i64)
declare i32 @llvm.smax.i32(i32,i32)
declare i64 @llvm.umin.i64(i64,i64)
declare i16 @llvm.smin.i16(i16,i16)
declare i32 @llvm.abs.i32(i32,i1)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.uadd.sat.i32(i32,i32)
declare {i32,i1} @llvm.umul.with.overflow.i32(i32,i32)
declare <2 x half> @llvm.fma.v2f16(<2 x half>,<2 x half>,<2 x half>)
declare <2 x half> @llvm.maxnum.v2f16(<2 x half>,<2 x half>)
declare <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat>,<2 x bfloat>,<2 x bfloat>)
declare i1 @llvm.is.fpclass.f32(float, i32)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
define ptx_kernel void @f32(ptr addrspace(1) %p, float %a, float %b) {
  %1 = call float @llvm.exp2.f32(float %a)
  %2 = call float @llvm.sqrt.f32(float %1)
  %3 = call float @llvm.fma.f32(float %2,float %b,float %a)
  %4 = call float @llvm.maximum.f32(float %3,float %b)
  %5 = call float @llvm.minnum.f32(float %4,float 1.5)
  %6 = call float @llvm.copysign.f32(float %5,float %a)
  %7 = call float @llvm.floor.f32(float %6)
  %8 = call float @llvm.ceil.f32(float %3)
  %9 = call float @llvm.trunc.f32(float %2)
  %10 = call float @llvm.rint.f32(float %2)
  %11 = call float @llvm.round.f32(float %2)
  %12 = call float @llvm.roundeven.f32(float %3)
  %13 = call afn float @llvm.sin.f32(float %3)
  %s1 = fadd float %7, %8
  %s2 = fsub float %9, %10
  %s3 = fmul float %11, %12
  %s4 = fdiv float %s1, %s2
  %s5 = frem float %s4, %s3
  %s6 = fneg float %s5
  %s7 = fadd float %s6, %13
  %c = fcmp ult float %s7, %a
  %c2 = fcmp one float %s7, %b
  %c3 = and i1 %c, %c2
  %c4 = call i1 @llvm.is.fpclass.f32(float %s7, i32 3)
  %c5 = xor i1 %c3, %c4
  %r = select i1 %c5, float %s7, float %b
  store float %r, ptr addrspace(1) %p
  %i = fptosi float %r to i32
  %u = fptoui float %r to i64
  %h = fptrunc float %r to half
  %bb = fptrunc float %r to bfloat
  %d = fpext float %r to double
  %sat = call i32 @llvm.fptosi.sat.i32.f32(float %a)
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 8
  store i32 %i, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 16
  store i64 %u, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %p, i64 24
  store half %h, ptr addrspace(1) %p3
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 26
  store bfloat %bb, ptr addrspace(1) %p4
  %p5 = getelementptr i8, ptr addrspace(1) %p, i64 32
  store double %d, ptr addrspace(1) %p5
  %p6 = getelementptr i8, ptr addrspace(1) %p, i64 40
  store i32 %sat, ptr addrspace(1) %p6
  ret void
}
define ptx_kernel void @ints(ptr addrspace(1) %p, i32 %a, i32 %b, i64 %c, i16 %d, i8 %e) {
  %1 = call i32 @llvm.ctpop.i32(i32 %a)
  %2 = call i64 @llvm.ctlz.i64(i64 %c,i1 0)
  %3 = call i32 @llvm.cttz.i32(i32 %a,i1 0)
  %4 = call i32 @llvm.bitreverse.i32(i32 %a)
  %5 = call i32 @llvm.bswap.i32(i32 %a)
  %6 = call i32 @llvm.fshl.i32(i32 %a,i32 %b,i32 7)
  %7 = call i64 @llvm.fshr.i64(i64 %c,i64 %2,i64 9)
  %8 = call i32 @llvm.smax.i32(i32 %a,i32 %b)
  %9 = call i64 @llvm.umin.i64(i64 %c,i64 %7)
  %10 = call i16 @llvm.smin.i16(i16 %d,i16 9)
  %11 = call i32 @llvm.abs.i32(i32 %a,i1 0)
  %12 = call i32 @llvm.uadd.sat.i32(i32 %a,i32 %b)
  %13 = call {i32,i1} @llvm.umul.with.overflow.i32(i32 %a,i32 %b)
  %14 = extractvalue {i32,i1} %13, 1
  %15 = zext i1 %14 to i32
  %x1 = add i32 %1, %3
  %x2 = sub i32 %x1, %4
  %x3 = xor i32 %x2, %5
  %x4 = add i32 %x3, %6
  %x5 = mul i32 %x4, %8
  %x6 = sdiv i32 %x5, 7
  %x7 = urem i32 %x6, %b
  %x8 = shl i32 %x7, 9
  %x9 = ashr i32 %x8, 3
  %x10 = add i32 %x9, %11
  %x11 = add i32 %x10, %12
  %x12 = add i32 %x11, %15
  %y1 = sdiv i64 %9, %c
  %y2 = mul i64 %y1, 1234567890123
  %y3 = lshr i64 %y2, 5
  %z1 = sext i16 %10 to i32
  %z2 = sdiv i16 %d, %10
  %z3 = sext i16 %z2 to i32
  %w1 = sext i8 %e to i32
  %w2 = mul i8 %e, 3
  %w3 = zext i8 %w2 to i32
  %q1 = add i32 %z1, %z3
  %q2 = add i32 %q1, %w1
  %q3 = add i32 %q2, %w3
  %q4 = add i32 %q3, %x12
  %f = sitofp i32 %q4 to float
  %g = uitofp i64 %y3 to double
  store i32 %q4, ptr addrspace(1) %p
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 8
  store i64 %y3, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 16
  store float %f, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %p, i64 24
  store double %g, ptr addrspace(1) %p3
  ret void
}
define ptx_kernel void @vec(ptr addrspace(1) %p, ptr addrspace(1) readonly %q) {
  %v = load <2 x half>, ptr addrspace(1) %q
  %w = load <8 x half>, ptr addrspace(1) %q
  %b = load <8 x bfloat>, ptr addrspace(1) %q, align 16
  %i8 = load <4 x i8>, ptr addrspace(1) %q
  %i16 = load <4 x i16>, ptr addrspace(1) %q
  %f4 = load <4 x float>, ptr addrspace(1) %q
  %x = call <2 x half> @llvm.fma.v2f16(<2 x half> %v,<2 x half> %v,<2 x half> %v)
  %y = call <2 x half> @llvm.maxnum.v2f16(<2 x half> %x,<2 x half> %v)
  %c = fcmp olt <2 x half> %y, %v
  %z = select <2 x i1> %c, <2 x half> %y, <2 x half> %x
  %b0 = shufflevector <8 x bfloat> %b, <8 x bfloat> undef, <2 x i32> <i32 1, i32 6>
  %b1 = call <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat> %b0,<2 x bfloat> %b0,<2 x bfloat> %b0)
  %b2 = fadd <2 x bfloat> %b1, %b0
  %bm = fmul <2 x bfloat> %b2, %b0
  %be = fpext <2 x bfloat> %bm to <2 x float>
  %s = add <4 x i8> %i8, %i8
  %t = mul <4 x i16> %i16, %i16
  %ff = fmul <4 x float> %f4, %f4
  %w2 = fadd <8 x half> %w, %w
  store <2 x half> %z, ptr addrspace(1) %p
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 16
  store <8 x half> %w2, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i64 32
  store <2 x float> %be, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %p, i64 40
  store <4 x i8> %s, ptr addrspace(1) %p3
  %p4 = getelementptr i8, ptr addrspace(1) %p, i64 48
  store <4 x i16> %t, ptr addrspace(1) %p4
  %p5 = getelementptr i8, ptr addrspace(1) %p, i64 64
  store <4 x float> %ff, ptr addrspace(1) %p5
  ret void
}
define ptx_kernel void @flow(ptr addrspace(1) %p, i32 %n, i32 %k) {
entry:
  %a = alloca [16 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %t, label %d [ i32 0, label %c0
    i32 1, label %c1
    i32 2, label %c2
    i32 3, label %c3
    i32 4, label %c4
    i32 5, label %c5 ]
c0: br label %d
c1: br label %d
c2: br label %d
c3: br label %d
c4: br label %d
c5: br label %d
d:
  %v = phi i32 [ 7, %entry ], [ 1, %c0 ], [ %n, %c1 ], [ %k, %c2 ], [ 19, %c3 ], [ 5, %c4 ], [ -3, %c5 ]
  %i = and i32 %v, 15
  %g = getelementptr [16 x i32], ptr %a, i32 0, i32 %i
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 64, i1 false)
  store i32 %v, ptr %g
  %j = and i32 %n, 15
  %g2 = getelementptr [16 x i32], ptr %a, i32 0, i32 %j
  %l = load i32, ptr %g2
  %f = call i32 @helper(i32 %l, i32 %v)
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %f, ptr addrspace(1) %q
  ret void
}
define i32 @helper(i32 %a, i32 %b) noinline {
  %c = icmp slt i32 %a, %b
  br i1 %c, label %x, label %y
x:
  %1 = mul i32 %a, 3
  ret i32 %1
y:
  %2 = add i32 %b, 5
  ret i32 %2
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

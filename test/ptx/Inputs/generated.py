"""What tests of generated kernels share: how one runs, and how it is assembled where ptxas is."""

import os
import struct
import subprocess

HEADER = ".version 8.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 smem[];\n"


def f16(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


def f32(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def bf16(value):
    return f32(value) >> 16


class Machine:
    """Runs kernels, and counts those that do what they must not."""

    def __init__(self, program, scratch, ptxas):
        os.makedirs(scratch, exist_ok=True)
        self.program, self.scratch, self.ptxas = program, scratch, ptxas
        self.count = self.failed = 0

    def file(self, name):
        return os.path.join(self.scratch, name)

    def refuse(self, name, text, results, arguments, report):
        """Runs a kernel that must end with this report."""
        with open(self.file("kernel.ptx"), "w", encoding="utf-8") as file:
            file.write(text)
        command = [self.program, self.file("kernel.ptx"), "--buffer=u8:4", "--buffer=f32:%d" % results] + arguments
        self.count += 1
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode != 1 or report not in ran.stderr:
            self.fail(name, "expected the report '%s', got '%s'" % (report, ran.stderr))

    def run(self, name, text, data, results, arguments):
        """Bytes of the last of its buffers: buffer 0 holds `data`, buffer 1 `results` f32. None after a failure."""
        self.count += 1
        with open(self.file("kernel.ptx"), "w", encoding="utf-8") as file:
            file.write(text)
        with open(self.file("data"), "wb") as file:
            file.write(data)
        if self.ptxas:
            command = [self.ptxas, "-arch=sm_90a", self.file("kernel.ptx"), "-o", self.file("out.cubin")]
            assembled = subprocess.run(command, capture_output=True, text=True)
            if assembled.returncode:
                self.fail(name, assembled.stdout + assembled.stderr)
        buffers = ["--buffer=u8:%d:@%s" % (len(data), self.file("data")), "--buffer=f32:%d" % results]
        command = [self.program, self.file("kernel.ptx"), "--dump=1:" + self.file("results")]
        ran = subprocess.run(command[:2] + buffers + command[2:] + arguments, capture_output=True, text=True)
        if ran.returncode:
            self.fail(name, ran.stderr)
            return None
        with open(self.file("results"), "rb") as file:
            return file.read()

    def fail(self, name, why):
        self.failed += 1
        print("%s: %s" % (name, why))

    def end(self):
        print("%d kernels, %d failed" % (self.count, self.failed))
        return self.failed > 0 or self.count == 0


def copy_in(count):
    """Copies `count` words of 32 bits from %in to shared memory, by 128 threads."""
    return """
	mov.u32 	%i, %tid.x;
COPY:
	mul.wide.u32 	%at, %i, 4;
	add.s64 	%at, %at, %in;
	ld.global.b32 	%word, [%at];
	shl.b32 	%to, %i, 2;
	add.s32 	%to, %to, %base;
	st.shared.b32 	[%to], %word;
	add.s32 	%i, %i, 128;
	setp.lt.u32 	%more, %i, COUNT;
	@%more bra 	COPY;
	fence.proxy.async.shared::cta;
	bar.sync 	0;
""".replace("COUNT", str(count))


def kernel(body, parameters=""):
    return HEADER + """
.visible .entry k(.param .u64 in, .param .u64 out""" + parameters + """)
.maxntid 128
{
	.reg .pred 	%more, %first;
	.reg .b32 	%i, %word, %to, %base, %thread, %r<16>;
	.reg .f32 	%d<128>;
	.reg .b64 	%at, %in, %out, %desc<4>, %map;
	ld.param.u64 	%in, [in];
	ld.param.u64 	%out, [out];
	mov.u32 	%thread, %tid.x;
	mov.u32 	%base, smem;
""" + body + "\tret;\n}\n"

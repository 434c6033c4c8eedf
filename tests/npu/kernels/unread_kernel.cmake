# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DMODULE=cmake/NpuKernels.cmake -DSOURCE=... -DKERNEL=name -DCOPY=... -P unread_kernel.cmake
# Reads the kernels of a COPY of SOURCE that declares KERNEL in other words than the rest, which fails.
include(${MODULE})
slipstream_npu_declarations(${SOURCE} declarations names)
file(READ ${SOURCE} text)
string(REPLACE "__global__ __aicore__ void ${KERNEL}" "__aicore__ __global__ void ${KERNEL}" text "${text}")
file(WRITE ${COPY} "${text}")
slipstream_npu_declarations(${COPY} declarations names)

/*
 * The switch from one thread to another, what stands before setjmp (rt_jump.c), and what calls of
 * functions without instrumentation pass (rt_got.c), for x86_64 and aarch64.
 */
#if defined __x86_64__

    .text
    .globl hd_rt_arch_switch
    .hidden hd_rt_arch_switch
    .type hd_rt_arch_switch, @function
    .p2align 4
hd_rt_arch_switch: /* rdi: where to save, rsi: the other stack, rdx: its thread pointer */
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    fnstsw 6(%rsp)
    movl (%rsp), %r8d
    movl 4(%rsp), %r9d
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    cmpl $0, hd_rt_arch_fast(%rip)
    je 2f
    wrfsbase %rdx
1:  cmpl %r8d, (%rsp) /* to load them is slow, and they are seldom others */
    jne 3f
    xorl 4(%rsp), %r9d
    testl $0x7fffff, %r9d /* of the status word, the flags */
    jne 3f
4:  addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    popq %r14
    .cfi_adjust_cfa_offset -8
    popq %r13
    .cfi_adjust_cfa_offset -8
    popq %r12
    .cfi_adjust_cfa_offset -8
    popq %rbx
    .cfi_adjust_cfa_offset -8
    popq %rbp
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_adjust_cfa_offset 56
2:  movl $158, %eax /* arch_prctl(ARCH_SET_FS, rdx) */
    movl $0x1002, %edi
    movq %rdx, %rsi
    syscall
    jmp 1b
3:  ldmxcsr (%rsp)
    movl 4(%rsp), %r8d
    subq $32, %rsp
    .cfi_adjust_cfa_offset 32
    fnstenv (%rsp)
    movw %r8w, (%rsp)
    shrl $16, %r8d
    andw $0x3800, 4(%rsp) /* where the top of the register stack is stays */
    andl $0xc7ff, %r8d
    orw %r8w, 4(%rsp)
    fldenv (%rsp)
    addq $32, %rsp
    .cfi_adjust_cfa_offset -32
    jmp 4b
    .cfi_endproc
    .size hd_rt_arch_switch, . - hd_rt_arch_switch

    .globl hd_rt_arch_enter
    .hidden hd_rt_arch_enter
    .type hd_rt_arch_enter, @function
    .p2align 4
hd_rt_arch_enter:
    .cfi_startproc
    .cfi_undefined rip /* the bottom: no caller */
    xorl %ebp, %ebp
    movq %r13, %rdi
    call *%r12
    ud2
    .cfi_endproc
    .size hd_rt_arch_enter, . - hd_rt_arch_enter

    .globl hd_rt_arch_on_stack
    .hidden hd_rt_arch_on_stack
    .type hd_rt_arch_on_stack, @function
    .p2align 4
hd_rt_arch_on_stack: /* rdi: the top, rsi: what to call, rdx: with this */
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    andq $-16, %rdi
    movq %rdi, %rsp
    movq %rdx, %rdi
    call *%rsi
    leave
    .cfi_def_cfa rsp, 8
    .cfi_restore rbp
    ret
    .cfi_endproc
    .size hd_rt_arch_on_stack, . - hd_rt_arch_on_stack

    .macro SETJMP name, which
    .globl \name
    .type \name, @function
    .p2align 4
\name: /* rdi: the buffer, rsi: of the last one whether signals are kept */
    .cfi_startproc
    endbr64
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    movl %esi, %ecx
    leaq 32(%rsp), %rsi
    movl $\which, %edx
    movq 24(%rsp), %r8
    call hd_rt_jump_set
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    jmp *%rax
    .cfi_endproc
    .size \name, . - \name
    .endm

    /* From the stub of a function, which pushed its number: on the stack that, then the return
     * address.  Keeps all registers that may have arguments, asks hd_rt_foreign_call where to go
     * on, and goes there as the caller did.  The frame pointer takes the place of the number, so
     * that this is a frame like others.  Of functions that may take wide vectors all of these are
     * kept, which takes ten times as long. */
    .macro FOREIGN name, wide
    .globl \name
    .hidden \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    .cfi_def_cfa_offset 16
    movq (%rsp), %r11
    cmpl $0, hd_rt_foreign_on(%rip)
    je 9f
    movq %rbp, (%rsp)
    .cfi_rel_offset rbp, 0
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    subq $64, %rsp
    movq %rdi, -64(%rbp)
    movq %rsi, -56(%rbp)
    movq %rdx, -48(%rbp)
    movq %rcx, -40(%rbp)
    movq %r8, -32(%rbp)
    movq %r9, -24(%rbp)
    movq %rax, -16(%rbp)
    movq %r10, -8(%rbp)
    .if \wide
    cmpl $0, hd_rt_arch_vectors(%rip)
    je 1f
    movl hd_rt_arch_vectors(%rip), %eax
    subq %rax, %rsp
    andq $-64, %rsp
    xorl %eax, %eax /* the header of the area must be zero */
    movq %rax, 512(%rsp)
    movq %rax, 520(%rsp)
    movq %rax, 528(%rsp)
    movq %rax, 536(%rsp)
    movq %rax, 544(%rsp)
    movq %rax, 552(%rsp)
    movq %rax, 560(%rsp)
    movq %rax, 568(%rsp)
    movl $0xe6, %eax /* SSE, AVX, AVX-512 */
    xorl %edx, %edx
    xsave (%rsp)
    movl %r11d, %edi
    leaq -64(%rbp), %rsi
    movq 8(%rbp), %rdx
    call hd_rt_foreign_call
    movq %rax, %r11
    movl $0xe6, %eax
    xorl %edx, %edx
    xrstor (%rsp)
    jmp 2f
1:
    .endif
    subq $128, %rsp
    andq $-16, %rsp
    movaps %xmm0, (%rsp)
    movaps %xmm1, 16(%rsp)
    movaps %xmm2, 32(%rsp)
    movaps %xmm3, 48(%rsp)
    movaps %xmm4, 64(%rsp)
    movaps %xmm5, 80(%rsp)
    movaps %xmm6, 96(%rsp)
    movaps %xmm7, 112(%rsp)
    movl %r11d, %edi
    leaq -64(%rbp), %rsi
    movq 8(%rbp), %rdx
    call hd_rt_foreign_call
    movq %rax, %r11
    movaps (%rsp), %xmm0
    movaps 16(%rsp), %xmm1
    movaps 32(%rsp), %xmm2
    movaps 48(%rsp), %xmm3
    movaps 64(%rsp), %xmm4
    movaps 80(%rsp), %xmm5
    movaps 96(%rsp), %xmm6
    movaps 112(%rsp), %xmm7
2:  movq -64(%rbp), %rdi
    movq -56(%rbp), %rsi
    movq -48(%rbp), %rdx
    movq -40(%rbp), %rcx
    movq -32(%rbp), %r8
    movq -24(%rbp), %r9
    movq -16(%rbp), %rax
    movq -8(%rbp), %r10
    movq %rbp, %rsp
    .cfi_def_cfa_register rsp
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    jmp *%r11
    .cfi_adjust_cfa_offset 8
9:  addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    shlq $3, %r11
    addq hd_rt_foreign_targets(%rip), %r11
    jmp *(%r11)
    .cfi_endproc
    .size \name, . - \name
    .endm

#elif defined __aarch64__

    .text
    .globl hd_rt_arch_switch
    .hidden hd_rt_arch_switch
    .type hd_rt_arch_switch, %function
    .p2align 4
hd_rt_arch_switch: /* x0: where to save, x1: the other stack, x2: its thread pointer */
    .cfi_startproc
    sub sp, sp, #176
    .cfi_adjust_cfa_offset 176
    stp x29, x30, [sp, #0]
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    stp x19, x20, [sp, #16]
    .cfi_rel_offset x19, 16
    .cfi_rel_offset x20, 24
    stp x21, x22, [sp, #32]
    .cfi_rel_offset x21, 32
    .cfi_rel_offset x22, 40
    stp x23, x24, [sp, #48]
    .cfi_rel_offset x23, 48
    .cfi_rel_offset x24, 56
    stp x25, x26, [sp, #64]
    .cfi_rel_offset x25, 64
    .cfi_rel_offset x26, 72
    stp x27, x28, [sp, #80]
    .cfi_rel_offset x27, 80
    .cfi_rel_offset x28, 88
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mrs x9, fpcr
    mrs x12, fpsr
    stp x9, x12, [sp, #160]
    mov x10, sp
    str x10, [x0]
    mov sp, x1
    msr tpidr_el0, x2
    ldp x11, x13, [sp, #160]
    cmp x11, x9
    ccmp x13, x12, #0, eq
    b.eq 1f
    msr fpcr, x11 /* slow, and seldom others */
    msr fpsr, x13
1:
    ldp x29, x30, [sp, #0]
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #176
    .cfi_adjust_cfa_offset -176
    ret
    .cfi_endproc
    .size hd_rt_arch_switch, . - hd_rt_arch_switch

    .globl hd_rt_arch_enter
    .hidden hd_rt_arch_enter
    .type hd_rt_arch_enter, %function
    .p2align 4
hd_rt_arch_enter:
    .cfi_startproc
    .cfi_undefined x30 /* the bottom: no caller */
    mov x29, xzr
    mov x0, x20
    blr x19
    brk #1
    .cfi_endproc
    .size hd_rt_arch_enter, . - hd_rt_arch_enter

    .globl hd_rt_arch_on_stack
    .hidden hd_rt_arch_on_stack
    .type hd_rt_arch_on_stack, %function
    .p2align 4
hd_rt_arch_on_stack: /* x0: the top, x1: what to call, x2: with this */
    .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    mov x29, sp
    .cfi_def_cfa_register x29
    and x0, x0, #-16
    mov sp, x0
    mov x0, x2
    blr x1
    mov sp, x29
    .cfi_def_cfa_register sp
    ldp x29, x30, [sp], #16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size hd_rt_arch_on_stack, . - hd_rt_arch_on_stack

    .macro SETJMP name, which
    .globl \name
    .type \name, %function
    .p2align 4
\name: /* x0: the buffer, x1: of the last one whether signals are kept */
    .cfi_startproc
    hint #34 /* bti c */
    stp x29, x30, [sp, #-32]!
    .cfi_adjust_cfa_offset 32
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    stp x0, x1, [sp, #16]
    mov w3, w1
    mov x4, x30
    add x1, sp, #32
    mov w2, #\which
    bl hd_rt_jump_set
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_adjust_cfa_offset -32
    .cfi_restore x29
    .cfi_restore x30
    br x16
    .cfi_endproc
    .size \name, . - \name
    .endm

    /* From the stub of a function, with its number in w16.  Keeps all registers that may have
     * arguments, asks hd_rt_foreign_call where to go on, and goes there as the caller did. */
    .macro FOREIGN name, wide
    .globl \name
    .hidden \name
    .type \name, %function
    .p2align 4
\name:
    .cfi_startproc
    hint #34 /* bti c */
    adrp x17, hd_rt_foreign_on
    ldr w17, [x17, #:lo12:hd_rt_foreign_on]
    cbz w17, 9f
    stp x29, x30, [sp, #-224]!
    .cfi_adjust_cfa_offset 224
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov w0, w16
    add x1, sp, #16
    mov x2, x30
    bl hd_rt_foreign_call
    mov x16, x0
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldr x8, [sp, #80]
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x29, x30, [sp], #224
    .cfi_adjust_cfa_offset -224
    .cfi_restore x29
    .cfi_restore x30
    br x16
9:  adrp x17, hd_rt_foreign_targets
    ldr x17, [x17, #:lo12:hd_rt_foreign_targets]
    ldr x16, [x17, x16, lsl #3]
    br x16
    .cfi_endproc
    .size \name, . - \name
    .endm

#else
#error "heddle knows x86_64 and aarch64"
#endif

    SETJMP setjmp, 0
    SETJMP _setjmp, 1
    SETJMP __sigsetjmp, 2
    FOREIGN hd_rt_arch_foreign, 0
    FOREIGN hd_rt_arch_foreign_wide, 1

    .section .note.GNU-stack, "", %progbits

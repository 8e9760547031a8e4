/*
 * The switch from one thread to another, and what stands before setjmp (rt_jump.c), for
 * x86_64 and aarch64.
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
    movl (%rsp), %r8d
    movzwl 4(%rsp), %r9d
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    cmpl $0, hd_rt_arch_fast(%rip)
    je 2f
    wrfsbase %rdx
1:  cmpl %r8d, (%rsp) /* to load them is slow, and they are seldom others */
    jne 3f
    cmpw %r9w, 4(%rsp)
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
    fldcw 4(%rsp)
    jmp 4b
    .cfi_endproc
    .size hd_rt_arch_switch, . - hd_rt_arch_switch

    .globl hd_rt_arch_enter
    .hidden hd_rt_arch_enter
    .type hd_rt_arch_enter, @function
    .p2align 4
hd_rt_arch_enter:
    .cfi_startproc
    .cfi_undefined rip /* the bottom: nobody to return to */
    xorl %ebp, %ebp
    movq %r13, %rdi
    call *%r12
    ud2
    .cfi_endproc
    .size hd_rt_arch_enter, . - hd_rt_arch_enter

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
    leaq 32(%rsp), %rsi
    movl $\which, %edx
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
    str x9, [sp, #160]
    mov x10, sp
    str x10, [x0]
    mov sp, x1
    msr tpidr_el0, x2
    ldr x11, [sp, #160]
    cmp x11, x9
    b.eq 1f
    msr fpcr, x11 /* slow, and seldom another */
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
    .cfi_undefined x30 /* the bottom: nobody to return to */
    mov x29, xzr
    mov x0, x20
    blr x19
    brk #1
    .cfi_endproc
    .size hd_rt_arch_enter, . - hd_rt_arch_enter

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

#else
#error "heddle knows x86_64 and aarch64"
#endif

    SETJMP setjmp, 0
    SETJMP _setjmp, 1
    SETJMP __sigsetjmp, 2

    .section .note.GNU-stack, "", %progbits

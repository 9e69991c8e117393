// Symbols that Debian's wasm32-wasi packages leave out: compiler-rt is built with the stack protector but wasi-libc
// does not provide it, and libc++abi comes without exception handling.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <typeinfo>

extern "C" {

std::uintptr_t __stack_chk_guard = 0x5eed'c0deu;
[[noreturn]] void __stack_chk_fail() { __builtin_trap(); }

void* __cxa_allocate_exception(std::size_t size) noexcept { return std::malloc(size); }
void __cxa_free_exception(void* memory) noexcept { std::free(memory); }
// The core never throws; the standard library may, on exhausted memory. There is no unwinding here: say what and stop.
[[noreturn]] void __cxa_throw(void*, void* type, void (*)(void*)) {
  std::fprintf(stderr, "fatal: %s\n", static_cast<const std::type_info*>(type)->name());
  __builtin_trap();
}

}  // extern "C"

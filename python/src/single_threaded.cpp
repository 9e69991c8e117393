// The C library's note of whether there is one thread, which shared pointers look at. Code for programs reads it by its
// place, which code in a shared library cannot have of it; this one says that there may be several, which is always
// safe.
extern "C" {
extern char __libc_single_threaded;  // NOLINT
char __libc_single_threaded = 0;     // NOLINT
}
